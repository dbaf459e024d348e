//! Gathers: one component of the four texels around a place. Evergreen and Cayman.

use r600_isa::{FetchOp, Generation, TexInst};
use tgsi_ir::{Component, Opcode};

use crate::refusal::Refusal;
use crate::ssa::Operand;

use super::address::{Place, layer_steps};
use super::{Access, LowerError, Lowering, Texels, step, texels};

impl Lowering<'_> {
    pub(super) fn gather(&mut self, access: &Access<'_>) -> Result<Texels, LowerError> {
        if matches!(self.generation, Generation::R600 | Generation::R700) {
            let reason = Refusal::NoGather;
            return Err(LowerError::new(access.inst.opcode.info().name, reason));
        }
        let num_offsets = access.inst.texture.as_ref().map_or(0, |t| t.offsets.len());
        if num_offsets > 1 { self.gather_apart(access) } else { self.gather_at(access, 0) }
    }

    /// Each texel with an offset of its own: the one at the lower corner of four gathers.
    fn gather_apart(&mut self, access: &Access<'_>) -> Result<Texels, LowerError> {
        let mut values = [Operand::ZERO; 4];
        for (n, value) in values.iter_mut().enumerate() {
            *value = self.gather_at(access, n)?[3];
        }
        Ok(values)
    }

    /// A gather with the n-th offset, in the order of TGSI.
    fn gather_at(&mut self, access: &Access<'_>, n: usize) -> Result<Texels, LowerError> {
        let coordinates = self.coordinates(access)?;
        let reference = self.gather_reference(access, &coordinates)?;
        let op = if reference.is_some() { FetchOp::Gather4C } else { FetchOp::Gather4 };
        let mut tex = access.tex(op);
        tex.component = self.component(access)?;
        let offset = self.gather_offset(access, n, &mut tex)?;
        let Place { mut address, cube_layer } = self.place(access, coordinates, &mut tex);
        address[3] = reference.or(address[3]);
        let mut steps = layer_steps(&tex, &Place { address, cube_layer });
        if let Some(offset) = offset {
            let mut set = tex.clone();
            set.op = FetchOp::SetTextureOffsets;
            steps.push(step(set, offset));
        }
        steps.push(step(tex, address));
        let results = self.fetch(steps);
        // Evergreen gives the texels in an order of its own.
        let order = match self.generation {
            Generation::Evergreen => [1, 2, 0, 3],
            _ => [0, 1, 2, 3],
        };
        Ok(order.map(|at: usize| results[at]))
    }

    /// What the texels are compared with: behind the coordinates, or in the second value of a cube array.
    fn gather_reference(
        &mut self,
        access: &Access<'_>,
        coordinates: &[Operand; 4],
    ) -> Result<Option<Operand>, LowerError> {
        match access.inst.opcode {
            Opcode::Tg4 => self.reference(access, coordinates),
            _ => Ok(None),
        }
    }

    /// The component that is gathered; depths have one.
    fn component(&mut self, access: &Access<'_>) -> Result<u8, LowerError> {
        if access.inst.opcode != Opcode::Tg4 || access.target.reference().is_some() {
            return Ok(0);
        }
        let n = access.values.get(1).copied().unwrap_or(usize::MAX);
        let component = self.source(access.inst, n, Component::X)?.as_const();
        component
            .and_then(|c| u8::try_from(c).ok())
            .filter(|c| *c < 4)
            .ok_or_else(|| LowerError::new("TG4", Refusal::GatherComponent))
    }

    /// Puts a constant offset into the instruction; any other is for an instruction before it.
    fn gather_offset(
        &mut self,
        access: &Access<'_>,
        n: usize,
        tex: &mut TexInst,
    ) -> Result<Option<super::Address>, LowerError> {
        let mut offsets = [Operand::ZERO; 3];
        let directions = Component::ALL.into_iter().take(access.layout.num_offsets());
        for (component, slot) in directions.zip(&mut offsets) {
            match self.offset(access.inst, n, component)? {
                Some(offset) => *slot = offset,
                None => return Ok(None),
            }
        }
        let constant = offsets.map(texels);
        if let [Some(x), Some(y), Some(z)] = constant {
            tex.offset = [x * 2, y * 2, z * 2];
            return Ok(None);
        }
        tex.op = match tex.op {
            FetchOp::Gather4C => FetchOp::Gather4CO,
            _ => FetchOp::Gather4O,
        };
        let [x, y, z] = offsets.map(Some);
        Ok(Some([x, y, z, Some(Operand::ZERO)]))
    }
}
