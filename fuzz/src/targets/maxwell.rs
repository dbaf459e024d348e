//! Maxwell's words: instructions in bundles of a control word and three others.

use maxwell_tex::asm::parse;
use maxwell_tex::{Bundle, Instruction, Sm, Syntax, check_slot, decode, encode};

use crate::target::{Form, Target};
use crate::words::{bytes, words};

pub(super) const TARGET: Target =
    Target { name: "maxwell", form: Form::Words, seeds, check, needs: Target::NOTHING };

/// Texture instructions in a bundle, with and without scheduling.
fn seeds(_: &[String]) -> Vec<Vec<u8>> {
    const TEXTS: [&str; 3] = [
        "TEX.LL R0, R4, R7, 0x5, ARRAY_2D, 0xf &wr0 ?stall2;",
        "TLDS.LZ R0, R4, R9, R11, 0x7, 2D, RGBA;",
        "TEX.B.AOFFI R4, R8, R12, 0x0, 2D, 0x7;",
    ];
    let bundled = |text: &&str| {
        let bundles = maxwell_tex::bundles(&parse(text).slots());
        let words = bundles.first()?.to_words().ok()?;
        Some(bytes(&words.map(|word| [word as u32, (word >> 32) as u32]).concat()))
    };
    TEXTS.iter().filter_map(bundled).collect()
}

fn check(input: &[u8]) -> Option<String> {
    let words: Vec<u64> = words(input)
        .as_chunks::<2>()
        .0
        .iter()
        .map(|&[low, high]| u64::from(low) | u64::from(high) << 32)
        .collect();
    let bundles = words.as_chunks::<4>().0;
    words
        .iter()
        .find_map(|&word| fault_of_word(word))
        .or_else(|| bundles.iter().find_map(fault_of_bundle))
}

fn fault_of_word(word: u64) -> Option<String> {
    let instruction = Instruction::from_word(word)?;
    if instruction.to_word() != Ok(word) {
        return Some(format!("{word:#018x} does not come back"));
    }
    let differs = |sm: &Sm| decode(word, *sm).is_ok_and(|same| encode(&same, *sm) != Ok(word));
    let sm = Sm::ALL.into_iter().find(differs)?;
    Some(format!("{word:#018x} does not come back on {sm:?}"))
}

fn fault_of_bundle(words: &[u64; 4]) -> Option<String> {
    let bundle = Bundle::from_words(*words);
    if bundle.to_words() != Ok(*words) {
        return Some(format!("the bundle {words:#018x?} does not come back"));
    }
    for (number, slot) in bundle.slots.iter().enumerate() {
        check_slot(number, slot, Sm::Sm50);
        let text = slot.listing(Syntax::Document).to_string();
        let again = parse(&text);
        if !again.errors.is_empty() {
            return Some(format!("what is printed cannot be read: {text}"));
        }
    }
    None
}
