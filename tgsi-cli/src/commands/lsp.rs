//! `tgsi lsp`: a language server for editors.

use clap::Args;

use crate::failure::{Failure, Outcome};
use crate::problem::{Finding, Place, Problems};

/// Serves an editor by the Language Server Protocol, on standard input and output
///
/// Reports mistakes as you type, and provides documentation of opcodes, formatting, declarations and colours. Editors
/// start it themselves; docs/editors.md describes the setup.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi lsp")]
pub(crate) struct Options {
    /// Accepted for compatibility; has no effect, since standard input and output are always used.
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
