//! Inputs of a function: registers on entry, constants, and the answers of fetches and other units.

use crate::random::Random;

use super::word::Word;

/// Distribution of the random words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flavor {
    /// Floats of ordinary size.
    Floats,
    /// Small integers and masks.
    Integers,
    /// Floats, integers, and edge cases of both.
    Edges,
}

impl Flavor {
    /// Every flavor.
    pub(super) const ALL: [Self; 3] = [Self::Floats, Self::Integers, Self::Edges];
}

/// Floats that rewrites match.
const SPECIAL: [f32; 8] = [0.0, 1.0, -1.0, 0.5, 2.0, 4.0, -0.25, 3.0];
/// Edge cases: zeros, denormals, the largest and infinite values, NaN, integers.
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

/// How a step may change results.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Freedom {
    /// Not at all: every bit stays.
    None,
    /// Another kind of NaN, and the freedom of hardware approximations.
    Precise,
    /// The same, another rounding, the other zero, no denormals, and anything once a value is not finite.
    Fast,
}

/// The inputs of one run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inputs {
    pub(super) seed: u64,
    pub(super) flavor: Flavor,
    pub(super) freedom: Freedom,
}

/// Hashes several numbers into one.
pub(super) fn mix(parts: &[u64]) -> u64 {
    parts.iter().fold(0x51_7c_c1, |sum, part| Random::new(sum ^ part).bits())
}

impl Inputs {
    /// The word at the place with number `place`.
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

    /// The answer of a unit, unknown to every pass. It depends only on the request and on earlier writes. It is a
    /// smooth function of floats, so a small perturbation stays small.
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

/// Digest of words: a sum of the ordinary floats, which varies smoothly, and a hash of everything else.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digest {
    pub(super) number: u64,
    pub(super) sum: f32,
    /// Whether one of the words is undefined.
    pub(super) open: bool,
}

impl Digest {
    /// The digest of no words, distinguished from others by `number`.
    pub(super) fn new(number: u64) -> Self {
        Self { number, sum: 0.0, open: false }
    }

    /// Adds the word at `place`. The last part of the place is the index of the word.
    pub(super) fn add(&mut self, place: [u64; 3], word: Word) {
        self.open |= word.open;
        let value = f32::from_bits(word.bits);
        if value.is_nan() {
            // A deleted operation may have determined its kind.
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
