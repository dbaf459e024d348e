//! What a function finds: registers on entry, constants, and what fetches and other units answer.

use crate::random::Random;

use super::word::Word;

/// What random words look like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flavor {
    /// Floats of ordinary size.
    Floats,
    /// Small integers and masks.
    Integers,
    /// Floats, integers, and words at the edges of both.
    Edges,
}

impl Flavor {
    /// Every flavor.
    pub(super) const ALL: [Self; 3] = [Self::Floats, Self::Integers, Self::Edges];
}

/// Floats that rewrites look for.
const SPECIAL: [f32; 8] = [0.0, 1.0, -1.0, 0.5, 2.0, 4.0, -0.25, 3.0];
/// Words at the edges: zeros, denormals, the largest and the infinite, NaN, integers.
const EDGES: [u32; 14] = [
    0x8000_0000,
    0x0000_0001,
    0x807f_ffff,
    0x0080_0000,
    0x7f7f_ffff,
    0xff7f_ffff,
    0x7f80_0000,
    0xff80_0000,
    0x7fc0_0000,
    0x7fff_ffff,
    0xffff_ffff,
    0x4f00_0000,
    0xcf00_0000,
    0x4b80_0001,
];

/// What a step may make of results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Freedom {
    /// Nothing: every bit stays.
    None,
    /// Another kind of NaN, and what approximations of the hardware leave open.
    Precise,
    /// The same, another rounding, the other zero, no denormals, and anything once something is no finite number.
    Fast,
}

/// The inputs of one run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inputs {
    pub(super) seed: u64,
    pub(super) flavor: Flavor,
    pub(super) freedom: Freedom,
}

/// One number of several.
pub(super) fn mix(parts: &[u64]) -> u64 {
    parts.iter().fold(0x51_7c_c1, |sum, part| Random::new(sum ^ part).bits())
}

impl Inputs {
    /// The word that is found at the place of number `place`.
    pub(super) fn word(&self, place: u64) -> u32 {
        let mut random = Random::new(mix(&[self.seed, place]));
        match self.flavor {
            Flavor::Floats => float(&mut random),
            Flavor::Integers => integer(&mut random),
            Flavor::Edges => match random.below(3) {
                0 => float(&mut random),
                1 => integer(&mut random),
                _ => random.pick(&EDGES),
            },
        }
    }

    /// What a unit answers that no pass knows: a function of what it is asked, of what was written before, and of
    /// nothing else. It is a smooth one of floats, so that a little stays a little.
    pub(super) fn answer(&self, label: u64, component: u64, asked: &[Word], count: u64) -> Word {
        let mut digest = Digest::new(mix(&[label, component, count]));
        for (number, word) in (0..).zip(asked) {
            digest.add([label, component, number], *word);
        }
        let Digest { number, sum, open } = digest;
        let bits = self.word(number);
        let value = f32::from_bits(bits);
        let bits = if sum != 0.0 && is_ordinary(value) { (value + sum).to_bits() } else { bits };
        Word { bits, open, kind_is_open: false }
    }
}

/// What words come to: of floats of ordinary size a sum that moves with them, of all else a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digest {
    pub(super) number: u64,
    pub(super) sum: f32,
    /// Whether a pass may make anything of one of them.
    pub(super) open: bool,
}

impl Digest {
    /// That of no words yet, told from others by `number`.
    pub(super) fn new(number: u64) -> Self {
        Self { number, sum: 0.0, open: false }
    }

    /// Adds the word that stands at `place`, the last part of which counts the words.
    pub(super) fn add(&mut self, place: [u64; 3], word: Word) {
        self.open |= word.open;
        let value = f32::from_bits(word.bits);
        if value.is_nan() {
            // Of which kind it is, an operation that is gone may have said.
            self.number = mix(&[self.number, place[2]]);
        } else if is_ordinary(value) {
            self.sum += value * Random::new(mix(&place)).float(-1.0, 1.0);
        } else {
            self.number = mix(&[self.number, word.bits.into()]);
        }
    }
}

fn is_ordinary(value: f32) -> bool {
    value == 0.0 || (1e-6..1e6).contains(&value.abs())
}

fn float(random: &mut Random) -> u32 {
    match random.below(4) {
        0 => random.pick(&SPECIAL).to_bits(),
        _ => random.float(-4.0, 4.0).to_bits(),
    }
}

fn integer(random: &mut Random) -> u32 {
    match random.below(4) {
        0 => {
            if random.once_in(2) {
                u32::MAX
            } else {
                0
            }
        }
        1 => (random.below(32) as u32).wrapping_sub(16),
        _ => random.below(8) as u32,
    }
}
