//! Runs the fuzz campaign, which is a program apart from the workspace.

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
    let select = ["--manifest-path", "fuzz/Cargo.toml", "--bin", "campaign"];
    workspace::run_program(&select, &options.options, "the campaign found something")
}
