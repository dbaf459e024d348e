//! Sizes, numbers of samples, levels of detail.

use r600_isa::{Chan, FetchOp, Generation, TexInst, VtxInst};
use tgsi_ir::Component;

use crate::abi::DriverConstant;
use crate::refusal::Refusal;
use crate::ssa::{FetchKind, Operand};

use super::{Access, FIRST_VIEW, LowerError, Lowering, Texels, one_step};

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

    /// Number of elements of a buffer: from the fetch unit since Evergreen, from the driver on earlier chips.
    fn buffer_elements(&mut self, access: &Access<'_>) -> Operand {
        match self.generation {
            Generation::R600 | Generation::R700 => {
                self.driver_constant(DriverConstant::ViewInfo(access.view), Chan::Y)
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
    fn cube_layers(&mut self, view: u8) -> Operand {
        match self.generation {
            Generation::R600 | Generation::R700 => {
                self.driver_constant(DriverConstant::ViewInfo(view), Chan::Z)
            }
            Generation::Evergreen | Generation::Cayman => {
                let (layers, chan) = DriverConstant::cube_layers(view);
                self.driver_constant(layers, chan)
            }
        }
    }

    /// Number of samples of a texel, which the unit returns in w.
    pub(super) fn sample_count(&mut self, access: &Access<'_>) -> Texels {
        let tex = access.tex(FetchOp::GetNumberOfSamples);
        [self.fetch_one(tex, [Some(Operand::ZERO); 4])[3]; 4]
    }

    /// The level that a sample would use in x, and the level before clamping in y. The unit returns them in reverse
    /// order.
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
