//! A software sampler: textures in memory, filtered as the APIs describe it.
//!
//! A [`Texture`] holds texels of 32-bit words: floats, or integers where nothing filters them. A
//! [`Sampler`] says how to look them up. [`lookup`] answers a [`TextureAccess`](crate::TextureAccess)
//! of any kind; [`Bindings`](crate::Bindings) puts it behind the texture units.
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
    /// What happens outside 0…1, for each coordinate.
    pub wrap: [Wrap; 3],
    /// The filter where texels are smaller than pixels.
    pub min: Filter,
    /// The filter where texels are larger than pixels.
    pub mag: Filter,
    /// How levels are chosen.
    pub mip: MipFilter,
    /// Added to the level of detail.
    pub lod_bias: f32,
    /// The least level of detail.
    pub min_lod: f32,
    /// The greatest level of detail.
    pub max_lod: f32,
    /// The colour outside, as bits.
    pub border: [u32; 4],
    /// Whether 1.0 is the far end of the texture, rather than the end of its first texel. Rectangle
    /// textures count texels in any case.
    pub is_normalized: bool,
    /// How the reference is compared with texels, where an access has one.
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

/// What happens to a coordinate outside the texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// The texture repeats.
    Repeat,
    /// The coordinate stops at the end, where a linear filter mixes in the border.
    Clamp,
    /// The last texel goes on.
    ClampToEdge,
    /// The border begins.
    ClampToBorder,
    /// The texture repeats, every second time mirrored.
    MirrorRepeat,
    /// Mirrored once, then as `Clamp`.
    MirrorClamp,
    /// Mirrored once, then as `ClampToEdge`.
    MirrorClampToEdge,
    /// Mirrored once, then as `ClampToBorder`.
    MirrorClampToBorder,
}

/// How texels of one level make a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Filter {
    /// The nearest texel.
    Nearest,
    /// The nearest two in each direction, by their distance.
    Linear,
}

/// How levels make a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MipFilter {
    /// Always the first level.
    None,
    /// The nearest level.
    Nearest,
    /// The nearest two, by their distance.
    Linear,
}

/// When a comparison of the reference with a texel holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compare {
    /// Never.
    Never,
    /// Where the reference is less.
    Less,
    /// Where they are equal.
    Equal,
    /// Where the reference is less or equal.
    LessOrEqual,
    /// Where the reference is greater.
    Greater,
    /// Where they differ.
    NotEqual,
    /// Where the reference is greater or equal.
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
