//! What machine code is for, as flags name it.

use clap::Args;
use r600_isa::{Chip, Generation};

use crate::failure::Failure;

/// What machine code is for.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Target {
    /// The chip: rv610, rv770, latte, cedar, cayman and their siblings; a generation, r600, r700, evergreen or cayman; or
    /// maxwell, of which there are TEX and TLDS.
    #[arg(long, value_name = "CHIP", visible_aliases = ["isa", "generation"], value_parser = parse_machine)]
    chip: Machine,
}

/// A processor by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
    R600(Chip),
    Maxwell,
}

/// Generations by name, each with a chip that stands for it.
const GENERATIONS: [(&str, Chip); 4] = [
    ("r600", Chip::Rv670),
    ("r700", Chip::Rv770),
    ("evergreen", Chip::Cypress),
    ("cayman", Chip::Cayman),
];

fn parse_machine(name: &str) -> Result<Machine, String> {
    if name.eq_ignore_ascii_case("maxwell") {
        return Ok(Machine::Maxwell);
    }
    let of_generation = GENERATIONS.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
    let chip = of_generation.map(|(_, chip)| *chip).or_else(|| Chip::from_name(name));
    chip.map(Machine::R600).ok_or_else(|| {
        let generations = GENERATIONS.iter().map(|(name, _)| *name);
        let chips = Chip::ALL.iter().map(|chip| chip.name());
        let names: Vec<_> = generations.chain(chips).collect();
        format!("there are {} and maxwell", names.join(", "))
    })
}

impl Target {
    /// The family of its instruction set.
    pub(crate) fn family(self) -> Family {
        match self.chip {
            Machine::R600(chip) => Family::R600(chip.generation()),
            Machine::Maxwell => Family::Maxwell,
        }
    }

    /// The chip of the R600 family, for what runs nothing else.
    pub(crate) fn r600_chip(self) -> Result<Chip, Failure> {
        match self.chip {
            Machine::R600(chip) => Ok(chip),
            Machine::Maxwell => {
                Err(Failure::Usage("programs for Maxwell cannot be run here".to_owned()))
            }
        }
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
