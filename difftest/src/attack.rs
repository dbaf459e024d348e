//! Properties that hold for any input, however broken. There is one function for each kind of input, for use in
//! campaigns, tests and fuzz targets. Each returns a description of the violated property; `None` if all hold. It does
//! not catch panics.

use r600_codegen::OptLevel;
use r600_isa::{Chip, Program};
use r600_sim::{Declaration, Entry, Kernel, Options, Stage};
use tgsi_exec::{Inputs, Kernel as Interpreter, NoResources};
use tgsi_ir::Shader;
use tgsi_ir::validate::{Profile, is_valid, validate};
use tgsi_text::Style;

use crate::case::{Compile as _, NoProgram, OurCompiler, Target};

/// Maximum number of steps of the interpreter and the simulator.
const STEP_LIMIT: u64 = 2_000;
/// One chip of each generation.
const CHIPS: [Chip; 4] = [Chip::Rv670, Chip::Rv770, Chip::Cypress, Chip::Cayman];
/// All optimisation levels.
const LEVELS: [OptLevel; 4] = OptLevel::ALL;

/// Parses a text. If it is a shader, also prints it, and runs and compiles it if it is valid.
#[must_use]
pub fn text(text: &str, choice: u64) -> Option<String> {
    let parsed = tgsi_text::parse(text);
    if !parsed.diagnostics.is_empty() {
        return None;
    }
    let printed = tgsi_text::print(&parsed.shader, Style::Lossless);
    let again = tgsi_text::parse(&printed);
    if tgsi_text::print(&again.shader, Style::Lossless) != printed {
        return Some("what was printed does not come back".to_owned());
    }
    shader(&parsed.shader, choice)
}

/// Decodes a token stream in every form. If it is a shader and valid, also runs and compiles it.
#[must_use]
pub fn tokens(words: &[u32], choice: u64) -> Option<String> {
    if let Some(fault) = tgsi_binary::fuzzing::find_fault(words) {
        return Some(fault);
    }
    let decoded = tgsi_binary::decode(words, tgsi_ir::Dialect::default()).ok()?;
    shader(&decoded.shader, choice)
}

/// Validates a shader. If it is valid, runs and compiles it; `choice` selects chip and level.
fn shader(shader: &Shader, choice: u64) -> Option<String> {
    if !is_valid(&validate(shader, Profile::Full)) {
        return None;
    }
    if let Ok(kernel) = Interpreter::new(shader) {
        // The result does not matter, and may be an error.
        let _ = kernel.run(&Inputs::default(), STEP_LIMIT, &mut NoResources);
    }
    let choice = choice as usize;
    let chip = CHIPS[choice % CHIPS.len()];
    let level = LEVELS[choice / CHIPS.len() % LEVELS.len()];
    match OurCompiler.compile(shader, Target { chip, level, precise: choice % 24 >= 12 }) {
        Ok(program) => machine_code(&program.words, chip),
        Err(NoProgram::Failed(why)) => Some(format!("{chip:?} {level:?}: {why}")),
        Err(NoProgram::Refused(_)) => None,
    }
}

/// Decodes, re-encodes, verifies, prints and runs a program.
#[must_use]
pub fn machine_code(words: &[u32], chip: Chip) -> Option<String> {
    let program = Program::decode(words, chip.generation());
    match program.encode() {
        Ok(back) if back == words => {}
        Ok(back) => return Some(not_back(words, &back, chip)),
        Err(error) => return Some(format!("what was decoded cannot be encoded: {error}")),
    }
    program.verify();
    let _ = program.to_string();
    let declaration = Declaration { chip, stage: Stage::Pixel, num_gprs: 124, stack_entries: 8 };
    let options = Options::default().step_limit(STEP_LIMIT);
    if let Ok(kernel) = Kernel::from_words(words, declaration) {
        // The program may break a rule of the hardware.
        let _ = kernel.run(&Entry::new(1), &options, &mut r600_sim::NoResources);
    }
    None
}

/// Describes the first difference between words and their re-encoding, with its neighbours.
fn not_back(words: &[u32], back: &[u32], chip: Chip) -> String {
    let at =
        words.iter().zip(back).position(|(a, b)| a != b).unwrap_or(back.len().min(words.len()));
    let of =
        |words: &[u32]| format!("{:08x?}", &words[at.saturating_sub(1)..words.len().min(at + 2)]);
    format!(
        "{}: word {at} of {} does not come back: {} became {}",
        chip.name(),
        words.len(),
        of(words),
        of(back)
    )
}
