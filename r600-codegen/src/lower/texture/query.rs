//! Sizes, numbers of samples, levels of detail.

use r600_isa::{Chan, FetchOp, Generation, TexInst, VtxInst};
use tgsi_ir::Component;

use crate::refusal::Refusal;
use crate::ssa::{FetchKind, Operand};

use super::{Access, DRIVER_BUFFER, FIRST_VIEW, LowerError, Lowering, Texels, one_step};

/// Vectors of the driver's buffer that come before those of samplers.
const FIRST_SAMPLER_VECTOR: u16 = 8;

/// The vectors of the driver's buffer that tell of a view on R600 and R700: the mask of the channels that a buffer's
/// format has, and what a missing alpha is (x), how many elements a buffer has (y), layers of a cube array (z).
pub(super) fn view_vectors(view: u8) -> (u16, u16) {
    let mask = FIRST_SAMPLER_VECTOR + 2 * u16::from(view);
    (mask, mask + 1)
}

impl Lowering<'_> {
    /// Width, height, depth or layers, and number of levels.
    pub(super) fn size(&mut self, access: &Access<'_>) -> Result<Texels, LowerError> {
        if access.layout.is_buffer {
            let count = self.buffer_elements(access);
            return Ok([count; 4]);
        }
        let tex = access.tex(FetchOp::GetTextureResinfo);
        let level = self.source(access.inst, 0, Component::X)?;
        let mut values = self.fetch_one(tex, [Some(level), None, None, None]);
        if access.layout.is_cube && access.layout.is_array {
            values[2] = self.cube_layers(access.view);
        }
        Ok(values)
    }

    /// Elements of a buffer: told by the fetch unit from Evergreen on, by the driver before.
    fn buffer_elements(&mut self, access: &Access<'_>) -> Operand {
        match self.generation {
            Generation::R600 | Generation::R700 => {
                Operand::uniform(DRIVER_BUFFER, view_vectors(access.view).1, Chan::Y)
            }
            Generation::Evergreen | Generation::Cayman => {
                let mut vtx = VtxInst::buffer_fetch(FIRST_VIEW + access.view);
                vtx.op = FetchOp::GetBufferResinfo;
                let address = [Some(Operand::ZERO), None, None, None];
                self.fetch(one_step(FetchKind::Vtx(vtx), address))[0]
            }
        }
    }

    /// Layers of a cube array, which only the driver knows.
    fn cube_layers(&self, view: u8) -> Operand {
        match self.generation {
            Generation::R600 | Generation::R700 => {
                Operand::uniform(DRIVER_BUFFER, view_vectors(view).1, Chan::Z)
            }
            Generation::Evergreen | Generation::Cayman => {
                let view = u16::from(view);
                let chan = Chan::ALL[usize::from(view % 4)];
                Operand::uniform(DRIVER_BUFFER, FIRST_SAMPLER_VECTOR + view / 4, chan)
            }
        }
    }

    /// Samples of a texel, which the unit gives in w.
    pub(super) fn sample_count(&mut self, access: &Access<'_>) -> Texels {
        let tex = access.tex(FetchOp::GetNumberOfSamples);
        [self.fetch_one(tex, [Some(Operand::ZERO); 4])[3]; 4]
    }

    /// The level that a sample would use in x, the same before clamping in y; the unit gives them the other
    /// way round.
    pub(super) fn level_of_detail(&mut self, access: &Access<'_>) -> Result<Texels, LowerError> {
        if matches!(self.generation, Generation::R600 | Generation::R700) {
            let reason = Refusal::NoLevelOfDetail;
            return Err(LowerError::new(access.inst.opcode.info().name, reason));
        }
        let coordinates = self.coordinates(access)?;
        let mut tex: TexInst = access.tex(FetchOp::GetLod);
        let place = self.place(access, coordinates, &mut tex);
        let values = self.fetch_one(tex, place.address);
        Ok([values[1], values[0], Operand::ZERO, Operand::ZERO])
    }
}
