//! What a shader reads and writes besides its inputs and outputs.

mod image;
mod memory;
mod texture;

pub use image::{AtomicOp, ImageAccess, ImageOperation};
pub use memory::Space;
pub use texture::{TextureAccess, TextureQuery};

pub(crate) use texture::Shape;

/// One vector for each lane of a quad: 0 top left, 1 top right, 2 bottom left, 3 bottom right.
pub type Quad = [[u32; 4]; 4];

/// A provider of constants, textures, images and memory.
///
/// Every method has an answer for "not there", so that a launch implements only what its shader uses.
pub trait Resources {
    /// Vector `index` of constant buffer `buffer`, as bits. What is not there reads as zeros.
    ///
    /// Constants do not change during a run: those with fixed numbers are read once, at its start.
    fn constant(&self, buffer: u32, index: u32) -> Option<[u32; 4]> {
        let _ = (buffer, index);
        None
    }

    /// The texels of a quad, as bits, or what else is asked of a texture. Without it the run stops.
    fn texture(&mut self, access: &TextureAccess) -> Option<Quad> {
        let _ = access;
        None
    }

    /// Reads or changes an image; answers texels, old words in the first channel, or a size. Without it the run stops.
    fn image(&mut self, access: &ImageAccess) -> Option<Quad> {
        let _ = access;
        None
    }

    /// The bytes of a buffer or of shared memory, in little-endian order. What is not there has no
    /// bytes: it reads as zeros, and what is written is lost.
    fn memory(&mut self, space: Space) -> Option<&mut [u8]> {
        let _ = space;
        None
    }

    /// Whether a run goes on where an access of `space` from byte `address` on is not at a word, or where not all of it is
    /// there. It reads zeros then, and loses what it writes; who compares with hardware, which may do otherwise, stops
    /// here.
    fn goes_on_outside(&self, space: Space, address: u64) -> bool {
        let _ = (space, address);
        true
    }

    /// Whether a run goes on where an index leads to a constant buffer, a buffer, an image, a sampler or a view that the shader
    /// does not declare, or not in the array that it names.
    /// What the launch has there is read and written then; code on a chip may take a declared one, or none.
    fn goes_on_undeclared(&self) -> bool {
        true
    }

    /// The colours that output `output` holds under the quad.
    fn framebuffer(&mut self, output: u32) -> Option<Quad> {
        let _ = output;
        None
    }

    /// `IN[input]` interpolated at a place in each lane's pixel, as offsets from its centre; `None`
    /// for what the quad's own differences give.
    fn interpolate(&mut self, input: u32, offsets: [[f32; 2]; 4]) -> Option<Quad> {
        let _ = (input, offsets);
        None
    }

    /// Where a sample lies, as an offset from the pixel's centre.
    fn sample_offset(&self, sample: u32) -> [f32; 2] {
        let _ = sample;
        [0.0; 2]
    }

    /// A time counter; `None` for the number of steps taken, which is the same in every run.
    fn clock(&mut self) -> Option<u64> {
        None
    }
}

/// A launch without constants, textures, images and memory.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoResources;

impl Resources for NoResources {}
