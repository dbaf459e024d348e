//! Each published crate builds by itself: with the features that it asks for, not with what the rest of the workspace
//! happens to switch on. Some do so even where there is no standard library. Tests are built with the whole workspace only,
//! by the checks around this one, and the oldest compiler is for `outside`.

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

/// Crates that do without the standard library, with the features that keep that promise.
const WITHOUT_STD: &[(&str, &str)] = &[("maxwell-tex", "serde")];

/// A target that has no standard library, so that a use of it cannot hide.
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

/// The features worth a build by itself: of libraries as few as there can be, since `outside` checks the default ones.
fn features(package: &Package) -> &'static [&'static str] {
    let has_other_features = package.is_published_library() && !package.features.is_empty();
    if has_other_features { &["--no-default-features"] } else { &[] }
}
