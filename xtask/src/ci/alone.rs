//! Each published crate builds by itself, with only the features that it asks for, not those that the rest of the
//! workspace enables. Some crates also build without the standard library. Tests are built only with the whole
//! workspace, by other checks; `outside` uses the oldest compiler.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::Scope;
use super::cargo::Cargo;
use super::metadata::Package;

pub(super) fn check(scope: &Scope) -> Result<()> {
    for package in scope.packages().filter(|package| package.is_published()) {
        Cargo::new(scope, &["check", "--quiet", "-p", &package.name])
            .args(features(package))
            .run()
            .with_context(|| format!("`{}` does not stand alone", package.name))?;
    }
    without_std(scope)
}

/// Crates that support `no_std`, with the features that preserve it.
const WITHOUT_STD: &[(&str, &str)] = &[("maxwell-tex", "serde")];

/// A target without a standard library, so that any use of it fails.
const BARE_TARGET: &str = "x86_64-unknown-none";

fn without_std(scope: &Scope) -> Result<()> {
    let names: Vec<_> = scope.packages().map(|package| package.name.as_str()).collect();
    let promised = WITHOUT_STD.iter().filter(|(name, _)| names.contains(name));
    for (name, features) in promised {
        if !is_installed(BARE_TARGET)? {
            println!(
                "ci: `{name}` is not built without std: `rustup target add {BARE_TARGET}` first"
            );
            continue;
        }
        Cargo::new(scope, &["check", "--quiet", "--target", BARE_TARGET, "--no-default-features"])
            .args(&["-p", name, "--features", features])
            .run()
            .with_context(|| format!("`{name}` needs the standard library"))?;
    }
    Ok(())
}

/// Whether the toolchain can build for `target`.
fn is_installed(target: &str) -> Result<bool> {
    let output =
        Command::new("rustc").args(["--print", "target-libdir", "--target", target]).output();
    let output = output.context("rustc cannot be started")?;
    Ok(Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir())
}

/// The feature sets that are built separately. For libraries the minimal one, since `outside` checks the default ones.
fn features(package: &Package) -> &'static [&'static str] {
    let has_other_features = package.is_published_library() && !package.features.is_empty();
    if has_other_features { &["--no-default-features"] } else { &[] }
}
