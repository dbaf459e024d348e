//! The oldest compiler that the manifests promise.

use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::Scope;
use super::cargo::Cargo;

/// The compiler, and its build folder.
pub(super) struct Oldest {
    /// Its version if rustup has it; otherwise the current compiler replaces it.
    version: Option<String>,
    /// The output of another compiler is useless to other checks, which need not wait for this folder.
    target: String,
}

impl Oldest {
    /// The compiler that the manifests promise. If rustup does not have it, prints a note.
    ///
    /// # Errors
    /// If no manifest promises one.
    pub(super) fn of(scope: &Scope) -> Result<Self> {
        let version = scope.packages().find_map(|package| package.rust_version.clone());
        let version = version.context("no manifest has a `rust-version`")?;
        let target = scope.root.join("target/oldest").display().to_string();
        if is_installed(&version) {
            return Ok(Self { version: Some(version), target });
        }
        println!(
            "ci: nothing is built with Rust {version}: `rustup toolchain install {version}` first"
        );
        Ok(Self { version: None, target })
    }

    /// Checks, without building, the packages that cargo's arguments name.
    pub(super) fn check(&self, scope: &Scope, args: &[&str]) -> Result<()> {
        let check = Cargo::new(scope, &["check", "--quiet"]).args(args);
        let check = check.var("CARGO_TARGET_DIR", &self.target);
        match &self.version {
            Some(version) => check.with_toolchain(version),
            None => check,
        }
        .run()
    }
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
