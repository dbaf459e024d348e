//! The reader of SPIR-V: whatever the words, a shader or an error; and a shader that comes out is valid.

use tgsi_ir::validate::{Profile, is_valid, validate};
use tgsi_spirv::testing::{LOOP, RED};
use tgsi_spirv::{Options, translate_words};

use crate::target::{Form, Target};
use crate::words::{bytes, words};

pub(super) const TARGET: Target =
    Target { name: "spirv", form: Form::Words, seeds, check, needs: Target::NOTHING };

fn seeds(_: &[String]) -> Vec<Vec<u8>> {
    [RED, LOOP].map(bytes).into()
}

fn check(input: &[u8]) -> Option<String> {
    let words = words(input);
    // A few instructions may call each other until the limit; a low one keeps the memory in proportion.
    let options = Options::default().max_instructions(64 + 16 * words.len());
    let list = translate_words(&words, &options).ok()?;
    list.iter().find_map(|one| {
        let findings = validate(&one.shader, Profile::Full);
        (!is_valid(&findings)).then(|| format!("an invalid shader: {findings:?}"))
    })
}
