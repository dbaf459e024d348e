//! Runs the fuzz campaign, which is a program apart from the workspace.

use std::process::Command;

use anyhow::{Context, bail};
use clap::Args;

use crate::workspace;

/// Options of the campaign.
#[derive(Args)]
pub(crate) struct Options {
    /// Passed on: `--minutes M`, `--seed S`, `--target text|tokens`, `--corpus DIR`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTIONS")]
    options: Vec<String>,
}

/// Builds the campaign and runs it.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    let status = Command::new("cargo")
        .args(["run", "--release", "--quiet", "--manifest-path", "fuzz/Cargo.toml"])
        .args(["--bin", "campaign", "--"])
        .args(&options.options)
        .current_dir(workspace::root())
        .status()
        .context("cargo does not start")?;
    if !status.success() {
        bail!("the campaign found something");
    }
    Ok(())
}
