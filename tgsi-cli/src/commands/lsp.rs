//! `tgsi lsp`: serves an editor.

use clap::Args;

use crate::failure::{Failure, Outcome};
use crate::problem::{Finding, Place, Problems};

/// Serves an editor by the Language Server Protocol, on standard input and output
///
/// Offers mistakes as you type, what opcodes do, formatting, declarations and colours. Editors start this themselves:
/// docs/editors.md says how to set it up.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi lsp")]
pub(crate) struct Options {
    /// Accepted for compatibility, without effect: standard input and output are always used.
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
