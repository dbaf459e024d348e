//! Performs texture accesses.

use tgsi_ir::TextureTarget;

use super::detail::{choose, limited, step_length};
use super::filter::Lookup;
use super::{Sampler, Texture, TextureShape};
use crate::lanes::LANES;
use crate::resources::{Quad, Shape, TextureAccess, TextureQuery};

/// The ends of the rows and of the columns of a quad.
const ROWS: [[usize; 2]; 2] = [[0, 1], [2, 3]];
const COLUMNS: [[usize; 2]; 2] = [[0, 2], [1, 3]];

/// The result of `access` to `texture` through `sampler`.
#[must_use]
pub fn lookup(texture: &Texture, sampler: &Sampler, access: &TextureAccess) -> Quad {
    let levels = levels_of_detail(texture, sampler, access);
    [0, 1, 2, 3].map(|lane: usize| match access.query {
        TextureQuery::Size => size(texture, access, access.lod[lane]),
        TextureQuery::SampleCount => [1, 0, 0, 0],
        TextureQuery::SamplePosition => [0.5_f32, 0.5, 0.0, 0.0].map(f32::to_bits),
        TextureQuery::Fetch | TextureQuery::FetchSample => fetch(texture, access, lane),
        TextureQuery::Gather => gather(texture, sampler, access, lane),
        TextureQuery::LevelOfDetail => {
            let lod = levels[lane] + sampler.lod_bias;
            let last = texture.num_levels() as f32 - 1.0;
            let used = limited(sampler, lod).clamp(0.0, last);
            [used, lod, 0.0, 0.0].map(f32::to_bits)
        }
        _ => sample(texture, sampler, access, (lane, levels[lane])),
    })
}

/// The size of a level, and the number of levels.
fn size(texture: &Texture, access: &TextureAccess, level: u32) -> [u32; 4] {
    if access.target == TextureTarget::Buffer {
        // It has one level and one size, which units return in every channel.
        return [texture.level(0).size[0]; 4];
    }
    let levels = texture.num_levels();
    let [width, height, third] = dimensions(texture, access.target, level).unwrap_or_default();
    [width, height, third, levels]
}

/// Width, height or layers, and depth or layers of a level, if the level exists.
pub(crate) fn dimensions(texture: &Texture, target: TextureTarget, level: u32) -> Option<[u32; 3]> {
    let [width, height, depth] = texture.size(level)?;
    Some(match (Shape::of(target).layer, target) {
        (Some(1), _) => [width, texture.num_layers(), 0],
        (Some(_), _) => [width, height, texture.num_layers()],
        (None, TextureTarget::D3) => [width, height, depth],
        (None, _) => [width, height, 0],
    })
}

/// Texels outside are zeros.
fn fetch(texture: &Texture, access: &TextureAccess, lane: usize) -> [u32; 4] {
    let shape = Shape::of(access.target);
    let at = |n: usize| {
        let position = access.coordinates[lane][n] as i32;
        let moved = position.checked_add(access.offsets[lane][n] as i32);
        moved.and_then(|moved| u32::try_from(moved).ok())
    };
    let axis = |n: usize| if n < shape.dimensions { at(n) } else { Some(0) };
    let layer = shape.layer.map_or(0, |n| access.coordinates[lane][n]);
    // These have one level, and nothing that names it.
    let has_levels = access.query != TextureQuery::FetchSample
        && !matches!(access.target, TextureTarget::Buffer | TextureTarget::Rect);
    let level = if has_levels { access.lod[lane] } else { 0 };
    let texel = match [axis(0), axis(1), axis(2)] {
        [Some(x), Some(y), Some(z)] => texture.texel(level, layer, [x, y, z]),
        _ => None,
    };
    texel.unwrap_or_default()
}

/// The coordinates of a lane, without the layer.
fn at(access: &TextureAccess, lane: usize) -> [f32; 3] {
    let dimensions = Shape::of(access.target).dimensions;
    let mut at = [0, 1, 2].map(|n: usize| f32::from_bits(access.coordinates[lane][n]));
    at[dimensions.min(3)..].fill(0.0);
    at
}

