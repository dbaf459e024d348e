//! `tgsi disasm`: lists machine code.

pub(crate) mod maxwell;
pub(crate) mod r600;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::failure::{Failure, Outcome};
use crate::input::{ByteOrder, WordFormat};
use crate::isa::{Family, Target};
use crate::maxwell::MaxwellFlags;
use crate::output::Destination;
use crate::report::Reporter;

/// Lists machine code, one instruction per line
///
/// Any input can be listed. Words that are not instructions, and missing clauses, are shown as such.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi disasm shader.bin --chip latte
  tgsi compile shader.tgsi --chip cayman --emit words | tgsi disasm - --hex --chip cayman
  echo c0380057aff70200 | tgsi disasm - --hex --chip maxwell --sm 53 --semantics")]
pub(crate) struct Options {
    /// The program; `-` is standard input.
    file: PathBuf,
    #[command(flatten)]
    format: WordFormat,
    #[command(flatten)]
    order: ByteOrder,
    #[command(flatten)]
    target: Target,
    /// Syntax of the listing.
    #[arg(long, default_value = "canonical")]
    syntax: Syntax,
    #[command(flatten)]
    maxwell: MaxwellFlags,
    #[command(flatten)]
    r600: r600::Flags,
    #[command(flatten)]
    destination: Destination,
}

/// Syntaxes of listings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Syntax {
    /// The syntax of `tgsi compile`, which `tgsi asm` reads.
    Canonical,
    /// The syntax of the vendor's tools as printed by decaf (R600 family), for comparison; with `.syntax latte`, `tgsi
    /// asm` reads the syntax of decaf's assembler.
    Amd,
    /// The syntax of dumps of Mesa's optimiser (R600 family), for comparison; `tgsi asm` does not read it.
    Mesa,
    /// The syntax of the vendor's disassembler (Maxwell).
    Vendor,
}

/// Rejects flags that have no effect with `other`.
fn refuse_beside(other: &str, flags: &[(&str, bool)]) -> Result<(), Failure> {
    match flags.iter().find(|(_, is_given)| *is_given) {
        Some((flag, _)) => Err(Failure::Usage(format!("`{flag}` has no effect with `{other}`"))),
        None => Ok(()),
    }
}

pub(crate) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    match options.target.family() {
        Family::R600(generation) => {
            options.maxwell.check_not_given()?;
            r600::run(options, generation, reporter)
        }
        Family::Maxwell => maxwell::run(options, reporter),
    }
}
