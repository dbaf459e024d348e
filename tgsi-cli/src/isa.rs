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
    /// NVIDIA's Maxwell: TEX and TLDS; other instructions stay words.
    Maxwell,
}

/// The family of an instruction set: each has an assembler and a disassembler of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// The R600 family of AMD GPUs, 32-bit words.
    R600(Generation),
    /// Maxwell, 64-bit words.
    Maxwell,
}

impl Isa {
    /// Its family.
    pub(crate) fn family(self) -> Family {
        match self {
            Self::R600 => Family::R600(Generation::R600),
            Self::R700 => Family::R600(Generation::R700),
            Self::Evergreen => Family::R600(Generation::Evergreen),
            Self::Cayman => Family::R600(Generation::Cayman),
            Self::Maxwell => Family::Maxwell,
        }
    }
}
