//! A texture without a file: a smooth pattern with some noise, the same on every platform.

use super::texture::num_texels;
use super::{Texture, TextureError, TextureShape};

impl Texture {
    /// A pattern determined by `seed`, in 0…1, for tests and for pictures without a texture at hand.
    ///
    /// # Errors
    /// When the size is invalid.
    pub fn pattern(
        shape: TextureShape,
        size: [u32; 3],
        layers: u32,
        seed: u32,
    ) -> Result<Self, TextureError> {
        let count = num_texels(shape, size, layers)? as u32;
        let texels = (0..count).map(|index| texel(size, index, seed)).collect();
        Self::from_floats(shape, size, layers, texels)
    }
}

fn texel([width, height, depth]: [u32; 3], index: u32, seed: u32) -> [f32; 4] {
    let (x, y) = (index % width, index / width % height);
    let z = index / width / height % depth;
    let picture = index / width / height / depth;
    let in_unit = |n: u32, size: u32| (n as f32 + 0.5) / size as f32;
    let [u, v] = [in_unit(x, width), in_unit(y, height)];
    let is_odd = (x * 8 / width.max(8) + y * 8 / height.max(8) + z + picture) % 2 == 1;
    let grain = noise(index, seed) * 0.125;
    let light = if is_odd { 0.875 } else { 0.5 } - grain;
    [u * light, v * light, (1.0 - u) * light, 1.0]
}

/// A pseudo-random number in 0…1.
fn noise(index: u32, seed: u32) -> f32 {
    let mut bits = index.wrapping_mul(0x9e37_79b9) ^ seed.wrapping_mul(0x85eb_ca6b);
    bits = (bits ^ bits >> 15).wrapping_mul(0x2c1b_3c6d);
    bits = (bits ^ bits >> 12).wrapping_mul(0x297a_2d39);
    (bits >> 8) as f32 / (1 << 24) as f32
}
