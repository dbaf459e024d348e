//! Instruction sets as flags name them.

use clap::{Args, ValueEnum};
use r600_isa::{Chip, Generation};

use crate::commands::compile::parse_chip;
use crate::failure::Failure;

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

/// What machine code is for: an instruction set, or a chip that has it.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Target {
    /// The instruction set.
    #[arg(long, required_unless_present = "chip")]
    isa: Option<Isa>,
    /// The chip, in place of its instruction set: rv610, rv770, latte, cedar, cayman and their siblings.
    #[arg(long, value_parser = parse_chip, conflicts_with = "isa")]
    chip: Option<Chip>,
}

impl Target {
    /// The family of the instruction set.
    pub(crate) fn family(self) -> Result<Family, Failure> {
        let of_chip = self.chip.map(|chip| Family::R600(chip.generation()));
        let family = self.isa.map(Isa::family).or(of_chip);
        family.ok_or_else(|| Failure::Usage("`--isa` is missing".to_owned()))
    }
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
    fn family(self) -> Family {
        match self {
            Self::R600 => Family::R600(Generation::R600),
            Self::R700 => Family::R600(Generation::R700),
            Self::Evergreen => Family::R600(Generation::Evergreen),
            Self::Cayman => Family::R600(Generation::Cayman),
            Self::Maxwell => Family::Maxwell,
        }
    }
}
