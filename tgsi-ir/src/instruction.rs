//! Instructions.

use arrayvec::ArrayVec;

use crate::{Dst, File, Format, Opcode, ReturnType, Src, Swizzle, TextureTarget};

/// How a result is clamped before it is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Saturate {
    /// No clamp.
    #[default]
    None,
    /// Clamped to 0…1 (`_SAT`); a NaN becomes 0.
    ZeroOne,
    /// Clamped to −1…1 (`_SATNV`), only in layouts before Mesa 11.0.
    MinusPlusOne,
    /// The fourth value of the two-bit field of those layouts, which has no meaning.
    Reserved,
}

impl Saturate {
    /// The mode of the two-bit field of old layouts; today's field has just the lower bit.
    #[inline]
    pub const fn from_bits(bits: u8) -> Self {
        match bits & 3 {
            0 => Self::None,
            1 => Self::ZeroOne,
            2 => Self::MinusPlusOne,
            _ => Self::Reserved,
        }
    }

    /// The bits in the field of old layouts.
    #[inline]
    pub const fn bits(self) -> u8 {
        match self {
            Self::None => 0,
            Self::ZeroOne => 1,
            Self::MinusPlusOne => 2,
            Self::Reserved => 3,
        }
    }
}

/// Register predication of layouts up to Mesa 17.0: `(!PRED[0].xyzw)` before an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Predicate {
    /// Number of the predicate register.
    pub index: i16,
    /// Channel tested for each channel written.
    pub swizzle: Swizzle,
    /// Whether the test is inverted.
    pub negate: bool,
}

/// The texture target of an instruction, with its texel offsets.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Texture {
    /// Kind of texture; `Unknown` for the `SAMPLE` family, which takes it from the sampler view.
    pub target: TextureTarget,
    /// Type of the texels in the binary; text always gives [`ReturnType::Unknown`].
    pub return_type: ReturnType,
    /// Offsets added to the texel coordinates, at most four.
    pub offsets: ArrayVec<TextureOffset, 4>,
}

/// A register that holds texel offsets, integers in three channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TextureOffset {
    /// Register file.
    pub file: File,
    /// Register number.
    pub index: i16,
    /// Channels for x, y and z; the fourth is x and has no meaning.
    pub swizzle: Swizzle,
}

/// How a memory operation may be cached and reordered: a set of flags.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct MemoryQualifiers(u8);

impl MemoryQualifiers {
    /// Flags from the low four bits.
    pub const fn from_bits(bits: u8) -> Self {
        Self(bits & 15)
    }

    /// The four flags.
    pub const fn bits(self) -> u8 {
        self.0
    }
}

/// Attributes of a memory operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Memory {
    /// Caching and ordering.
    pub qualifiers: MemoryQualifiers,
    /// Kind of image; [`TextureTarget::Buffer`] when not given.
    pub target: TextureTarget,
    /// Texel format; `PIPE_FORMAT_NONE` when not given.
    pub format: Format,
}

/// One instruction with its operands.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Instruction {
    /// The operation.
    pub opcode: Opcode,
    /// Clamping of the result.
    pub saturate: Saturate,
    /// Whether value-changing rewrites are forbidden (`_PRECISE`).
    pub precise: bool,
    /// Destinations, at most two.
    pub dst: ArrayVec<Dst, 2>,
    /// Sources, at most five.
    pub src: ArrayVec<Src, 5>,
    /// Target of a branch or call: an instruction number of 24 bits.
    pub label: Option<u32>,
    /// Texture target and offsets.
    pub texture: Option<Box<Texture>>,
    /// Attributes of a memory operation.
    pub memory: Option<Memory>,
    /// Predication, in layouts up to Mesa 17.0.
    pub predicate: Option<Predicate>,
}

impl Instruction {
    /// An instruction without operands.
    #[inline]
    pub const fn new(opcode: Opcode) -> Self {
        Self {
            opcode,
            saturate: Saturate::None,
            precise: false,
            dst: ArrayVec::new_const(),
            src: ArrayVec::new_const(),
            label: None,
            texture: None,
            memory: None,
            predicate: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instructions_stay_small() {
        assert!(size_of::<Instruction>() <= 240, "{}", size_of::<Instruction>());
    }
}
