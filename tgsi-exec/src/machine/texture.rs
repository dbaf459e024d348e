//! Texture instructions: gathers what the provider needs.

use super::{LANES, Machine};
use crate::error::ExecError;
use crate::program::{Step, TextureStep};
use crate::resources::{Quad, Resources, TextureAccess, TextureQuery};

impl Machine<'_> {
    pub(super) fn texture(
        &mut self,
        step: &Step,
        texture: &TextureStep,
        resources: &mut dyn Resources,
    ) -> Result<(), ExecError> {
        let active = self.flow.active();
        if active == 0 {
            return Ok(());
        }
        let sources = step
            .sources
            .iter()
            .map(|source| self.read(step.at, source, resources))
            .collect::<Result<Vec<Quad>, _>>()?;
        let source = |number: usize| sources.get(number).copied().unwrap_or_default();
        let gives_derivatives = texture.query == TextureQuery::SampleGradients;
        let offsets = match &texture.offset {
            Some(offset) => self.read(step.at, offset, resources)?,
            None => Quad::default(),
        };
        let access = TextureAccess {
            unit: texture.unit,
            target: texture.target,
            query: texture.query,
            coordinates: if texture.projects { self.projected(source(0)) } else { source(0) },
            lod: texture.lod.map_or([0; LANES], |lod| source(lod.source).map(|v| v[lod.channel])),
            derivatives: gives_derivatives.then(|| [source(1), source(2)]),
            offsets,
            active: [0, 1, 2, 3].map(|lane| active >> lane & 1 == 1),
        };
        let missing = ExecError::Texture { at: step.at, unit: texture.unit };
        let texels = resources.texture(&access).ok_or(missing)?;
        self.write(step, &texels)
    }

    /// The first three coordinates divided by the fourth; hardware may multiply by its reciprocal.
    fn projected(&self, coordinates: Quad) -> Quad {
        let by_reciprocal = self.perturbation.is_some();
        coordinates.map(|vector| {
            let [x, y, z, w] = vector.map(f32::from_bits);
            let divide = |a: f32| if by_reciprocal { a * (1.0 / w) } else { a / w };
            [divide(x), divide(y), divide(z), w].map(f32::to_bits)
        })
    }
}
