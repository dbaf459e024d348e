//! Runs the differential harness. It is a separate program, so that the generator works while the product crates do not
//! build.

use clap::Args;

use crate::workspace;

/// Options of the harness; `cargo xtask difftest -- --help` lists them.
#[derive(Args)]
pub(crate) struct Options {
    /// Passed on: `--corpus DIR`, `--generated N`, `--chip CHIP`, `--seed S`, `--minutes M` and others.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "OPTIONS")]
    options: Vec<String>,
}

/// Builds the harness and runs it.
pub(crate) fn run(options: &Options) -> anyhow::Result<()> {
    workspace::run_program(&["-p", "difftest"], &options.options, "the comparison failed")
}
