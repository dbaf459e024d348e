//! Resources that a shader reads and writes besides its inputs and outputs.

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
/// Every method has a default for "not there", so a launch implements only what its shader uses.
pub trait Resources {
    /// Vector `index` of constant buffer `buffer`, as bits. Missing vectors read as zeros.
    ///
    /// Constants do not change during a run: those with fixed numbers are read once, at the start.
    fn constant(&self, buffer: u32, index: u32) -> Option<[u32; 4]> {
        let _ = (buffer, index);
        None
    }

    /// The texels of a quad, as bits, or the result of another texture query. `None` stops the run.
    fn texture(&mut self, access: &TextureAccess) -> Option<Quad> {
        let _ = access;
        None
    }

    /// Reads or changes an image. Returns texels, old words in the first channel, or a size. `None` stops the run.
    fn image(&mut self, access: &ImageAccess) -> Option<Quad> {
        let _ = access;
        None
    }

    /// The bytes of a buffer or of shared memory, in little-endian order. Missing memory has no bytes: it reads as
    /// zeros, and writes are lost.
    fn memory(&mut self, space: Space) -> Option<&mut [u8]> {
        let _ = space;
        None
    }

    /// What an atomic operation gives in a lane that takes no part in it: a helper or a killed one. The language leaves
    /// it open.
    fn open_result(&mut self) -> u32 {
        0
    }

    /// Whether a run continues after an access of `space` at byte `address` that is misaligned or partly out of bounds.
    /// If so, it reads zeros and its writes are lost. Hardware may behave differently, so comparisons with hardware
    /// should stop here.
    fn goes_on_outside(&self, space: Space, address: u64) -> bool {
        let _ = (space, address);
        true
    }

    /// Whether a run continues after an index reaches a constant buffer, buffer, image, sampler or view that the shader
    /// does not declare, or not in the array that it names. If so, the access goes to the launch's resource there. Code
    /// on a chip may use a declared one, or none.
    fn goes_on_undeclared(&self) -> bool {
        true
    }

    /// The colours that output `output` holds under the quad.
    fn framebuffer(&mut self, output: u32) -> Option<Quad> {
        let _ = output;
        None
    }

    /// `IN[input]` interpolated at a position in each lane's pixel, given as an offset from its centre. `None`
    /// extrapolates from the differences within the quad.
    fn interpolate(&mut self, input: u32, offsets: [[f32; 2]; 4]) -> Option<Quad> {
        let _ = (input, offsets);
        None
    }

    /// The position of a sample, as an offset from the pixel's centre.
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
