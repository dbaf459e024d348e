//! Runs the fuzz campaign.

use clap::Args;

use crate::workspace;

/// Options of the campaign.
#[derive(Args)]
pub(crate) struct Options {
    /// Passed on: `--minutes M`, `--target NAME`, `--seed S`, `--corpus DIR`, `--threads N`.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTIONS")]
    options: Vec<String>,
}

/// Builds the campaign and runs it.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    // One of the targets is the program's command line.
    workspace::build_program("tgsi-cli")?;
    workspace::run_program(&["-p", "tgsi-fuzz"], &options.options, "the campaign found something")
}
