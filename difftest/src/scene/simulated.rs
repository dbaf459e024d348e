//! The scene as the simulator reads it.

use r600_sim::{Buffer, BufferFormat, Lod, Resources, TextureQuery, TextureRequest};

use super::{SIZE, Scene, dimensions};

/// The fetch resource of sampler view 0, and the sizes of a constant buffer's elements.
const FIRST_VIEW: u32 = 18;
const VECTOR_BYTES: u32 = 16;
/// Four floats, as constant buffers are fetched.
const VECTOR_FORMAT: BufferFormat = BufferFormat { data: 0x23, number: 2, is_signed: true };

/// The driver's own constant buffer: all samples lie in the centre of their pixel.
const DRIVER_BUFFER: u32 = 15;
const MAX_SAMPLES: usize = 16;

/// Gives a scene to the simulator.
#[derive(Clone, Copy, Debug)]
pub struct Simulated<'a>(pub &'a Scene);

impl Resources for Simulated<'_> {
    fn constant(&self, bank: u32, index: u32) -> Option<[u32; 4]> {
        self.0.constant(bank, index)
    }

    fn buffer(&self, resource: u32) -> Option<Buffer<'_>> {
        if resource == DRIVER_BUFFER {
            let words = &[0; 4 * MAX_SAMPLES];
            return Some(Buffer { words, stride: VECTOR_BYTES, format: VECTOR_FORMAT });
        }
        let words = self.0.buffer_words(resource)?;
        Some(Buffer { words, stride: VECTOR_BYTES, format: VECTOR_FORMAT })
    }

    fn texture(&mut self, request: &TextureRequest) -> Option<[[u32; 4]; 4]> {
        let unit = request.resource.checked_sub(FIRST_VIEW)?;
        let num_coordinates = dimensions(self.0.target(unit)?)?;
        let answer = |lane: usize| match request.query {
            TextureQuery::Size => SIZE,
            _ => color(request, (unit, num_coordinates), lane),
        };
        Some([answer(0), answer(1), answer(2), answer(3)])
    }
}

/// The formula of the scene's textures, for one lane of a request.
fn color(request: &TextureRequest, (unit, num_coordinates): (u32, usize), lane: usize) -> [u32; 4] {
    let is_load = request.query == TextureQuery::Load;
    let read = |bits: u32| if is_load { bits as i32 as f32 } else { f32::from_bits(bits) };
    let coordinate = |n: usize| match request.coordinates[lane][n] {
        _ if n >= num_coordinates => 0.0,
        bits if is_load => bits.wrapping_add((request.offset[n] / 2) as u32) as i32 as f32,
        bits => f32::from_bits(bits),
    };
    let level = match request.query {
        TextureQuery::Sample { lod: Lod::Bias(lod) | Lod::Explicit(lod), .. } => {
            f32::from_bits(lod[lane])
        }
        TextureQuery::Load => read(request.coordinates[lane][3]),
        _ => 0.0,
    };
    // Offsets come in half texels.
    let shift = match request.offset {
        _ if is_load => 0.0,
        offset => offset.iter().take(num_coordinates.min(2)).map(|&half| half as f32 / 2.0).sum(),
    };
    let squash = |value: f32| value / (value.abs() + 1.0);
    let [s, t, r] = [0, 1, 2].map(|n| squash(coordinate(n)));
    let common = 0.5 + unit as f32 * 0.05 + r * 0.04 + squash(level) * 0.02 + shift * 0.01;
    let channel = |c: f32| common + s * (0.02 * c + 0.1) + t * (0.03 * c + 0.05);
    [channel(0.0), channel(1.0), channel(2.0), channel(3.0)].map(f32::to_bits)
}
