//! The crates build with the oldest compiler that their manifests promise.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

use super::Scope;

pub(super) fn check(scope: &Scope) -> Result<()> {
    let Some(version) = scope.packages().find_map(|package| package.rust_version.as_deref()) else {
        bail!("no manifest has a `rust-version`");
    };
    if !is_installed(version) {
        println!(
            "ci: nothing is built with Rust {version}: `rustup toolchain install {version}` first"
        );
        return Ok(());
    }
    let status = Command::new("rustup")
        .args(["run", version, "cargo", "check", "--quiet", "--all-features"])
        .args(scope.cargo_args())
        // The compiler that runs this check must not be the one that is asked for.
        .env_remove("RUSTC")
        .env_remove("CARGO")
        .current_dir(&scope.root)
        .status()
        .context("rustup cannot be started")?;
    if !status.success() {
        bail!("the crates do not build with Rust {version}, as their manifests say they do");
    }
    Ok(())
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
