//! Words that list as rubbish: what they look like, and what reads them.

use r600_isa::verify::Severity;
use r600_isa::{Chip, Generation, Program};

use crate::problem::{self, Finding, Place};

/// Programs beyond this many words are not read in other ways: it would take as long again for each.
const MOST_WORDS: usize = 1 << 20;

/// The bytes `Gfx2`, with which the Wii U's shader files begin.
const SHADER_FILE: u32 = u32::from_le_bytes(*b"Gfx2");

/// A warning where `words` are no program that could run but look like something else.
pub(super) fn doubt(words: &[u32], generation: Generation) -> Option<Finding> {
    let warning = |message: String, help: String| Finding {
        severity: problem::Severity::Warning,
        ..Finding::error(message, Place::Whole).with_help(help)
    };
    if words.first() == Some(&SHADER_FILE) {
        let message = "it is a shader file of the Wii U, and listed as words".to_owned();
        return Some(warning(message, "`tgsi unlink` lists its shaders".to_owned()));
    }
    let is_program = |words: &[u32], generation| runs(&Program::decode(words, generation));
    if words.is_empty() || words.len() > MOST_WORDS || is_program(words, generation) {
        return None;
    }
    let swapped: Vec<u32> = words.iter().map(|word| word.swap_bytes()).collect();
    if is_program(&swapped, generation) {
        let message = "the words look big-endian".to_owned();
        return Some(warning(message, "`--big-endian` reads them".to_owned()));
    }
    let others = Generation::ALL.into_iter().filter(|&other| other != generation);
    if let Some(other) = others.into_iter().find(|&other| is_program(words, other)) {
        let chip = Chip::ALL.iter().find(|chip| chip.generation() == other)?;
        let message = format!("it looks like a program for {}", other.name());
        return Some(warning(message, format!("`--chip {}` reads it", chip.name())));
    }
    let message = "no chip could run this: it may be cut short, or no program".to_owned();
    Some(warning(message, "`--verify` names the first broken rules".to_owned()))
}

/// Whether a program breaks no rule of the hardware.
fn runs(program: &Program) -> bool {
    program.verify().iter().all(|broken| broken.rule.severity() != Severity::Error)
}
