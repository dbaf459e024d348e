//! What a shader reads besides its inputs.

use tgsi_ir::TextureTarget;

/// One vector for each lane of a quad: 0 top left, 1 top right, 2 bottom left, 3 bottom right.
pub type Quad = [[u32; 4]; 4];

/// A provider of constants and textures.
///
/// Every method has an answer for "not there", so that a launch implements only what its shader uses.
pub trait Resources {
    /// Vector `index` of constant buffer `buffer`, as bits. What is not there reads as zeros.
    fn constant(&self, buffer: u32, index: u32) -> Option<[u32; 4]> {
        let _ = (buffer, index);
        None
    }

    /// The texels of a quad, as bits.
    fn texture(&mut self, access: &TextureAccess) -> Option<Quad> {
        let _ = access;
        None
    }
}

/// A launch without constants and textures.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoResources;

impl Resources for NoResources {}

/// A texture access of one quad.
#[derive(Clone, Debug, PartialEq)]
pub struct TextureAccess {
    /// Texture unit.
    pub unit: u32,
    /// Shape of the texture.
    pub target: TextureTarget,
    /// What is asked.
    pub query: TextureQuery,
    /// The first source of each lane, as bits; projected where the instruction projects.
    pub coordinates: Quad,
    /// Level or bias of each lane, where the query has one.
    pub lod: [u32; 4],
    /// Derivatives in x and y of each lane, where they are given.
    pub derivatives: Option<[Quad; 2]>,
    /// Texel offsets of each lane.
    pub offsets: Quad,
    /// Which lanes run.
    pub active: [bool; 4],
}

/// What a texture access asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextureQuery {
    /// A sample, level of detail from the quad's derivatives.
    Sample,
    /// The same with a bias added.
    SampleBias,
    /// A sample at a given level.
    SampleLevel,
    /// A sample with given derivatives.
    SampleGradients,
    /// A texel by its integer position.
    Fetch,
    /// Width, height, depth or layers, and number of levels.
    Size,
}
