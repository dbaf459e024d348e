//! `tgsi lsp`: serves an editor.

use clap::Args;

use crate::failure::{Failure, Outcome};
use crate::problem::Problems;

/// Serves an editor by the Language Server Protocol, on standard input and output
///
/// Mistakes as they are typed, what opcodes do, formatting, declarations and colours. An editor starts this by itself:
/// docs/editors.md says how to switch it on.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi lsp")]
pub(crate) struct Options {
    /// Accepted and without effect: standard input and output are all there is.
    #[arg(long)]
    stdio: bool,
}

pub(crate) fn run(_: &Options) -> Result<Outcome, Failure> {
    match tgsi_lsp::serve_stdio() {
        Ok(()) => Ok(Outcome::Good),
        Err(error) => Err(Problems::whole("<stdin>", error.to_string()).into()),
    }
}
