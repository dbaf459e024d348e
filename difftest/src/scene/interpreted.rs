//! The scene as the interpreter reads it.

use tgsi_exec::{Quad, Resources, TextureAccess, TextureQuery};

use super::{SIZE, Scene, dimensions};

/// Gives a scene to the interpreter.
#[derive(Clone, Copy, Debug)]
pub struct Interpreted<'a>(pub &'a Scene);

impl Resources for Interpreted<'_> {
    fn constant(&self, buffer: u32, index: u32) -> Option<[u32; 4]> {
        self.0.constant(buffer, index)
    }

    fn texture(&mut self, access: &TextureAccess) -> Option<Quad> {
        let dimensions = dimensions(access.target)?;
        let is_modelled = matches!(
            access.query,
            TextureQuery::Sample
                | TextureQuery::SampleBias
                | TextureQuery::SampleLevel
                | TextureQuery::SampleGradients
                | TextureQuery::Fetch
                | TextureQuery::Size
        );
        if !is_modelled {
            return None;
        }
        if access.query == TextureQuery::Size {
            return Some([SIZE; 4]);
        }
        let texel = |lane: usize| match access.query {
            TextureQuery::Fetch => fetched(access, lane, dimensions),
            _ => sampled(access, lane, dimensions),
        };
        Some([texel(0), texel(1), texel(2), texel(3)])
    }
}

fn sampled(access: &TextureAccess, lane: usize, dimensions: usize) -> [u32; 4] {
    let mut position = access.coordinates[lane].map(f32::from_bits);
    position[dimensions..].fill(0.0);
    let lod = match access.query {
        TextureQuery::SampleBias | TextureQuery::SampleLevel => f32::from_bits(access.lod[lane]),
        _ => 0.0,
    };
    let mut offset = access.offsets[lane].map(|bits| bits as i32 as f32);
    offset[dimensions.min(2)..].fill(0.0);
    texel(access.unit, position, lod, offset[0] + offset[1])
}

/// One texel: offsets move to another one.
fn fetched(access: &TextureAccess, lane: usize, dimensions: usize) -> [u32; 4] {
    let mut position = access.coordinates[lane];
    let moved = position.iter_mut().zip(access.offsets[lane]);
    moved.for_each(|(coordinate, offset)| *coordinate = coordinate.wrapping_add(offset));
    position[dimensions..].fill(0);
    let position = position.map(|bits| bits as i32 as f32);
    texel(access.unit, position, access.lod[lane] as i32 as f32, 0.0)
}

fn texel(unit: u32, [s, t, r, _]: [f32; 4], lod: f32, offset: f32) -> [u32; 4] {
    let base = 0.5 + 0.05 * unit as f32 + 0.04 * bounded(r) + 0.02 * bounded(lod) + 0.01 * offset;
    [0.0_f32, 1.0, 2.0, 3.0]
        .map(|c| (base + (0.1 + 0.02 * c) * bounded(s) + (0.05 + 0.03 * c) * bounded(t)).to_bits())
}

fn bounded(x: f32) -> f32 {
    x / (1.0 + x.abs())
}
