//! Textures.

use tgsi_ir::TextureTarget;

use super::Quad;

/// A texture access of one quad.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureAccess {
    /// Texture unit: the sampler view.
    pub unit: u32,
    /// Sampler unit; differs from `unit` only for the `SAMPLE` family.
    pub sampler: u32,
    /// Shape of the texture.
    pub target: TextureTarget,
    /// The query.
    pub query: TextureQuery,
    /// Coordinates of each lane, as bits: as many as the target has, then the layer. They are already divided if the
    /// instruction projects. Integers for texel fetches.
    pub coordinates: Quad,
    /// Depth to compare with, for each lane, if the access compares.
    pub reference: Option<[u32; 4]>,
    /// Level, bias or sample of each lane, if the query has one; floats except for fetches and sizes.
    pub lod: [u32; 4],
    /// Derivatives in x and y of each lane, if they are given.
    pub derivatives: Option<[Quad; 2]>,
    /// Texel offsets of each lane, integers.
    pub offsets: Quad,
    /// Separate offsets of each of the four texels, for gathers that have them.
    pub gather_offsets: Option<Box<[Quad; 4]>>,
    /// The active lanes.
    pub active: [bool; 4],
}

/// The query of a texture access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureQuery {
    /// A sample with the level of detail from the quad's derivatives. Fragment shaders only; other stages give a level.
    Sample,
    /// As [`TextureQuery::Sample`], with a bias added.
    SampleBias,
    /// A sample at a given level.
    SampleLevel,
    /// A sample with given derivatives.
    SampleGradients,
    /// A texel by its integer position.
    Fetch,
    /// A texel of one sample; `lod` is its number.
    FetchSample,
    /// One channel of the four texels around a position, in the order −+, ++, +−, −−; `lod` is the channel number.
    Gather,
    /// Width, height, depth or layers, and number of levels.
    Size,
    /// x: the level of detail that a sample would use; y: the same before clamping.
    LevelOfDetail,
    /// x: the number of samples per texel.
    SampleCount,
    /// xy: the position of sample `lod` in its pixel.
    SamplePosition,
}

impl TextureQuery {
    /// Whether the level of detail is computed: from the quad, or from given derivatives.
    pub(crate) fn is_sampled(self) -> bool {
        self.takes_differences() || self == Self::SampleGradients
    }

    /// Whether the level of detail comes from the differences between the quad's coordinates.
    #[must_use]
    pub fn takes_differences(self) -> bool {
        matches!(self, Self::Sample | Self::SampleBias | Self::LevelOfDetail)
    }
}

/// The meaning of the coordinates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Coordinates besides the layer.
    pub(crate) dimensions: usize,
    /// The coordinate that is the layer.
    pub(crate) layer: Option<usize>,
}

impl Shape {
    /// The shape of a target; an unknown target has four coordinates.
    pub(crate) fn of(target: TextureTarget) -> Self {
        let count = target.coordinates().map_or(4, usize::from);
        let is_layered = matches!(
            target,
            TextureTarget::D1Array
                | TextureTarget::D2Array
                | TextureTarget::Shadow1dArray
                | TextureTarget::Shadow2dArray
                | TextureTarget::D2ArrayMsaa
                | TextureTarget::CubeArray
                | TextureTarget::ShadowcubeArray
        );
        let dimensions = if is_layered { count - 1 } else { count };
        Self { dimensions, layer: is_layered.then_some(dimensions) }
    }
}
