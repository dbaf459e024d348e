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
    /// Texel format; `Format::NONE` if the shader does not specify it.
    pub format: Format,
    /// The operation.
    pub operation: ImageOperation,
    /// Position of each lane, integers in the order of the target, the sample in w.
    pub coordinates: Quad,
    /// The values to write or combine, for each lane.
    pub values: Quad,
    /// The comparands of `Compare`, for each lane.
    pub comparands: Quad,
    /// The active lanes. Other lanes must not write.
    pub active: [bool; 4],
}

/// The operation of an image access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ImageOperation {
    /// Returns texels.
    Load,
    /// Writes texels; the returned value is ignored.
    Store,
    /// Changes x of each texel and returns the old value, lane by lane.
    Atomic(AtomicOp),
    /// Returns width, height, depth or layers, and samples, as integers.
    Size,
}

/// How an atomic operation computes the new word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AtomicOp {
    /// The sum of integers.
    Add,
    /// The sum of floats.
    FloatAdd,
    /// The value.
    Exchange,
    /// The value if the old word equals the comparand, else the old word.
    Compare,
    /// Bitwise and.
    And,
    /// Bitwise or.
    Or,
    /// Bitwise exclusive or.
    Xor,
    /// The smaller unsigned integer.
    MinUnsigned,
    /// The larger unsigned integer.
    MaxUnsigned,
    /// The smaller signed integer.
    MinSigned,
    /// The larger signed integer.
    MaxSigned,
    /// The old word plus one, or 0 if it has reached the value.
    IncrementWrap,
    /// The old word minus one, or the value if the old word is 0 or above the value.
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
