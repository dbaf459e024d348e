//! What is changed, how, and what must hold for it.

use std::fs;
use std::panic;
use std::path::Path;

use tgsi_binary::fuzzing::formats;
use tgsi_binary::{Host, encode};

use crate::random::Random;

/// A reader under test.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Target {
    Text,
    Tokens,
}

/// Shaders longer than this are no seeds: small ones are checked more often.
const MAX_SEED: usize = 4000;

/// Pieces that mean something in texts.
const PIECES: &[&str] = &[
    "", " ", "\n", "\r\n", ",", ".", "..", "[", "]", "(", ")", "{", "}", "-", "|", ":", "0", "65535",
    "99999999999999999999", "0x7fc00000", "nan", "inf", "1e40", "/*", "*/", "//", "#", ";", "DCL ", "IMM ",
    "IN", "OUT", "TEMP", "ADDR", "IMMX", "RES", "SVIEW", "COLOR", "LOCAL", "ARRAY(1)", "STREAM(0,1,2,3)",
    "FILE(15)", "SEMANTIC(47)", "TARGET(30)", "TEXTURE(2D, UNORM)", "MEMORY()", "NO_TEXTURE", "NO_MEMORY",
    "BITS(0x1)", "LOW(1)", "(PRED[0].x)", "_SAT", "_PRECISE", "MOV", "TEX", "END", "PROPERTY ", "\0", "\u{e9}",
];

/// The texts under `folder`, or their words in every form that can hold them.
pub(crate) fn seeds(target: Target, folder: &Path) -> Vec<Vec<u8>> {
    let Ok(entries) = fs::read_dir(folder) else { return vec![b"FRAG\nEND\n".to_vec()] };
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let texts = paths.iter().filter_map(|path| fs::read_to_string(path).ok());
    let small = texts.filter(|text| text.len() <= MAX_SEED);
    small
        .flat_map(|text| match target {
            Target::Text => vec![text.into_bytes()],
            Target::Tokens => formats()
                .filter_map(|format| encode(&tgsi_text::parse(&text).shader, format).ok())
                .map(|words| Host::Little.bytes(&words))
                .collect(),
        })
        .collect()
}

impl Target {
    /// What does not hold for an input; a panic is shown with its input and goes on.
    pub(crate) fn check(self, input: &[u8]) -> Option<String> {
        let outcome = panic::catch_unwind(|| match self {
            Self::Text => tgsi_text::fuzzing::find_fault(&String::from_utf8_lossy(input)),
            Self::Tokens => tgsi_binary::fuzzing::find_fault(&words(input)),
        });
        outcome.unwrap_or_else(|_| Some("it panicked".to_owned()))
    }

    /// One change at random.
    pub(crate) fn change(self, input: &mut Vec<u8>, random: &mut Random, seeds: &[Vec<u8>]) {
        match self {
            Self::Text => change_text(input, random, seeds),
            Self::Tokens => change_words(input, random, seeds),
        }
    }
}

fn words(bytes: &[u8]) -> Vec<u32> {
    bytes.as_chunks::<4>().0.iter().map(|&bytes| u32::from_le_bytes(bytes)).collect()
}

fn change_text(text: &mut Vec<u8>, random: &mut Random, seeds: &[Vec<u8>]) {
    let at = random.below(text.len() + 1);
    let end = (at + random.below(12)).min(text.len());
    match random.below(5) {
        0 => drop(text.splice(at..end, random.pick(PIECES).bytes())),
        1 => drop(text.splice(at..at, random.pick(PIECES).bytes())),
        2 => text.truncate(at),
        3 => {
            let other = random.pick(seeds);
            let start = random.below(other.len().max(1));
            let piece = &other[start..(start + random.below(60)).min(other.len())];
            text.splice(at..at, piece.iter().copied());
        }
        _ if at < text.len() => text[at] = random.next() as u8,
        _ => {}
    }
}

fn change_words(bytes: &mut Vec<u8>, random: &mut Random, seeds: &[Vec<u8>]) {
    let mut list = words(bytes);
    let at = random.below(list.len() + 1);
    match random.below(6) {
        0 if at < list.len() => list[at] ^= 1 << random.below(32),
        1 if at < list.len() => list[at] = random.next() as u32,
        2 => list.truncate(at),
        3 if at < list.len() => drop(list.remove(at)),
        4 => {
            let other: &Vec<u8> = random.pick(seeds);
            let other = words(other);
            let start = random.below(other.len().max(1));
            let piece = other[start..(start + random.below(8)).min(other.len())].to_vec();
            list.splice(at..at, piece);
        }
        _ if at < list.len() => list[at] = (list[at] & !0xFF) | (random.next() as u32 & 0xFF),
        _ => {}
    }
    // Mostly, the header goes on to tell the length.
    if random.below(8) != 0 && list.len() > 2 {
        list[0] = 2 | (list.len() as u32 - 2) << 8;
    }
    *bytes = list.iter().flat_map(|word| word.to_le_bytes()).collect();
}
