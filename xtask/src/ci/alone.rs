//! Each crate builds by itself, with the oldest compiler that its manifest promises: with the features
//! that it asks for, not with what the rest of the workspace happens to switch on. Some do so even where
//! there is no standard library. Tests are built with the whole workspace only, by the checks around this one.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use super::Scope;
use super::cargo::Cargo;
use super::metadata::Package;
use super::oldest;

pub(super) fn check(scope: &Scope) -> Result<()> {
    let oldest = oldest::toolchain(scope)?;
    // What another compiler has made is of no use to other checks, which need not wait for this one.
    let target = scope.root.join("target/alone").display().to_string();
    let check = |args: &[&str]| {
        let check =
            Cargo::new(scope, &["check", "--quiet"]).args(args).var("CARGO_TARGET_DIR", &target);
        match &oldest {
            Some(version) => check.with_toolchain(version),
            None => check,
        }
        .run()
    };
    for package in scope.packages() {
        check(&[&["-p", package.name.as_str()], features(package)].concat())
            .with_context(|| format!("`{}` does not stand alone", package.name))?;
    }
    if oldest.is_some() {
        check(&[&["--all-features"], scope.cargo_args().as_slice()].concat())
            .context("not all features are for the oldest compiler")?;
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

/// The features worth a build by itself: as few as there can be. With the default ones `outside` checks, with all of them
/// `clippy`, and the oldest compiler once.
fn features(package: &Package) -> &'static [&'static str] {
    if package.features.is_empty() { &[] } else { &["--no-default-features"] }
}
