//! The oldest compiler that the manifests promise.

use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::Scope;

/// Its version, where rustup has it; where not, a line says so.
///
/// # Errors
/// Where no manifest promises one.
pub(super) fn toolchain(scope: &Scope) -> Result<Option<String>> {
    let version = scope.packages().find_map(|package| package.rust_version.clone());
    let version = version.context("no manifest has a `rust-version`")?;
    if is_installed(&version) {
        return Ok(Some(version));
    }
    println!(
        "ci: nothing is built with Rust {version}: `rustup toolchain install {version}` first"
    );
    Ok(None)
}

/// Whether rustup has a toolchain of this version, on machines that have rustup.
fn is_installed(version: &str) -> bool {
    Command::new("rustup")
        .args(["run", version, "rustc", "--version"])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}
