//! The location of the workspace, and running its programs.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Context, Result, bail};

/// The root folder of the workspace: the parent of this crate's folder.
pub(crate) fn root() -> PathBuf {
    let mut path = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    path.pop();
    path
}

/// Builds the program that `select` names to cargo, in the release profile, and runs it with `options`. `failure` is
/// the message if it fails.
pub(crate) fn run_program(select: &[&str], options: &[String], failure: &str) -> Result<()> {
    let status = Command::new("cargo")
        .args(["run", "--release", "--quiet"])
        .args(select)
        .arg("--")
        .args(options)
        .current_dir(root())
        .status()
        .context("cargo does not start")?;
    if !status.success() {
        bail!("{failure}");
    }
    Ok(())
}

/// Builds the programs of a crate in the release profile.
pub(crate) fn build_program(package: &str) -> Result<()> {
    let status = Command::new("cargo")
        .args(["build", "--release", "--quiet", "-p", package])
        .current_dir(root())
        .status()
        .context("cargo does not start")?;
    if !status.success() {
        bail!("`{package}` cannot be built");
    }
    Ok(())
}
