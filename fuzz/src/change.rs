//! Changes of good inputs that make interesting bad ones.

use difftest::mutate::{mutated_text, mutated_words};
use difftest::random::Random;

use crate::words::{bytes, words};

/// Changes of one text, at most.
const MAX_CHANGES: usize = 4;
/// Bytes or words that are taken over from another input, at most.
const MAX_PIECE: usize = 60;

/// Pieces that mean something in one of the languages.
const PIECES: &[&str] = &[
    "",
    " ",
    "\n",
    "\r\n",
    ",",
    ".",
    "..",
    "[",
    "]",
    "(",
    ")",
    "{",
    "}",
    "-",
    "|",
    ":",
    "0",
    "65535",
    "99999999999999999999",
    "0x7fc00000",
    "nan",
    "inf",
    "1e40",
    "/*",
    "*/",
    "//",
    "#",
    ";",
    "DCL ",
    "IMM ",
    "IN",
    "OUT",
    "TEMP",
    "ADDR",
    "IMMX",
    "RES",
    "SVIEW",
    "COLOR",
    "LOCAL",
    "ARRAY(1)",
    "STREAM(0,1,2,3)",
    "FILE(15)",
    "SEMANTIC(47)",
    "TARGET(30)",
    "TEXTURE(2D, UNORM)",
    "MEMORY()",
    "BITS(0x1)",
    "LOW(1)",
    "(PRED[0].x)",
    "_SAT",
    "_PRECISE",
    "MOV",
    "TEX",
    "IF",
    "ENDIF",
    "BGNLOOP",
    "ENDLOOP",
    "BRK",
    "END",
    "PROPERTY ",
    "\0",
    "\u{e9}",
    "PV.x",
    "PS",
    "R127",
    "KC0[3].y",
    "T0",
    "CLAMP",
    "VEC_201",
    "SCL_221",
    "ALU:",
    "TEX:",
    "JUMP",
    "LOOP_END",
    "&req=0x3",
    "?stall2",
    "RZ",
    ".LZ",
    ".AOFFI",
    "@!P0",
    "--help",
    "--chip",
    "=",
];

/// A text with lines and bytes changed, and pieces of the languages or of another text put in.
pub(crate) fn changed_text(seed: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let text = String::from_utf8_lossy(seed);
    let mut text = if random.once_in(2) { mutated_text(&text, random) } else { text.into_owned() }
        .into_bytes();
    for _ in 0..random.below(MAX_CHANGES) {
        let at = random.below(text.len() + 1);
        let end = (at + random.below(12)).min(text.len());
        match random.below(4) {
            0 => drop(text.splice(at..end, random.pick(PIECES).bytes())),
            1 => drop(text.splice(at..at, random.pick(PIECES).bytes())),
            2 => drop(text.splice(at..at, piece(other, random))),
            _ => text.truncate(text.len() - (text.len() - at) / 8),
        }
    }
    text
}

fn piece(other: &[u8], random: &mut Random) -> Vec<u8> {
    let start = random.below(other.len());
    let end = (start + random.below(MAX_PIECE)).min(other.len());
    other[start..end].to_vec()
}

/// Words with some changed, cut, swapped or doubled, or taken over from another input.
pub(crate) fn changed_words(seed: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut list = mutated_words(&words(seed), random);
    if random.once_in(4) {
        let at = random.below(list.len() + 1);
        list.splice(at..at, words(&piece(other, random)));
    }
    bytes(&list)
}

/// The same of a token stream; mostly, its header goes on to tell the length.
pub(crate) fn changed_stream(seed: &[u8], other: &[u8], random: &mut Random) -> Vec<u8> {
    let mut list = words(&changed_words(seed, other, random));
    if !random.once_in(8) && list.len() > 2 {
        list[0] = 2 | (list.len() as u32 - 2) << 8;
    }
    bytes(&list)
}
