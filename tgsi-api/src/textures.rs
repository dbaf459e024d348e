//! Textures for runs without any. Every access follows a fixed rule, the same in interpreter and simulator. Results can
//! be compared, and a value shows its channel and lane.

use tgsi_ir::TextureTarget;

/// One vector for each lane of a quad.
type Quad = [[u32; 4]; 4];

/// Width, height, depth and number of levels of every texture.
pub const SIZE: [u32; 4] = [64, 32, 16, 7];

/// The size of a texture of a kind. Buffers report their number of texels in every channel, as on the chips.
pub fn size(target: TextureTarget) -> [u32; 4] {
    if target == TextureTarget::Buffer { [SIZE[0]; 4] } else { SIZE }
}

/// A sample: 100·(channel+1) + lane.
pub fn sample() -> Quad {
    texels(100.0)
}

/// The last channel of a sample in every channel: 400 + lane.
pub fn last_of_samples() -> Quad {
    sample().map(|[.., last]| [last; 4])
}

/// A texel by its position: 1000·(channel+1) + lane.
pub fn texel() -> Quad {
    texels(1000.0)
}

/// The texels of a buffer, in order, as `lane` reads them. Each is its [`texel`], wherever it is.
pub fn buffer_words(lane: usize) -> Vec<u32> {
    texel()[lane % 4].repeat(SIZE[0] as usize)
}

/// The texel of a buffer at each lane's index; zero if out of bounds.
pub fn buffer_texel(indices: [u32; 4]) -> Quad {
    let mut texels = texel();
    for (texel, _) in texels.iter_mut().zip(indices).filter(|(_, index)| *index >= SIZE[0]) {
        *texel = [0; 4];
    }
    texels
}

/// Width, height, depth or layers, and number of samples of every image.
pub const IMAGE_SIZE: [u32; 4] = [8, 4, 2, 1];

/// The size of an image of a kind. Buffers report only their number of texels.
pub fn image_size(target: TextureTarget) -> [u32; 4] {
    if target == TextureTarget::Buffer { [IMAGE_SIZE[0], 0, 0, 0] } else { IMAGE_SIZE }
}

/// A texel of an image: 200·(channel+1) + lane.
pub fn image_texel() -> Quad {
    texels(200.0)
}

/// The value that an atomic operation finds in an image: 300·(channel+1) + lane.
pub fn image_old() -> Quad {
    texels(300.0)
}

/// The level of detail: lane + 0.5 where clamped, lane + 10.25 as computed.
pub fn levels_of_detail() -> Quad {
    [0.0_f32, 1.0, 2.0, 3.0].map(|lane| [(lane + 0.5).to_bits(), (lane + 10.25).to_bits(), 0, 0])
}

fn texels(factor: f32) -> Quad {
    [0.0_f32, 1.0, 2.0, 3.0]
        .map(|lane| [1.0_f32, 2.0, 3.0, 4.0].map(|channel| (factor * channel + lane).to_bits()))
}
