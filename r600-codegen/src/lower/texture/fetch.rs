//! Texel fetches by integer coordinates, and other fetches without a sampler.

use r600_isa::{AluOp, Chan, FetchOp, Generation, Hazard, TexInst, VtxInst};
use tgsi_ir::{Component, Indirect, Instruction, Opcode, TextureTarget};

use crate::abi::DriverConstant;
use crate::refusal::Refusal;
use crate::ssa::{FetchKind, Operand};

use super::{Access, FIRST_VIEW, LowerError, Lowering, Texels, one_step};

impl Lowering<'_> {
    /// A texel by integer coordinates. Offsets are added here: the unit ignores them for loads.
    pub(super) fn texel(&mut self, access: &Access<'_>) -> Result<Texels, LowerError> {
        if access.layout.is_buffer {
            return self.buffer_texel(access);
        }
        let inst = access.inst;
        let count = access.layout.num_coordinates;
        let mut address = [None; 4];
        for component in Component::ALL.into_iter().take(count) {
            let coordinate = self.source(inst, 0, component)?;
            address[component.index()] = Some(match self.offset(inst, 0, component)? {
                Some(by) => self.alu(AluOp::AddInt, &[coordinate, by]),
                None => coordinate,
            });
        }
        if access.layout.is_array {
            address[2] = Some(self.source(inst, 0, Component::ALL[count])?);
        }
        let level = self.texel_level(access)?;
        address[3] = Some(match access.target {
            TextureTarget::D2Msaa | TextureTarget::D2ArrayMsaa => {
                self.fragment_of(access, level, address)
            }
            _ => level,
        });
        Ok(self.fetch_one(access.tex(FetchOp::Ld), address))
    }

    /// The number of the stored fragment that holds a sample of a texel. From Evergreen on, the driver compresses
    /// multisampled textures: equal samples share a fragment, and a map has four bits for each sample. Without
    /// compression, the map gives each sample its own number.
    fn fragment_of(
        &mut self,
        access: &Access<'_>,
        sample: Operand,
        mut address: [Option<Operand>; 4],
    ) -> Operand {
        if matches!(self.generation, Generation::R600 | Generation::R700) {
            return sample;
        }
        address[3] = Some(Operand::ZERO);
        let map = self.fetch_one(access.tex(FetchOp::Ldfptr), address)[0];
        let shift = self.alu(AluOp::LshlInt, &[sample, Operand::int(2)]);
        self.alu(AluOp::BfeUint, &[map, shift, Operand::int(4)])
    }

    /// The level, or the sample, of a texel.
    fn texel_level(&mut self, access: &Access<'_>) -> Result<Operand, LowerError> {
        match access.inst.opcode {
            Opcode::TxfLz => Ok(Operand::ZERO),
            Opcode::SampleIMs => self.second_value(access),
            _ => self.source(access.inst, 0, Component::W),
        }
    }

    fn buffer_texel(&mut self, access: &Access<'_>) -> Result<Texels, LowerError> {
        let vtx = VtxInst::buffer_fetch(FIRST_VIEW + access.view).with_resource_format();
        let index = self.source(access.inst, 0, Component::X)?;
        let steps = one_step(FetchKind::Vtx(vtx), [Some(index), None, None, None]);
        let texel = self.fetch(steps);
        Ok(match self.avoids(Hazard::TexelBufferChannels) {
            true => self.with_lacking_channels(access, texel),
            false => texel,
        })
    }

    /// A texel of a buffer on chips whose fetches ignore the swizzle of the resource: channels that the format lacks
    /// are undefined. The driver's buffer has a mask of the channels that exist, and the value of a missing alpha.
    fn with_lacking_channels(&mut self, access: &Access<'_>, texel: Texels) -> Texels {
        let mask = DriverConstant::ViewMask(access.view);
        let mut kept = [0, 1, 2, 3].map(|n: usize| {
            let mask = self.driver_constant(mask, Chan::ALL[n]);
            self.alu(AluOp::AndInt, &[texel[n], mask])
        });
        let alpha = self.driver_constant(DriverConstant::ViewInfo(access.view), Chan::X);
        kept[3] = self.alu(AluOp::OrInt, &[kept[3], alpha]);
        kept
    }

    /// Screen-space derivatives: one for the quad, or for each row and column.
    pub(in super::super) fn derivative(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        let is_fine = matches!(inst.opcode, Opcode::DdxFine | Opcode::DdyFine);
        if is_fine && matches!(self.generation, Generation::R600 | Generation::R700) {
            let reason = Refusal::OneDerivative;
            return Err(LowerError::new(inst.opcode.info().name, reason));
        }
        let op = match inst.opcode {
            Opcode::Ddx => FetchOp::GetGradientsH,
            Opcode::Ddy => FetchOp::GetGradientsV,
            Opcode::DdxFine => FetchOp::GetGradientsHFine,
            _ => FetchOp::GetGradientsVFine,
        };
        let mut address = [None; 4];
        for component in super::super::arithmetic::mask(inst).iter() {
            address[component.index()] = Some(self.source(inst, 0, component)?);
        }
        let values = self.fetch_one(TexInst::sample(op, FIRST_VIEW, 0), address);
        self.write(inst, 0, values.map(Some))
    }

    /// A channel of a dynamically indexed constant in a buffer.
    pub(in super::super) fn indexed_constant(
        &mut self,
        bank: u8,
        offset: i16,
        indirect: &Indirect,
        component: Component,
    ) -> Result<Operand, LowerError> {
        let index = self.index(indirect)?;
        let index = match offset {
            0 => index,
            _ => self.alu(AluOp::AddInt, &[index, Operand::int(i32::from(offset))]),
        };
        let vtx = VtxInst::buffer_fetch(bank);
        let results = self.fetch(one_step(FetchKind::Vtx(vtx), [Some(index), None, None, None]));
        Ok(results[component.index()])
    }
}
