//! The level of detail.

use super::{Filter, MipFilter, Sampler, Texture, TextureShape, cube};

/// How the levels of a texture make a sample.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Detail {
    pub(super) filter: Filter,
    /// The first level, and the second one with its weight.
    pub(super) level: usize,
    pub(super) blend: Option<f32>,
}

/// How many texels of the first level a step by `change` covers; the level of detail is the logarithm of the longer of
/// two.
pub(super) fn step_length(
    texture: &Texture,
    is_normalized: bool,
    coordinates: [f32; 3],
    change: [f32; 3],
) -> f32 {
    let size = texture.level(0).size.map(|n| if is_normalized { n as f32 } else { 1.0 });
    let axes = match texture.shape() {
        TextureShape::D1 => 1,
        TextureShape::D2 | TextureShape::Cube => 2,
        TextureShape::D3 => 3,
    };
    let change = match texture.shape() {
        TextureShape::Cube => cube::project_change(coordinates, change),
        _ => change,
    };
    let squares = (0..axes).map(|n| (change[n] * size[n]).powi(2));
    squares.sum::<f32>().sqrt()
}

/// The level of detail within the limits; a NaN is the least.
pub(super) fn limited(sampler: &Sampler, lod: f32) -> f32 {
    lod.max(sampler.min_lod).min(sampler.max_lod)
}

/// What to do for a level of detail that is within the limits.
pub(super) fn choose(texture: &Texture, sampler: &Sampler, lod: f32) -> Detail {
    let last = texture.num_levels() as usize - 1;
    let filter = if lod > 0.0 { sampler.min } else { sampler.mag };
    let lod = lod.clamp(0.0, last as f32);
    match sampler.mip {
        MipFilter::None => Detail { filter, level: 0, blend: None },
        MipFilter::Nearest => Detail { filter, level: (lod + 0.5).floor() as usize, blend: None },
        MipFilter::Linear => {
            let fraction = lod - lod.floor();
            let blend = (fraction > 0.0).then_some(fraction);
            Detail { filter, level: lod as usize, blend }
        }
    }
}
