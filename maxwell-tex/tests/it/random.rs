//! Random words and random text: nothing is lost, nothing stops.

use maxwell_tex::asm::parse;
use maxwell_tex::{
    Bundle, Control, Instruction, Op, Slot, Sm, Syntax, Tex, Texture, check_slot, decode, encode,
};

/// Random numbers that are the same on every run (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// Words of the three opcodes, with anything in the other bits.
fn texture_word(random: &mut Random) -> u64 {
    let word = random.next();
    match random.below(4) {
        0 => word >> 5 | 0x18 << 59,
        1 => word >> 10 | 0x37a << 54,
        2 => word >> 7 | 0x6d << 57,
        _ => word >> 7 | 0x69 << 57,
    }
}

/// The instruction as text can say it.
fn without_ignored_bits(instruction: Instruction) -> Instruction {
    match instruction {
        Instruction::Tex(tex) if tex.is_bindless() => {
            Tex { texture: Texture::Bindless { ignored: 0 }, ..tex }.into()
        }
        Instruction::Tex(_) | Instruction::Tlds(_) => instruction,
    }
}

fn check_word(word: u64, group: u32) {
    let instruction = Instruction::from_word(word).expect("the opcode is one of them");
    assert_eq!(instruction.to_word(), Ok(word), "{word:#018x}");
    for sm in Sm::ALL {
        if let Ok(same) = decode(word, sm) {
            assert_eq!(same, instruction);
            assert_eq!(encode(&same, sm), Ok(word));
        }
    }
    let op = Op::Texture(without_ignored_bits(instruction));
    let slot = Slot { op, control: Control::from_group(group) };
    let text = slot.listing(Syntax::Document).to_string();
    assert_eq!(parse(&text).slots(), [slot], "{text}");
    // Whatever it breaks, judging it ends.
    assert!(check_slot(2, &slot, Sm::Sm50).len() < 12);
}

#[test]
fn texture_words_round_trip_through_text() {
    let mut random = Random(1);
    for _ in 0..60_000 {
        let word = texture_word(&mut random);
        check_word(word, random.next() as u32 & 0x1f_ffff);
    }
}

#[test]
fn any_bundle_survives() {
    let mut random = Random(2);
    for _ in 0..20_000 {
        let words = [0; 4].map(|_| match random.below(2) {
            0 => texture_word(&mut random),
            _ => random.next(),
        });
        assert_eq!(Bundle::from_words(words).to_words(), Ok(words));
    }
}

const PIECES: &[&str] = &[
    "TEX",
    "TLDS",
    ".LZ",
    ".LL",
    ".AOFFI",
    ".MS",
    ".B",
    ".F16",
    ".P",
    ".",
    " ",
    ",",
    ";",
    "R0",
    "R254",
    "R255",
    "RZ",
    "PT",
    "P6",
    "@",
    "!",
    "0x5",
    "0x",
    "99999999999999999999",
    "2D",
    "ARRAY_CUBE",
    "RGBA",
    "INVALID5",
    "&req={0,",
    "}",
    "&wr",
    "&rd7",
    "?stall",
    "?yield",
    "?31",
    ".quad",
    "//",
    "/*",
    "*/",
    "\n",
    "é",
    "\0",
    "𝄞",
];

#[test]
fn any_text_is_read_to_its_end() {
    let mut random = Random(3);
    for _ in 0..20_000 {
        let mut text = String::new();
        for _ in 0..random.below(24) {
            text.push_str(PIECES[random.below(PIECES.len())]);
        }
        let assembly = parse(&text);
        for error in &assembly.errors {
            assert!(text.get(error.span.clone()).is_some(), "{text:?}");
            assert!(!error.to_string().is_empty());
        }
        for statement in &assembly.statements {
            let text = statement.slot.listing(Syntax::Document).to_string();
            assert_eq!(parse(&text).slots(), [statement.slot], "{text}");
        }
    }
}

#[test]
fn long_text_takes_time_in_proportion() {
    let text =
        "TEX R0, R2, 5, 2D;\n".repeat(100_000) + &"@".repeat(1_000_000) + &"/*".repeat(1_000_000);
    let assembly = parse(&text);
    assert_eq!((assembly.statements.len(), assembly.errors.len()), (100_000, 1));
}
