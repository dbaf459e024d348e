//! A software sampler: textures in memory, filtered as the APIs specify.
//!
//! A [`Texture`] holds texels of 32-bit words: floats, or integers that are not filtered. A [`Sampler`] says how to
//! look them up. [`lookup`] performs any kind of [`TextureAccess`](crate::TextureAccess); [`Bindings`](crate::Bindings)
//! uses it for the texture units.
//!
//! ```
//! use tgsi_exec::sampler::{Filter, Sampler, Texture, TextureShape, Wrap};
//!
//! let black_and_white = vec![[0.0; 4], [1.0; 4]];
//! let texture = Texture::from_floats(TextureShape::D2, [2, 1, 1], 1, black_and_white)?;
//! let sampler = Sampler { mag: Filter::Linear, wrap: [Wrap::ClampToEdge; 3], ..Sampler::default() };
//! # let _ = (texture, sampler);
//! # Ok::<(), tgsi_exec::sampler::TextureError>(())
//! ```

mod axis;
mod components;
mod cube;
mod detail;
mod filter;
mod lookup;
mod pattern;
mod texture;

pub use crate::generated::components::Components;
pub(crate) use components::Channel;
pub use components::Convention;
pub(crate) use cube::through_face;
pub(crate) use lookup::dimensions;
pub use lookup::lookup;
pub use texture::{MAX_TEXELS, Texture, TextureError, TextureShape};

/// How texels are looked up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sampler {
    /// The wrap mode of each coordinate, outside 0…1.
    pub wrap: [Wrap; 3],
    /// The filter if texels are smaller than pixels.
    pub min: Filter,
    /// The filter if texels are larger than pixels.
    pub mag: Filter,
    /// How levels are chosen.
    pub mip: MipFilter,
    /// Added to the level of detail.
    pub lod_bias: f32,
    /// The lowest level of detail.
    pub min_lod: f32,
    /// The highest level of detail.
    pub max_lod: f32,
    /// The border colour, as bits.
    pub border: [u32; 4],
    /// Whether 1.0 is the far end of the texture, rather than the end of its first texel. Rectangle
    /// textures count texels in any case.
    pub is_normalized: bool,
    /// How the reference, if an access has one, is compared with texels.
    pub compare: Compare,
}

impl Default for Sampler {
    /// Repeating, nearest texel of the first level, compared by "less or equal".
    fn default() -> Self {
        Self {
            wrap: [Wrap::Repeat; 3],
            min: Filter::Nearest,
            mag: Filter::Nearest,
            mip: MipFilter::None,
            lod_bias: 0.0,
            min_lod: -1000.0,
            max_lod: 1000.0,
            border: [0; 4],
            is_normalized: true,
            compare: Compare::LessOrEqual,
        }
    }
}

/// The treatment of a coordinate outside the texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// The texture repeats.
    Repeat,
    /// The coordinate stops at the edge, where a linear filter blends in the border.
    Clamp,
    /// The last texel extends outwards.
    ClampToEdge,
    /// The border colour applies.
    ClampToBorder,
    /// The texture repeats, with every second repetition mirrored.
    MirrorRepeat,
    /// Mirrored once, then as `Clamp`.
    MirrorClamp,
    /// Mirrored once, then as `ClampToEdge`.
    MirrorClampToEdge,
    /// Mirrored once, then as `ClampToBorder`.
    MirrorClampToBorder,
}

/// How texels of one level form a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// The nearest texel.
    Nearest,
    /// The nearest two in each direction, weighted by distance.
    Linear,
}

/// How levels form a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MipFilter {
    /// Always the first level.
    None,
    /// The nearest level.
    Nearest,
    /// The nearest two, weighted by distance.
    Linear,
}

/// The condition that compares the reference with a texel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// Never.
    Never,
    /// The reference is less.
    Less,
    /// They are equal.
    Equal,
    /// The reference is less or equal.
    LessOrEqual,
    /// The reference is greater.
    Greater,
    /// They differ.
    NotEqual,
    /// The reference is greater or equal.
    GreaterOrEqual,
    /// Always.
    Always,
}

impl Compare {
    /// Whether the comparison holds.
    #[must_use]
    pub fn holds(self, reference: f32, texel: f32) -> bool {
        match self {
            Self::Never => false,
            Self::Less => reference < texel,
            Self::Equal => reference == texel,
            Self::LessOrEqual => reference <= texel,
            Self::Greater => reference > texel,
            Self::NotEqual => reference != texel,
            Self::GreaterOrEqual => reference >= texel,
            Self::Always => true,
        }
    }
}
