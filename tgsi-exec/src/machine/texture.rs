//! Texture instructions: gathers what the provider needs.

use tgsi_ir::TextureTarget;

use super::Machine;
use super::units::groups;
use crate::error::ExecError;
use crate::lanes::{ALL, Channel, LANES, Vector, ZERO, first, has, lanes, transposed};
use crate::program::{Coordinate, Step, TextureStep};
use crate::resources::{Quad, Shape, TextureAccess, TextureQuery};
use crate::sampler::through_face;

impl Machine<'_> {
    pub(super) fn texture(&mut self, step: &Step, texture: &TextureStep) -> Result<(), ExecError> {
        self.load_sources(step)?;
        for unit in [&texture.view, &texture.sampler] {
            self.check_unit(step.at, unit, self.active())?;
        }
        let numbers = [self.units(&texture.view), self.units(&texture.sampler)];
        let mut answer = ZERO;
        for (mask, [unit, sampler]) in groups(self.active(), numbers) {
            let access = self.access(step, texture, (unit, sampler), mask)?;
            let missing = ExecError::Texture { at: step.at, lane: first(mask), unit };
            let texels = self.resources.texture(&access).ok_or(missing)?;
            merge(&mut answer, &transposed(&texels), mask);
        }
        let mut results = texture.swizzle.map(|channel| answer[usize::from(channel)]);
        self.finish(step, &mut results)
    }

    fn access(
        &self,
        step: &Step,
        texture: &TextureStep,
        (unit, sampler): (u32, u32),
        mask: u8,
    ) -> Result<TextureAccess, ExecError> {
        let mut first = self.operands[0];
        if texture.projects {
            self.project(&mut first);
        }
        let channel = |place: Coordinate| match place.source {
            0 => first[place.channel],
            source => self.operands[source][place.channel],
        };
        let offsets = self.offsets(step, texture)?;
        let mut access = TextureAccess {
            unit,
            sampler,
            target: texture.target,
            query: texture.query,
            coordinates: coordinates(&first, texture),
            reference: texture.reference.map(channel),
            lod: texture.lod.map_or([0; LANES], channel),
            derivatives: texture
                .derivatives
                .map(|sources| sources.map(|source| transposed(&self.operands[source]))),
            offsets: offsets.first().copied().unwrap_or_default(),
            gather_offsets: <[Quad; 4]>::try_from(offsets).ok().map(Box::new),
            active: [0, 1, 2, 3].map(|lane| has(mask, lane)),
        };
        if self.errs() {
            see_through_faces(&mut access);
        }
        Ok(access)
    }

    /// Whether the run makes the errors of hardware.
    fn errs(&self) -> bool {
        self.watch.as_ref().is_some_and(|watch| watch.perturbs())
    }

    fn offsets(&self, step: &Step, texture: &TextureStep) -> Result<Vec<Quad>, ExecError> {
        let offsets = texture.offsets.iter();
        offsets.map(|offset| Ok(transposed(&self.read(step.at, offset)?))).collect()
    }

    /// Divides the first three coordinates by the fourth. Hardware may multiply by the reciprocal, with zero times
    /// infinity giving zero.
    fn project(&self, coordinates: &mut Vector) {
        let by_reciprocal = self.errs();
        let divisor: Channel = coordinates[3];
        for channel in &mut coordinates[..3] {
            for (bits, divisor) in channel.iter_mut().zip(divisor) {
                let (a, w) = (f32::from_bits(*bits), f32::from_bits(divisor));
                let quotient = match by_reciprocal {
                    true if a == 0.0 || w.is_infinite() => 0.0,
                    true => a * (1.0 / w),
                    false => a / w,
                };
                *bits = quotient.to_bits();
            }
        }
    }
}

/// Converts cube directions and their derivatives to what hardware sees: positions on faces. For a comparing sample
/// with a bias, code computes the level from full directions.
fn see_through_faces(access: &mut TextureAccess) {
    use TextureTarget as T;
    let is_cube =
        matches!(access.target, T::Cube | T::Shadowcube | T::CubeArray | T::ShadowcubeArray);
    let has_direction = match access.query {
        TextureQuery::SampleBias => access.reference.is_none(),
        query => {
            query.is_sampled() || matches!(query, TextureQuery::SampleLevel | TextureQuery::Gather)
        }
    };
    if !is_cube || !has_direction {
        return;
    }
    let mut derivatives = access.derivatives.unwrap_or_default();
    for lane in 0..LANES {
        let vector = |quad: &Quad| [0, 1, 2].map(|n: usize| f32::from_bits(quad[lane][n]));
        let (at, changes) =
            through_face(vector(&access.coordinates), derivatives.each_ref().map(vector));
        let set = |quad: &mut Quad, vector: [f32; 3]| {
            quad[lane][..3].copy_from_slice(&vector.map(f32::to_bits));
        };
        set(&mut access.coordinates, at);
        derivatives.iter_mut().zip(changes).for_each(|(quad, change)| set(quad, change));
    }
    access.derivatives = access.derivatives.map(|_| derivatives);
}

/// The coordinates that the target has; the others are zero.
fn coordinates(source: &Vector, texture: &TextureStep) -> Quad {
    let shape = Shape::of(texture.target);
    let count = shape.dimensions + usize::from(shape.layer.is_some());
    let mut coordinates = *source;
    coordinates[count.min(4)..].fill([0; LANES]);
    transposed(&coordinates)
}

/// Takes the lanes of a mask over.
fn merge(answer: &mut Vector, texels: &Vector, mask: u8) {
    if mask == ALL {
        *answer = *texels;
        return;
    }
    for (channel, texel) in answer.iter_mut().zip(texels) {
        lanes(mask).for_each(|lane| channel[lane] = texel[lane]);
    }
}
