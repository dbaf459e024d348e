//! `tgsi lsp`: serves an editor.

use clap::Args;

use crate::failure::{Failure, Outcome};
use crate::problem::{Finding, Place, Problems};

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
        Err(error) => {
            let finding = Finding::error(error.to_string(), Place::Whole)
                .with_help("editors start this command; docs/editors.md says how");
            Err(Problems::one("<stdin>", None, finding).into())
        }
    }
}
