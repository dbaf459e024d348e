//! Texture accesses that a shader can request.

use alloc::vec::Vec;

use crate::component::ComponentMask;
use crate::generated::enums::{Lod, ParamA};
use crate::index::TexIndex;
use crate::register::{Guard, Pred};

use super::error::PackError;

/// A texture access before instruction selection. `T` is the type of the caller's values.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Request<T> {
    /// Whether the texture is filtered.
    pub access: Access,
    /// The shape.
    pub shape: ParamA,
    /// The coordinates, as many as the shape has, the layer left out.
    pub coords: Vec<T>,
    /// The layer, for shapes with layers: an integer of 16 bits.
    pub array: Option<T>,
    /// Header and sampler.
    pub texture: TextureArg<T>,
    /// How the level of detail is chosen.
    pub lod: LodArg<T>,
    /// The least level of detail, unsigned 4.8 fixed point.
    pub clamp: Option<T>,
    /// The word with texel offsets, see [`Offsets`](crate::Offsets).
    pub offsets: Option<T>,
    /// The value that depth is compared with.
    pub reference: Option<T>,
    /// The number of the sample.
    pub sample: Option<T>,
    /// The requested components.
    pub mask: ComponentMask,
    /// The type of the results.
    pub data: Data,
    /// The guard.
    pub guard: Guard,
    /// Destination of the sparse texture status; PT for none.
    pub status: Pred,
    /// Whether no derivative of the result is taken.
    pub nodep: bool,
    /// Whether the quad counts as not divergent.
    pub ndv: bool,
}

/// Whether an access filters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Access {
    /// Through the sampler, by float coordinates: TEX.
    Sample,
    /// One texel by integer coordinates: TLDS.
    Load,
    /// One texel, by the instruction that takes fewer registers.
    ///
    /// The caller must bind a sampler that neither filters nor normalises, so that TEX finds the same texel. It
    /// supplies the coordinates as floats or integers once the instruction is known: see
    /// [`Value::tex_format`](crate::Value::tex_format) and [`Value::tlds_format`](crate::Value::tlds_format).
    Nearest,
}

/// Where header and sampler come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum TextureArg<T> {
    /// A word of the constant bank.
    Indexed(TexIndex),
    /// A value, see [`Handle`](crate::Handle).
    Bindless(T),
}

/// How the level of detail is chosen, with its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum LodArg<T> {
    /// From derivatives.
    Implicit,
    /// The finest level.
    Zero,
    /// From derivatives, plus this bias.
    Bias(T),
    /// This level.
    Level(T),
    /// As [`Bias`](Self::Bias), averaged across the quad.
    AveragedBias(T),
    /// As [`Level`](Self::Level), averaged across the quad.
    AveragedLevel(T),
}

impl<T> LodArg<T> {
    /// The mode in an instruction.
    pub const fn lod(&self) -> Lod {
        match self {
            Self::Implicit => Lod::Implicit,
            Self::Zero => Lod::Lz,
            Self::Bias(_) => Lod::Lb,
            Self::Level(_) => Lod::Ll,
            Self::AveragedBias(_) => Lod::Lba,
            Self::AveragedLevel(_) => Lod::Lla,
        }
    }

    /// The bias or level.
    pub const fn value(&self) -> Option<&T> {
        match self {
            Self::Implicit | Self::Zero => None,
            Self::Bias(value)
            | Self::Level(value)
            | Self::AveragedBias(value)
            | Self::AveragedLevel(value) => Some(value),
        }
    }
}

/// The type of the results.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Data {
    /// Components of 32 bits, floats or integers.
    Word,
    /// 16-bit floats, two per register (`.F16`).
    Half,
    /// The same from an integer texture, which no generation supports.
    HalfOfInteger,
}

impl<T> Request<T> {
    /// A plain filtered access: level of detail from derivatives, all components.
    pub const fn new(shape: ParamA, index: TexIndex, coords: Vec<T>) -> Self {
        Self {
            access: Access::Sample,
            shape,
            coords,
            array: None,
            texture: TextureArg::Indexed(index),
            lod: LodArg::Implicit,
            clamp: None,
            offsets: None,
            reference: None,
            sample: None,
            mask: ComponentMask::ALL,
            data: Data::Word,
            guard: Guard::ALWAYS,
            status: Pred::PT,
            nodep: false,
            ndv: false,
        }
    }

    /// Checks the request itself, independent of the instruction.
    pub(super) fn check(&self) -> Result<(), PackError> {
        let (shape, wanted, given) = (self.shape, self.shape.num_coords(), self.coords.len());
        if wanted != given {
            return Err(PackError::Coordinates { shape, wanted, given });
        }
        if self.array.is_some() != shape.is_array() {
            return Err(PackError::Layer { shape });
        }
        if self.mask.is_empty() { Err(PackError::EmptyMask) } else { Ok(()) }
    }
}
