//! Recognises words that are not a program, and suggests what reads them.

use r600_isa::{Chip, Generation};
use tgsi_binary::TokenFormat;

use crate::input::SHADER_FILE;
use crate::isa::{MOST_WORDS, could_run};
use crate::limits;
use crate::problem::{self, Finding, Place};

/// A warning if `words` are not a valid program but look like something else.
pub(super) fn doubt(words: &[u32], generation: Generation) -> Option<Finding> {
    let warning = |message: String, help: String| Finding {
        severity: problem::Severity::Warning,
        ..Finding::error(message, Place::Whole).with_help(help)
    };
    let Some(first) = words.first() else {
        let message = "there are no words".to_owned();
        return Some(warning(
            message,
            "a program has one control-flow instruction at least".to_owned(),
        ));
    };
    if first.to_le_bytes() == SHADER_FILE {
        let message = "it is a shader file of the Wii U, and listed as words".to_owned();
        return Some(warning(message, "`tgsi unlink` lists its shaders".to_owned()));
    }
    if words.len() > MOST_WORDS || could_run(words, generation) {
        return None;
    }
    let tokens = tgsi_binary::decode_within(words, TokenFormat::default(), limits::of_shaders());
    if tokens.is_ok_and(|tokens| !tokens.shader.instructions.is_empty()) {
        let message = "it is a stream of TGSI, and listed as machine code".to_owned();
        return Some(warning(message, "`tgsi decode` prints its shader".to_owned()));
    }
    let swapped: Vec<u32> = words.iter().map(|word| word.swap_bytes()).collect();
    if could_run(&swapped, generation) {
        let message = "the words look big-endian".to_owned();
        return Some(warning(message, "`--big-endian` reads them".to_owned()));
    }
    let others = Generation::ALL.into_iter().filter(|&other| other != generation);
    if let Some(other) = others.into_iter().find(|&other| could_run(words, other)) {
        let chip = Chip::ALL.iter().find(|chip| chip.generation() == other)?;
        let message = format!("it looks like a program for {}", other.name());
        return Some(warning(message, format!("`--chip {}` reads it", chip.name())));
    }
    let message = "no chip could run this: it is cut short, or not a program".to_owned();
    Some(warning(message, "`--verify` names the first broken rules".to_owned()))
}
