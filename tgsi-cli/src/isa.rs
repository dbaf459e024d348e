//! What machine code is for, as flags name it.

use clap::Args;
use r600_isa::verify::Severity;
use r600_isa::{Chip, Generation, Program};

use crate::nearest::nearest;

/// What machine code is for.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Target {
    /// The chip: rv610, rv770, latte, cedar, cayman and their siblings; a generation: r600, r700, evergreen or cayman; or
    /// maxwell, whose texture instructions are covered.
    #[arg(
        long,
        value_name = "CHIP",
        visible_aliases = ["isa", "generation"],
        value_parser = parse_machine
    )]
    chip: Machine,
}

/// What a program for the R600 family is for.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct R600Target {
    /// The chip: rv610, rv770, latte, cedar, cayman and their siblings; or a generation: r600, r700, evergreen or cayman.
    #[arg(
        long,
        value_name = "CHIP",
        visible_aliases = ["isa", "generation"],
        value_parser = parse_r600
    )]
    pub(crate) chip: Chip,
}

/// A processor by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Machine {
    R600(Chip),
    Maxwell,
}

/// The name of what is not of the R600 family.
const MAXWELL: &str = "maxwell";

/// Generations by name, each with a chip that stands for it.
const GENERATIONS: [(&str, Chip); 4] = [
    ("r600", Chip::Rv670),
    ("r700", Chip::Rv770),
    ("evergreen", Chip::Cypress),
    ("cayman", Chip::Cayman),
];

/// Names of generations and of chips, each once.
fn names() -> Vec<&'static str> {
    let generations: Vec<_> = GENERATIONS.iter().map(|(name, _)| *name).collect();
    let chips = Chip::ALL.iter().map(|chip| chip.name());
    let chips: Vec<_> = chips.filter(|name| !generations.contains(name)).collect();
    [generations, chips].concat()
}

fn find_chip(name: &str) -> Option<Chip> {
    let of_generation = GENERATIONS.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
    of_generation.map(|(_, chip)| *chip).or_else(|| Chip::from_name(name))
}

fn parse_machine(name: &str) -> Result<Machine, String> {
    if name.eq_ignore_ascii_case(MAXWELL) {
        return Ok(Machine::Maxwell);
    }
    let known = || [names(), vec![MAXWELL]].concat();
    find_chip(name).map(Machine::R600).ok_or_else(|| unknown(name, &known()))
}

fn parse_r600(name: &str) -> Result<Chip, String> {
    find_chip(name).ok_or_else(|| unknown(name, &names()))
}

/// A chip alone, for what is compiled.
pub(crate) fn parse_chip(name: &str) -> Result<Chip, String> {
    let known = || Chip::ALL.iter().map(|chip| chip.name()).collect::<Vec<_>>();
    Chip::from_name(name).ok_or_else(|| unknown(name, &known()))
}

fn unknown(name: &str, known: &[&str]) -> String {
    let near = nearest(name, known.iter().copied());
    let near = near.map(|near| format!("did you mean `{near}`? "));
    format!("{}there are {}", near.unwrap_or_default(), known.join(", "))
}

/// Programs beyond this many words are not tried for what they might be: that takes as long as listing them.
pub(crate) const MOST_WORDS: usize = 1 << 20;

/// Whether words are a program that breaks no rule of the hardware.
pub(crate) fn could_run(words: &[u32], generation: Generation) -> bool {
    let is_good = |program: Program| {
        program.verify().iter().all(|broken| broken.rule.severity() != Severity::Error)
    };
    (1..=MOST_WORDS).contains(&words.len()) && is_good(Program::decode(words, generation))
}

impl Target {
    /// The family of its instruction set.
    pub(crate) fn family(self) -> Family {
        match self.chip {
            Machine::R600(chip) => Family::R600(chip.generation()),
            Machine::Maxwell => Family::Maxwell,
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
