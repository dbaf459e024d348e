//! Texels of one level become a sample.

use super::axis::{Axis, Place};
use super::cube::{self, FacePlace};
use super::texture::{FACES, Level};
use super::{Filter, Sampler, Texture, TextureShape, Wrap};

/// A lookup in one lane.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lookup<'a> {
    pub(super) texture: &'a Texture,
    pub(super) sampler: &'a Sampler,
    /// Coordinates, without the layer.
    pub(super) at: [f32; 3],
    pub(super) layer: u32,
    pub(super) offset: [i32; 3],
    pub(super) is_normalized: bool,
    pub(super) reference: Option<f32>,
}

/// The texels around a place, on all axes.
struct Footprint {
    picture: u32,
    places: [Place; 3],
}

impl Lookup<'_> {
    /// The sample of one level.
    pub(super) fn sample(&self, level: usize, filter: Filter) -> [u32; 4] {
        let level = self.texture.level(level);
        let footprint = self.footprint(level, filter);
        let fractions = footprint.places.map(|place| place.fraction);
        if fractions == [0.0; 3] {
            return self.compared(self.corner(level, &footprint, 0));
        }
        // An axis that the shape lacks has its one texel at both ends.
        let [.., third] = footprint.places;
        let is_flat = third.low == third.high;
        let mut flat = [None; 4];
        let mut sum = [0.0; 4];
        for corner in 0..8_u32 {
            let of_axis = |axis: usize| {
                let fraction = fractions[axis];
                if corner >> axis & 1 == 1 { fraction } else { 1.0 - fraction }
            };
            let weight = of_axis(0) * of_axis(1) * of_axis(2);
            if weight > 0.0 {
                let known = &mut flat[corner as usize % 4];
                let read = || self.compared(self.corner(level, &footprint, corner));
                let texel = known.filter(|_| is_flat).unwrap_or_else(read);
                *known = Some(texel);
                sum.iter_mut().zip(texel).for_each(|(s, t)| *s += weight * f32::from_bits(t));
            }
        }
        sum.map(f32::to_bits)
    }

    /// One channel of the four texels that a linear filter would weigh: −+, ++, +−, −−. Comparisons have one
    /// channel only.
    pub(super) fn gather(&self, channel: usize) -> [u32; 4] {
        const CORNERS: [u32; 4] = [0b10, 0b11, 0b01, 0b00];
        let channel = if self.reference.is_some() { 0 } else { channel };
        let level = self.texture.level(0);
        let footprint = self.footprint(level, Filter::Linear);
        CORNERS.map(|corner| self.compared(self.corner(level, &footprint, corner))[channel & 3])
    }

    fn footprint(&self, level: &Level, filter: Filter) -> Footprint {
        match self.texture.shape() {
            TextureShape::Cube => {
                let FacePlace { face, at: [s, t] } = cube::project(self.at);
                let places = self.cube_places(level, [s, t, 0.0], filter);
                Footprint { picture: FACES * self.layer + face, places }
            }
            _ => {
                let place = |axis| match axis < self.num_axes() {
                    true => self.axis(level, axis).place(self.at[axis], filter),
                    false => Place::on_missing_axis(filter),
                };
                Footprint { picture: self.layer, places: [place(0), place(1), place(2)] }
            }
        }
    }

    fn axis(&self, level: &Level, axis: usize) -> Axis {
        Axis {
            size: level.size[axis],
            wrap: self.sampler.wrap[axis],
            is_normalized: self.is_normalized,
            offset: self.offset[axis],
        }
    }

    fn num_axes(&self) -> usize {
        match self.texture.shape() {
            TextureShape::D1 => 1,
            TextureShape::D2 | TextureShape::Cube => 2,
            TextureShape::D3 => 3,
        }
    }

    /// Places on a face are kept with their overhang, one texel up, for the neighbours to be found.
    fn cube_places(&self, level: &Level, at: [f32; 3], filter: Filter) -> [Place; 3] {
        let axis = |n: usize| {
            let size = level.size[n];
            let wide =
                Axis { size: size + 2, wrap: Wrap::ClampToEdge, is_normalized: false, offset: 0 };
            wide.place(at[n] * size as f32 + 1.0, filter)
        };
        [axis(0), axis(1), Place { low: Some(0), high: Some(0), fraction: 0.0 }]
    }

    /// The texel at a corner: bit n of `corner` chooses the high one on axis n.
    fn corner(&self, level: &Level, footprint: &Footprint, corner: u32) -> [u32; 4] {
        let choose = |axis: usize| {
            let place = &footprint.places[axis];
            if corner >> axis & 1 == 1 { place.high } else { place.low }
        };
        let texel = match (choose(0), choose(1), choose(2)) {
            (Some(x), Some(y), _) if self.texture.shape() == TextureShape::Cube => {
                let face = footprint.picture % FACES;
                let overhanging = [x, y].map(|n| i64::from(n) - 1);
                let (neighbour, [x, y]) = cube::seamless(face, overhanging, level.size[0]);
                level.texel(footprint.picture - face + neighbour, [x, y, 0])
            }
            (Some(x), Some(y), Some(z)) => level.texel(footprint.picture, [x, y, z]),
            _ => None,
        };
        texel.unwrap_or(self.sampler.border)
    }

    /// The texel, or whether the comparison with it holds.
    fn compared(&self, texel: [u32; 4]) -> [u32; 4] {
        let Some(reference) = self.reference else { return texel };
        let holds = self.sampler.compare.holds(reference, f32::from_bits(texel[0]));
        let result = if holds { 1.0_f32 } else { 0.0 };
        [result, result, result, 1.0].map(f32::to_bits)
    }
}
