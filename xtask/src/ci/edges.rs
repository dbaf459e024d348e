//! Crates depend on each other only as the architecture allows.
//!
//! Dev-dependencies are free: a test may compare crates that the product must not mix. The one exception is [`BLIND`]:
//! an oracle that shares code with what it judges proves nothing, not even in a test.

use std::collections::BTreeSet;

use anyhow::{Result, bail};

use super::Scope;
use super::metadata::{Dependency, Package};

/// Every crate, with the workspace crates that its product code may use.
const ALLOWED: &[(&str, &[&str])] = &[
    ("difftest", EVERY),
    (
        "tgsi-fuzz",
        &[
            "difftest",
            "gx2-gfd",
            "maxwell-tex",
            "r600-codegen",
            "r600-isa",
            "tgsi-binary",
            "tgsi-exec",
            "tgsi-ir",
            "tgsi-spirv",
            "tgsi-text",
        ],
    ),
    ("gx2-draw", &["gx2-gfd", "r600-isa", "r600-sim", "tgsi-exec", "tgsi-ir"]),
    ("gx2-gfd", &[]),
    ("gx2-link", &["gx2-gfd", "pass-manager", "r600-codegen", "r600-isa", "tgsi-ir", "tgsi-spirv"]),
    ("maxwell-tex", &["tgsi-ir"]),
    ("pass-manager", &[]),
    ("r600-codegen", &["pass-manager", "r600-isa", "r600-mir", "r600-sched", "tgsi-ir"]),
    ("r600-isa", &[]),
    ("r600-mir", &["r600-isa"]),
    ("r600-sched", &["r600-isa", "r600-mir"]),
    ("r600-sim", &["r600-isa"]),
    ("test-support", &[]),
    (
        "tgsi-api",
        &[
            "gx2-gfd",
            "gx2-link",
            "r600-codegen",
            "r600-isa",
            "r600-mir",
            "r600-sim",
            "tgsi-binary",
            "tgsi-exec",
            "tgsi-ir",
            "tgsi-spirv",
            "tgsi-text",
        ],
    ),
    ("tgsi-binary", &["tgsi-ir"]),
    ("tgsi-capi", &["tgsi-api"]),
    ("tgsi-cli", EVERY),
    ("tgsi-exec", &["tgsi-ir"]),
    (
        "tgsi-explore",
        &["pass-manager", "r600-codegen", "r600-isa", "tgsi-graph", "tgsi-ir", "tgsi-text"],
    ),
    (
        "tgsi-graph",
        &[
            "pass-manager",
            "r600-codegen",
            "r600-isa",
            "r600-mir",
            "r600-sched",
            "tgsi-ir",
            "tgsi-text",
        ],
    ),
    ("tgsi-ir", &[]),
    ("tgsi-lsp", &["tgsi-ir", "tgsi-text"]),
    ("tgsi-python", &["tgsi-api"]),
    ("tgsi-spirv", &["tgsi-ir"]),
    ("tgsi-text", &["tgsi-ir"]),
    ("tgsi-wasm", &["pass-manager", "tgsi-explore"]),
    ("vulkan-compare", &[]),
    ("xtask", &[]),
];

/// The libraries.
const EVERY: &[&str] = &[
    "gx2-draw",
    "gx2-gfd",
    "gx2-link",
    "maxwell-tex",
    "pass-manager",
    "r600-codegen",
    "r600-isa",
    "r600-mir",
    "r600-sched",
    "r600-sim",
    "tgsi-api",
    "tgsi-binary",
    "tgsi-exec",
    "tgsi-explore",
    "tgsi-graph",
    "tgsi-ir",
    "tgsi-lsp",
    "tgsi-spirv",
    "tgsi-text",
];

/// Oracles, and the crates that not even their tests may use.
const BLIND: &[(&str, &str)] = &[
    ("r600-sim", "r600-codegen"),
    ("r600-sim", "r600-mir"),
    ("r600-sim", "r600-sched"),
    ("tgsi-exec", "r600-codegen"),
    ("tgsi-exec", "r600-sched"),
];

pub(super) fn check(scope: &Scope) -> Result<()> {
    let faults = faults(&scope.all);
    if !faults.is_empty() {
        bail!("{}", faults.join("\n"));
    }
    Ok(())
}

/// One line for each forbidden edge, and for each crate missing from the table.
fn faults(packages: &[Package]) -> Vec<String> {
    let mut faults = Vec::new();
    for package in packages {
        let Some(allowed) = find_allowed(&package.name) else {
            faults.push(format!("`{}` is missing from the table of allowed edges", package.name));
            continue;
        };
        let forbidden: BTreeSet<_> = (package.dependencies.iter())
            .filter(|dependency| !is_allowed(package, dependency, allowed))
            .map(|dependency| &dependency.name)
            .collect();
        for name in forbidden {
            faults.push(format!("`{}` must not depend on `{name}`", package.name));
        }
    }
    faults
}

fn find_allowed(name: &str) -> Option<&'static [&'static str]> {
    ALLOWED.iter().find(|(from, _)| *from == name).map(|(_, to)| *to)
}

fn is_allowed(package: &Package, dependency: &Dependency, allowed: &[&str]) -> bool {
    let outside = dependency.path.is_none();
    let blind = BLIND.contains(&(package.name.as_str(), dependency.name.as_str()));
    let is_dev = dependency.kind.as_deref() == Some("dev");
    outside || !blind && (is_dev || allowed.contains(&dependency.name.as_str()))
}

#[cfg(test)]
mod tests {

    use super::{Dependency, Package, faults};

    fn package(name: &str, to: &str, kind: Option<&str>) -> Package {
        let dependency = Dependency {
            name: to.to_owned(),
            kind: kind.map(str::to_owned),
            path: Some(format!("/{to}")),
        };
        let mut package = Package::default();
        name.clone_into(&mut package.name);
        package.dependencies.push(dependency);
        package
    }

    #[test]
    fn only_listed_edges_pass() {
        assert_eq!(faults(&[package("tgsi-text", "tgsi-ir", None)]), [""; 0]);
        assert_eq!(faults(&[package("tgsi-ir", "tgsi-text", Some("dev"))]), [""; 0]);
        assert_eq!(
            faults(&[package("tgsi-ir", "tgsi-text", None)]),
            ["`tgsi-ir` must not depend on `tgsi-text`"]
        );
        assert_eq!(
            faults(&[package("r600-sim", "r600-codegen", Some("dev"))]),
            ["`r600-sim` must not depend on `r600-codegen`"]
        );
        assert_eq!(
            faults(&[package("tgsi-fancy", "tgsi-ir", None)]),
            ["`tgsi-fancy` is missing from the table of allowed edges"]
        );
    }
}
