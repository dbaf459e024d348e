//! The oldest compiler that the manifests promise.

use std::process::{Command, Stdio};

use anyhow::{Context, Result};

use super::Scope;
use super::cargo::Cargo;

/// The compiler, and the folder of what it builds.
pub(super) struct Oldest {
    /// Its version, where rustup has it; where not, the compiler of this run stands in.
    version: Option<String>,
    /// What another compiler has made is of no use to other checks, which need not wait for this folder.
    target: String,
}

impl Oldest {
    /// The compiler that the manifests promise; where rustup does not have it, a line says so.
    ///
    /// # Errors
    /// Where no manifest promises one.
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

    /// Checks, without building, what cargo's arguments name.
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
