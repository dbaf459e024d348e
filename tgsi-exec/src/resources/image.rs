//! Images.

use tgsi_ir::{Format, TextureTarget};

use super::Quad;

/// An image access of one quad.
#[derive(Clone, Debug, PartialEq)]
pub struct ImageAccess {
    /// Image unit.
    pub unit: u32,
    /// Shape of the image.
    pub target: TextureTarget,
    /// Texel format; `Format::NONE` where the shader leaves it open.
    pub format: Format,
    /// What is done.
    pub operation: ImageOperation,
    /// Position of each lane, integers in the order of the target, the sample in w.
    pub coordinates: Quad,
    /// What is written or combined, of each lane.
    pub values: Quad,
    /// What `Compare` compares with, of each lane.
    pub comparands: Quad,
    /// Which lanes run. Writes of other lanes must not happen.
    pub active: [bool; 4],
}

/// What an image access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageOperation {
    /// Answers texels.
    Load,
    /// Writes texels; the answer is not looked at.
    Store,
    /// Changes x of each texel and answers what was there before, lane after lane.
    Atomic(AtomicOp),
    /// Answers width, height, depth or layers, and samples, as integers.
    Size,
}

/// What an atomic operation makes of the old word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicOp {
    /// The sum of integers.
    Add,
    /// The sum of floats.
    FloatAdd,
    /// The value.
    Exchange,
    /// The value where the old word is the comparand, else the old word.
    Compare,
    /// Common bits.
    And,
    /// Bits of either.
    Or,
    /// Bits of just one.
    Xor,
    /// The smaller unsigned integer.
    MinUnsigned,
    /// The larger unsigned integer.
    MaxUnsigned,
    /// The smaller signed integer.
    MinSigned,
    /// The larger signed integer.
    MaxSigned,
    /// One more, or 0 where the old word has reached the value.
    IncrementWrap,
    /// One less, or the value where the old word is 0 or above the value.
    DecrementWrap,
}

impl AtomicOp {
    /// The new word.
    #[must_use]
    pub fn apply(self, old: u32, value: u32, comparand: u32) -> u32 {
        match self {
            Self::Add => old.wrapping_add(value),
            Self::FloatAdd => (f32::from_bits(old) + f32::from_bits(value)).to_bits(),
            Self::Exchange => value,
            Self::Compare if old == comparand => value,
            Self::Compare => old,
            Self::And => old & value,
            Self::Or => old | value,
            Self::Xor => old ^ value,
            Self::MinUnsigned => old.min(value),
            Self::MaxUnsigned => old.max(value),
            Self::MinSigned => (old as i32).min(value as i32) as u32,
            Self::MaxSigned => (old as i32).max(value as i32) as u32,
            Self::IncrementWrap if old >= value => 0,
            Self::IncrementWrap => old + 1,
            Self::DecrementWrap if old == 0 || old > value => value,
            Self::DecrementWrap => old - 1,
        }
    }
}
