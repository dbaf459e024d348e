//! Kinds of input values.

use crate::random::Random;

/// The kind of values that a scene holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flavor {
    /// Floats of moderate size.
    Ordinary,
    /// Small whole numbers in integer form, which float code reads as denormals.
    Integers,
    /// Zeros of both signs, ones, and large and tiny numbers among ordinary ones.
    Edges,
    /// The same with infinities and NaN.
    NotNumbers,
    /// Edge cases of integers and floats, which code reads as either.
    Words,
    /// Zero, one and two as integers: loops that count to them end, and they are valid array indices.
    Counts,
    /// The same numbers as floats.
    Steps,
}

/// Small numbers and masks of both signs, the ends of each range, halves, and large or tiny numbers.
const WORDS: [u32; 40] = [
    0,
    1,
    2,
    3,
    5,
    31,
    32,
    33,
    0xff,
    0x100,
    0xffff,
    0x1_0000,
    u32::MAX,
    u32::MAX - 1,
    u32::MAX - 2,
    (-5_i32).cast_unsigned(),
    (-255_i32).cast_unsigned(),
    i32::MIN.cast_unsigned(),
    i32::MIN.cast_unsigned() + 1,
    i32::MAX.cast_unsigned(),
    f32::to_bits(1.0),
    f32::to_bits(-1.0),
    f32::to_bits(0.5),
    f32::to_bits(-0.5),
    f32::to_bits(1.5),
    f32::to_bits(-1.5),
    f32::to_bits(2.5),
    f32::to_bits(3.0),
    f32::to_bits(-7.0),
    f32::to_bits(255.0),
    f32::to_bits(65_504.0),
    f32::to_bits(16_777_217.0),
    f32::to_bits(2_147_483_648.0),
    f32::to_bits(4_294_967_296.0),
    f32::to_bits(f32::MAX),
    f32::to_bits(f32::MIN),
    f32::to_bits(f32::MIN_POSITIVE),
    f32::to_bits(1e-3),
    f32::to_bits(0.1),
    f32::to_bits(-100.0),
];

impl Flavor {
    /// The flavors that every shader runs on.
    pub const ALL: [Self; 5] =
        [Self::Ordinary, Self::Integers, Self::Edges, Self::NotNumbers, Self::Words];

    /// The tame flavors that replace one on which the interpreter does not finish.
    pub const TAME: [Self; 2] = [Self::Counts, Self::Steps];

    pub(super) fn value(self, random: &mut Random) -> u32 {
        const EDGES: [f32; 10] = [0.0, -0.0, 1.0, -1.0, 0.5, 2.0, 1e10, -1e10, 1e-10, 16_777_216.0];
        const NOT_NUMBERS: [f32; 3] = [f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
        match self {
            Self::Integers if random.once_in(2) => random.below(8) as u32,
            Self::Edges if random.once_in(3) => random.pick(&EDGES).to_bits(),
            Self::NotNumbers if random.once_in(4) => random.pick(&NOT_NUMBERS).to_bits(),
            Self::Words => random.pick(&WORDS),
            Self::Counts => random.below(3) as u32,
            Self::Steps => (random.below(3) as f32).to_bits(),
            _ => random.float(-2.0, 3.0).to_bits(),
        }
    }
}
