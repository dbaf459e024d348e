//! Instruction sets as flags name them.

use clap::ValueEnum;
use r600_isa::Generation;

/// An instruction set by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Isa {
    /// R600, RV610 to RV670, RS780, RS880.
    R600,
    /// RV710 to RV770, and the Wii U's Latte.
    R700,
    /// Evergreen and Northern Islands but Cayman.
    Evergreen,
    /// Cayman and Aruba.
    Cayman,
}

/// The family of an instruction set: each has an assembler and a disassembler of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// The R600 family of AMD GPUs, 32-bit words.
    R600(Generation),
}

impl Isa {
    /// Its family.
    pub(crate) fn family(self) -> Family {
        Family::R600(match self {
            Self::R600 => Generation::R600,
            Self::R700 => Generation::R700,
            Self::Evergreen => Generation::Evergreen,
            Self::Cayman => Generation::Cayman,
        })
    }
}
