//! `tgsi disasm`: machine code as a listing.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use r600_isa::Program;

use crate::failure::{Failure, Outcome};
use crate::generation::GenerationName;
use crate::input::{WordFormat, read_words};
use crate::output::Destination;

/// Lists machine code, a line an instruction
///
/// Anything can be listed: words that are no instruction, and clauses that are not there, are shown as
/// they are.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi disasm shader.bin --isa r700
  tgsi compile shader.tgsi --chip cayman --emit words | tgsi disasm - --hex --isa cayman")]
pub(crate) struct Options {
    /// The program; `-` is standard input.
    file: PathBuf,
    #[command(flatten)]
    format: WordFormat,
    /// The instruction set.
    #[arg(long)]
    isa: GenerationName,
    /// The form of the listing.
    #[arg(long, default_value = "canonical")]
    syntax: Syntax,
    #[command(flatten)]
    destination: Destination,
}

/// Forms of listings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Syntax {
    /// That of `tgsi compile`.
    Canonical,
}

pub(crate) fn run(options: &Options) -> Result<Outcome, Failure> {
    let words = read_words(&options.file, options.format)?;
    let program = Program::decode(&words, options.isa.generation());
    let text = match options.syntax {
        Syntax::Canonical => program.to_string(),
    };
    options.destination.write(text.as_bytes())?;
    Ok(Outcome::Good)
}
