//! Targets of machine code, as named by flags.

use clap::Args;
use r600_isa::verify::{Setting, Severity};
use r600_isa::{Chip, Generation, Program};

use crate::nearest::nearest;

/// The target of machine code.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Target {
    /// Chip: rv610, rv770, latte, cedar, hd6970 and their siblings; a generation: r600, r700, evergreen or cayman (r600
    /// and cayman mean the generation here; the chips are hd2900 and hd6970); or maxwell, for its texture instructions.
    #[arg(
        long,
        value_name = "CHIP",
        visible_aliases = ["isa", "generation"],
        value_parser = parse_machine
    )]
    chip: Machine,
}

/// The target of a program for the R600 family.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct R600Target {
    /// Chip: rv610, rv770, latte, cedar, hd6970 and their siblings; or a generation: r600, r700, evergreen or cayman
    /// (r600 and cayman mean the generation here; the chips are hd2900 and hd6970).
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
    /// A chip of the R600 family.
    Chip(Chip),
    /// Any chip of a generation of that family.
    Generation(Generation),
    Maxwell,
}

/// The name of the target outside the R600 family.
const MAXWELL: &str = "maxwell";

/// Generations by name, each represented by a chip.
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

/// The chip that represents the generation with this name. A name of both a chip and a generation means the generation.
fn find_generation(name: &str) -> Option<Chip> {
    let generation = GENERATIONS.iter().find(|(own, _)| own.eq_ignore_ascii_case(name));
    generation.map(|(_, chip)| *chip)
}

fn find_chip(name: &str) -> Option<Chip> {
    find_generation(name).or_else(|| Chip::from_name(name))
}

fn parse_machine(name: &str) -> Result<Machine, String> {
    if name.eq_ignore_ascii_case(MAXWELL) {
        return Ok(Machine::Maxwell);
    }
    if let Some(chip) = find_generation(name) {
        return Ok(Machine::Generation(chip.generation()));
    }
    let known = || [names(), vec![MAXWELL]].concat();
    Chip::from_name(name).map(Machine::Chip).ok_or_else(|| unknown(name, &known()))
}

fn parse_r600(name: &str) -> Result<Chip, String> {
    find_chip(name).ok_or_else(|| unknown(name, &names()))
}

/// Parses a chip, for commands that compile.
pub(crate) fn parse_chip(name: &str) -> Result<Chip, String> {
    let known = || Chip::ALL.iter().map(|chip| chip.name()).collect::<Vec<_>>();
    Chip::from_name(name).ok_or_else(|| unknown(name, &known()))
}

fn unknown(name: &str, known: &[&str]) -> String {
    let near = nearest(name, known.iter().copied());
    let near = near.map(|near| format!("did you mean `{near}`? "));
    format!("{}there are {}", near.unwrap_or_default(), known.join(", "))
}

/// Maximum size in words of programs that are checked for being something else, since the check takes as long as
/// listing them.
pub(crate) const MOST_WORDS: usize = 1 << 20;

/// Whether words are a program that breaks no rule of the hardware.
pub(crate) fn could_run(words: &[u32], generation: Generation) -> bool {
    let is_good = |program: Program| {
        program.verify().iter().all(|broken| broken.rule.severity() != Severity::Error)
    };
    (1..=MOST_WORDS).contains(&words.len()) && is_good(Program::decode(words, generation))
}

impl Target {
    /// The family of the target's instruction set.
    pub(crate) fn family(self) -> Family {
        match self.chip {
            Machine::Chip(chip) => Family::R600(chip.generation()),
            Machine::Generation(generation) => Family::R600(generation),
            Machine::Maxwell => Family::Maxwell,
        }
    }

    /// The setting for the verifier. It includes the chip if one was named, or if the chips of the generation do not
    /// differ.
    pub(crate) fn setting(self) -> Setting {
        let chip = match self.chip {
            Machine::Chip(chip) => Some(chip),
            Machine::Generation(generation) => chip_like_all(generation),
            Machine::Maxwell => None,
        };
        Setting { chip, ..Setting::default() }
    }
}

/// A chip of a generation, if its chips do not differ in what the verifier checks: the features that they lack and
/// their hardware bugs.
fn chip_like_all(generation: Generation) -> Option<Chip> {
    let asked = |chip: Chip| {
        let info = chip.info();
        (info.hazards, info.has_doubles, info.stack_entry_size, info.wavefront_size)
    };
    let mut chips = Chip::ALL.iter().copied().filter(|chip| chip.generation() == generation);
    let first = chips.next()?;
    chips.all(|chip| asked(chip) == asked(first)).then_some(first)
}

/// The family of an instruction set. Each has its own assembler and disassembler.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// The R600 family of AMD GPUs, 32-bit words.
    R600(Generation),
    /// Maxwell, 64-bit words.
    Maxwell,
}
