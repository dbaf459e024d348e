//! The decoder, the verifier, the listings and the assembler of the R600 family.

use r600_codegen::{Compiler, Options};
use r600_isa::asm::assemble;
use r600_isa::{Chip, Generation, Program, Syntax};

use crate::target::{Form, Target};
use crate::words::{bytes, words};

pub(super) const TARGET: Target =
    Target { name: "machine-code", form: Form::Words, seeds, check, needs: Target::NOTHING };

/// A chip of each generation.
const CHIPS: [Chip; 4] = [Chip::Rv670, Chip::Rv770, Chip::Cypress, Chip::Cayman];

/// The programs of the shaders that compile, for each generation.
pub(super) fn seeds(texts: &[String]) -> Vec<Vec<u8>> {
    let Ok(compiler) = Compiler::new(Options::default()) else { return Vec::new() };
    let shaders = texts.iter().map(|text| tgsi_text::parse(text).shader);
    let compiled = shaders.flat_map(|shader| {
        let compile = |&chip: &Chip| compiler.compile(&shader, chip).ok();
        CHIPS.iter().filter_map(compile).collect::<Vec<_>>()
    });
    compiled.map(|program| bytes(&program.words)).collect()
}

fn check(input: &[u8]) -> Option<String> {
    let words = words(input);
    Generation::ALL.into_iter().find_map(|generation| {
        fault_of(&words, generation).map(|fault| format!("{generation:?}: {fault}"))
    })
}

fn fault_of(words: &[u32], generation: Generation) -> Option<String> {
    let program = Program::decode(words, generation);
    if program.encode().as_deref() != Ok(words) {
        return Some("the words do not come back".to_owned());
    }
    program.verify();
    program.stats();
    for syntax in [Syntax::Amd, Syntax::Mesa] {
        program.listing_in(syntax);
    }
    let listing = program.to_string();
    match assemble(&listing, generation) {
        Ok(again) if again == words => None,
        Ok(_) => Some(format!("other words come back from\n{listing}")),
        Err(errors) => Some(format!("{:?}\n{listing}", errors.first()?)),
    }
}
