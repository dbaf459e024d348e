//! The Wii U's shader files: sources of the usual assembler, listings, and errors that a loader would report.

pub(crate) mod compile;
pub(crate) mod given;
pub(crate) mod judge;
pub(crate) mod listing;
pub(crate) mod source;

use gx2_gfd::File;
use r600_isa::{Generation, Program};

use crate::input::Input;
use crate::problem::{Finding, Place, Problems};

/// The chip's instruction set.
pub(crate) const GENERATION: Generation = Generation::R700;

/// Whether bytes start like such a file, in either byte order.
pub(crate) fn is_file(bytes: &[u8]) -> bool {
    bytes.starts_with(b"Gfx2") || bytes.starts_with(b"2xfG")
}

/// Reads a file.
pub(crate) fn read(input: &Input) -> Result<File, Problems> {
    File::read(&input.bytes).map_err(|error| {
        let finding = Finding::error(error.to_string(), Place::Whole);
        let help = "`tgsi link` makes shader files of the Wii U, `tgsi info` describes shaders";
        let help = (!is_file(&input.bytes)).then(|| help.to_owned());
        Problems::one(&input.name, None, Finding { help, ..finding })
    })
}

/// A program's instructions.
pub(crate) fn decode(program: &[u8]) -> Program {
    Program::decode(&gx2_gfd::program_words(program), GENERATION)
}
