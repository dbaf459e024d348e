//! `tgsi asm`: a listing as machine code.

pub(crate) mod maxwell;
pub(crate) mod r600;

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use crate::failure::{Failure, Outcome};
use crate::isa::{Family, Target};
use crate::maxwell::MaxwellFlags;
use crate::output::Destination;
use crate::report::Reporter;

/// Assembles a listing into machine code
///
/// The output of `tgsi disasm` assembles to the same words again.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi asm shader.s --chip rv770 -o shader.bin
  tgsi disasm shader.bin --chip rv770 | tgsi asm - --chip rv770 --emit words
  tgsi asm shader.s --chip hd6970 --verify --listing
  tgsi asm textures.s --chip maxwell --sm 53 --emit words")]
pub(crate) struct Options {
    /// The listing; `-` is standard input.
    file: PathBuf,
    #[command(flatten)]
    target: Target,
    /// Output format.
    #[arg(long, default_value = "bin")]
    emit: Emit,
    #[command(flatten)]
    r600: r600::Flags,
    #[command(flatten)]
    maxwell: MaxwellFlags,
    /// Treats every broken documented rule as an error. By default, it is a warning if an encoding exists.
    #[arg(long, help_heading = "Maxwell")]
    strict: bool,
    #[command(flatten)]
    destination: Destination,
}

/// Forms of machine code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Emit {
    /// Little-endian binary.
    Bin,
    /// Words in hexadecimal.
    Words,
}

pub(crate) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    match options.target.family() {
        Family::R600(generation) => {
            options.maxwell.check_not_given()?;
            if options.strict {
                return Err(Failure::Usage("`--strict` is for Maxwell".to_owned()));
            }
            r600::run(options, generation, reporter)
        }
        Family::Maxwell => match options.r600.given() {
            Some(flag) => Err(Failure::Usage(format!("`{flag}` is for the R600 family"))),
            None => maxwell::run(options, reporter),
        },
    }
}