fn lane_lookup<'a>(
    texture: &'a Texture,
    sampler: &'a Sampler,
    access: &TextureAccess,
    lane: usize,
) -> Lookup<'a> {
    let layer = Shape::of(access.target).layer;
    let layer = layer.map_or(0.0, |n| f32::from_bits(access.coordinates[lane][n]));
    Lookup {
        texture,
        sampler,
        at: at(access, lane),
        layer: (layer.round_ties_even() as u32).min(texture.num_layers() - 1),
        offset: [0, 1, 2].map(|n: usize| access.offsets[lane][n] as i32),
        is_normalized: is_normalized(sampler, access),
        reference: access.reference.map(|reference| f32::from_bits(reference[lane])),
    }
}

fn is_normalized(sampler: &Sampler, access: &TextureAccess) -> bool {
    let counts_texels = matches!(access.target, TextureTarget::Rect | TextureTarget::Shadowrect);
    sampler.is_normalized && !counts_texels
}

/// The level of detail of each lane, from the quad or from given derivatives; 0 if not needed.
fn levels_of_detail(texture: &Texture, sampler: &Sampler, access: &TextureAccess) -> [f32; LANES] {
    let is_normalized = is_normalized(sampler, access);
    let places = [0, 1, 2, 3].map(|lane| at(access, lane));
    let length = |lane: usize, change| step_length(texture, is_normalized, places[lane], change);
    let lengths = match &access.derivatives {
        _ if !access.query.is_sampled() => return [0.0; LANES],
        Some(given) => [0, 1, 2, 3].map(|lane: usize| {
            let change =
                |n: usize| [0, 1, 2].map(|axis: usize| f32::from_bits(given[n][lane][axis]));
            length(lane, change(0)).max(length(lane, change(1)))
        }),
        None => {
            let between = |lane: usize, [from, to]: [usize; 2]| {
                length(lane, [0, 1, 2].map(|n: usize| places[to][n] - places[from][n]))
            };
            match texture.shape() {
                // The step of a direction on a face depends on its position.
                TextureShape::Cube => [0, 1, 2, 3].map(|lane: usize| {
                    between(lane, ROWS[lane / 2]).max(between(lane, COLUMNS[lane % 2]))
                }),
                _ => {
                    let [rows, columns] =
                        [ROWS, COLUMNS].map(|all| all.map(|ends| between(0, ends)));
                    [0, 1, 2, 3].map(|lane: usize| rows[lane / 2].max(columns[lane % 2]))
                }
            }
        }
    };
    // They are usually equal, and logarithms are expensive.
    let first = lengths[0].log2();
    lengths.map(|length| if length == lengths[0] { first } else { length.log2() })
}

fn sample(
    texture: &Texture,
    sampler: &Sampler,
    access: &TextureAccess,
    (lane, implicit): (usize, f32),
) -> [u32; 4] {
    let given = f32::from_bits(access.lod[lane]);
    let lod = match access.query {
        TextureQuery::SampleLevel => given,
        TextureQuery::SampleBias => implicit + given,
        _ => implicit,
    };
    let detail = choose(texture, sampler, limited(sampler, lod + sampler.lod_bias));
    let lookup = lane_lookup(texture, sampler, access, lane);
    let near = lookup.sample(detail.level, detail.filter);
    let Some(weight) = detail.blend else { return near };
    let far = lookup.sample(detail.level + 1, detail.filter);
    [0, 1, 2, 3].map(|c: usize| {
        let (near, far) = (f32::from_bits(near[c]), f32::from_bits(far[c]));
        (near + weight * (far - near)).to_bits()
    })
}

fn gather(texture: &Texture, sampler: &Sampler, access: &TextureAccess, lane: usize) -> [u32; 4] {
    let lookup = lane_lookup(texture, sampler, access, lane);
    let channel = access.lod[lane] as usize;
    match &access.gather_offsets {
        None => lookup.gather(channel),
        // With an offset for each, a texel is the one that stands at −−.
        Some(offsets) => [0, 1, 2, 3].map(|n: usize| {
            let offset = [0, 1, 2].map(|axis: usize| offsets[n][lane][axis] as i32);
            Lookup { offset, ..lookup }.gather(channel)[3]
        }),
    }
}
