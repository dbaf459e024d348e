//! Resources that a program reads and writes outside its registers.

/// A provider of constants, buffers and textures.
///
/// Every method defaults to "not there", so a launch implements only the resources that its program uses. The simulator
/// reports missing ones. Texture coordinates arrive as the instruction delivers them; the provider interprets them.
pub trait Resources {
    /// Vector `index` of constant buffer `bank`, as bits.
    fn constant(&self, bank: u32, index: u32) -> Option<[u32; 4]> {
        let _ = (bank, index);
        None
    }

    /// The buffer behind a fetch resource.
    fn buffer(&self, resource: u32) -> Option<Buffer<'_>> {
        let _ = resource;
        None
    }

    /// The same buffer as `lane` reads it, for providers that distinguish lanes where nothing is bound.
    fn buffer_of_lane(&self, resource: u32, lane: usize) -> Option<Buffer<'_>> {
        let _ = lane;
        self.buffer(resource)
    }

    /// The texels of one quad, as bits, before the instruction's destination selects.
    fn texture(&mut self, request: &TextureRequest) -> Option<[[u32; 4]; 4]> {
        let _ = request;
        None
    }

    /// Boolean constant `index`, for conditions of control flow.
    fn bool_constant(&self, index: u8) -> Option<bool> {
        let _ = index;
        None
    }

    /// Loop constant `index`.
    fn loop_constant(&self, index: u8) -> Option<LoopConstant> {
        let _ = index;
        None
    }

    /// Performs one lane's access to a random access target. Returns the value that returning operations leave in the
    /// return buffer.
    fn random_access(&mut self, access: &RandomAccess) -> Option<[u32; 4]> {
        let _ = access;
        None
    }
}

/// A launch without any resource.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoResources;

impl Resources for NoResources {}

/// A buffer read by vertex fetches.
#[derive(Clone, Copy, Debug)]
pub struct Buffer<'a> {
    /// Contents, little-endian.
    pub words: &'a [u32],
    /// Bytes from one element to the next.
    pub stride: u32,
    /// The format used by fetches that take it from the resource.
    pub format: BufferFormat,
    /// Whether its size is in bytes. Drivers write the size that `GET_BUFFER_RESINFO` returns into the resource: in
    /// bytes for storage buffers, in elements for all others.
    pub is_sized_in_bytes: bool,
}

impl<'a> Buffer<'a> {
    /// A buffer of elements, `stride` bytes from one to the next.
    #[must_use]
    pub fn new(words: &'a [u32], stride: u32, format: BufferFormat) -> Self {
        Self { words, stride, format, is_sized_in_bytes: false }
    }

    /// A storage buffer: words, and its size in bytes.
    #[must_use]
    pub fn storage(words: &'a [u32], format: BufferFormat) -> Self {
        Self { is_sized_in_bytes: true, ..Self::new(words, 4, format) }
    }

    /// The result of `GET_BUFFER_RESINFO`.
    #[must_use]
    pub fn size(&self) -> u32 {
        let bytes = self.words.len() as u32 * 4;
        if self.is_sized_in_bytes { bytes } else { bytes / self.stride.max(1) }
    }
}

/// How the bytes of a buffer element become four channels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferFormat {
    /// `DATA_FORMAT` of the hardware.
    pub data: u32,
    /// `NUM_FORMAT` of the hardware.
    pub number: u32,
    /// Whether the channels are signed.
    pub is_signed: bool,
}

/// A counted loop's constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LoopConstant {
    /// Number of iterations.
    pub count: u32,
    /// Loop index of the first iteration.
    pub first: u32,
    /// Increment of the loop index per iteration.
    pub step: u32,
}

/// A texture access of one quad.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureRequest {
    /// The request.
    pub query: TextureQuery,
    /// Resource number, as the instruction and its index register give it.
    pub resource: u32,
    /// Sampler number.
    pub sampler: u32,
    /// The source vector of each lane, as bits.
    pub coordinates: [[u32; 4]; 4],
    /// Which of the four coordinates are normalised.
    pub normalized: [bool; 4],
    /// Offsets of the instruction, in half texels.
    pub offset: [i32; 3],
    /// Offsets by lane, in texels, of the instructions that take them.
    pub lane_offset: Option<[[u32; 4]; 4]>,
    /// Layer of a cube map array by lane, set beforehand on R600 and R700.
    pub cube_layer: Option<[u32; 4]>,
    /// The instruction's constant bias of the level of detail.
    pub lod_bias: f32,
    /// Which lanes of the quad run.
    pub active: [bool; 4],
}

/// The request of a texture access.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TextureQuery {
    /// A filtered sample.
    Sample {
        /// Where the level of detail comes from.
        lod: Lod,
        /// The reference value of each lane, of comparing samples.
        reference: Option<[u32; 4]>,
    },
    /// One component of the four texels around the position.
    Gather {
        /// The component.
        component: u8,
        /// The reference value of each lane, of comparing gathers.
        reference: Option<[u32; 4]>,
    },
    /// A texel by its integer position; w is the level, or the fragment of a multisampled texel.
    Load,
    /// Which fragment each sample of a texel has, in x: four bits a sample, the first in the lowest ones.
    Fragments,
    /// Width, height, depth or layers and number of levels at level x.
    Size,
    /// The number of samples, in w.
    Samples,
    /// The level of detail that a sample would use: as computed in x, clamped in y.
    LevelOfDetail,
}

/// Where the level of detail of a sample comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Lod {
    /// The quad's derivatives.
    Implicit,
    /// The quad's derivatives and a bias for each lane.
    Bias([u32; 4]),
    /// A level for each lane.
    Explicit([u32; 4]),
    /// Level 0.
    Zero,
    /// Gradients in x and in y of each lane, and where present a bias.
    Gradients {
        /// Change of the coordinates to the right.
        horizontal: [[u32; 4]; 4],
        /// Change of the coordinates downwards.
        vertical: [[u32; 4]; 4],
        /// Bias of each lane.
        bias: Option<[u32; 4]>,
    },
}

/// One lane's access to a random access target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RandomAccess {
    /// Number of the target.
    pub target: u32,
    /// `RAT_INST` of the hardware: which operation.
    pub operation: u32,
    /// The lane.
    pub lane: usize,
    /// The index register.
    pub index: [u32; 4],
    /// The data register.
    pub data: [u32; 4],
    /// Which channels of the data are stored.
    pub mask: u8,
}
