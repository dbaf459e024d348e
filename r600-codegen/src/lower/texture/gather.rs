//! Gathers: one component of each of the four texels around a point.
//!
//! R600 and R700 have `FETCH4`, as used by programs for the Wii U. It takes the first component only, and has no
//! comparison and no offsets; offsets are added to the coordinates instead. Evergreen and Cayman treat a gather of
//! integers like a sample of the nearest texel, so it is half a texel off. As in the open driver, the coordinates are
//! corrected.

use r600_isa::{AluOp, FetchOp, Generation, Hazard, TexInst};
use tgsi_ir::{Component, File, FileAttributes, Opcode, ReturnType};

use crate::refusal::Refusal;
use crate::ssa::Operand;

use super::address::{Place, layer_steps};
use super::{Access, LowerError, Lowering, Texels, step, texels};

impl Lowering<'_> {
    pub(super) fn gather(&mut self, access: &Access<'_>) -> Result<Texels, LowerError> {
        if self.has_fetch4() {
            self.require_fetch4(access)?;
        }
        let num_offsets = access.inst.texture.as_ref().map_or(0, |t| t.offsets.len());
        if num_offsets > 1 { self.gather_apart(access) } else { self.gather_at(access, 0) }
    }

    /// Whether the chip has no gather but `FETCH4`.
    fn has_fetch4(&self) -> bool {
        matches!(self.generation, Generation::R600 | Generation::R700)
    }

    /// Refuses gathers that `FETCH4` does not support.
    fn require_fetch4(&mut self, access: &Access<'_>) -> Result<(), LowerError> {
        let refuse = |reason| Err(LowerError::new(access.inst.opcode.info().name, reason));
        if access.target.reference().is_some() {
            return refuse(Refusal::GatherComparison);
        }
        if self.component(access)? != 0 {
            return refuse(Refusal::GatherFirstComponent);
        }
        if access.layout.num_coordinates != 2 && !access.layout.is_cube {
            return refuse(Refusal::GatherShape);
        }
        Ok(())
    }

    /// Four texels, each with its own offset: the one at the lower corner of each of four gathers.
    fn gather_apart(&mut self, access: &Access<'_>) -> Result<Texels, LowerError> {
        let mut values = [Operand::ZERO; 4];
        for (n, value) in values.iter_mut().enumerate() {
            *value = self.gather_at(access, n)?[3];
        }
        Ok(values)
    }

    /// A gather with the n-th offset, in the order of TGSI.
    fn gather_at(&mut self, access: &Access<'_>, n: usize) -> Result<Texels, LowerError> {
        let mut coordinates = self.coordinates(access)?;
        let reference = self.gather_reference(access, &coordinates)?;
        let op = match (self.has_fetch4(), reference) {
            (true, _) => FetchOp::Fetch4,
            (false, None) => FetchOp::Gather4,
            (false, Some(_)) => FetchOp::Gather4C,
        };
        let mut tex = access.tex(op);
        tex.component = self.component(access)?;
        let offset = match self.has_fetch4() {
            true => {
                self.move_by_offset(access, n, &mut coordinates)?;
                None
            }
            false => self.gather_offset(access, n, &mut tex)?,
        };
        if self.avoids(Hazard::IntegerGather) && self.gathers_integers(access, tex.component) {
            self.move_place(access, &mut coordinates, [Operand::HALF.negated(); 2]);
        }
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
        // Chips before Cayman return the texels in a different order.
        let order = match self.generation {
            Generation::R600 | Generation::R700 | Generation::Evergreen => [1, 2, 0, 3],
            Generation::Cayman => [0, 1, 2, 3],
        };
        Ok(order.map(|at: usize| results[at]))
    }

    /// Whether the texels are integers, unless of a cube: the open driver corrects no gathers from cubes.
    fn gathers_integers(&self, access: &Access<'_>, component: u8) -> bool {
        let declared = self.declarations.first(File::SamplerView, access.view.into());
        let Some(FileAttributes::SamplerView(view)) = declared.map(|d| &d.attributes) else {
            return false;
        };
        let component = usize::from(component % 4);
        !access.layout.is_cube
            && matches!(view.return_types[component], ReturnType::Sint | ReturnType::Uint)
    }

    /// Moves the coordinates by the n-th offset.
    fn move_by_offset(
        &mut self,
        access: &Access<'_>,
        n: usize,
        coordinates: &mut [Operand; 4],
    ) -> Result<(), LowerError> {
        let mut offset = [Operand::ZERO; 2];
        let directions = Component::ALL.into_iter().take(access.layout.num_offsets());
        for (component, slot) in directions.zip(&mut offset) {
            let Some(texels) = self.offset(access.inst, n, component)? else { return Ok(()) };
            *slot = texels;
        }
        if offset == [Operand::ZERO; 2] {
            return Ok(());
        }
        let offset = offset.map(|texels| self.alu(AluOp::IntToFlt, &[texels]));
        self.move_place(access, coordinates, offset);
        Ok(())
    }

    /// Moves the coordinates by `texels` of the first level.
    fn move_place(
        &mut self,
        access: &Access<'_>,
        coordinates: &mut [Operand; 4],
        texels: [Operand; 2],
    ) {
        if access.layout.is_rect {
            for (coordinate, by) in coordinates.iter_mut().zip(texels) {
                *coordinate = self.alu(AluOp::Add, &[*coordinate, by]);
            }
            return;
        }
        let query = access.tex(FetchOp::GetTextureResinfo);
        let size = self.fetch_one(query, [Some(Operand::ZERO), None, None, None]);
        for ((coordinate, by), size) in coordinates.iter_mut().zip(texels).zip(size) {
            let size = self.alu(AluOp::IntToFlt, &[size]);
            let texel = self.alu(AluOp::RecipIeee, &[size]);
            *coordinate = self.alu(AluOp::MuladdIeee, &[by, texel, *coordinate]);
        }
    }

    /// The value that the texels are compared with. Only `TG4` can compare.
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

    /// The component that is gathered; depth textures have only one.
    fn component(&mut self, access: &Access<'_>) -> Result<u8, LowerError> {
        if access.inst.opcode != Opcode::Tg4 || access.target.reference().is_some() {
            return Ok(0);
        }
        let component = self.second_value(access)?.as_const();
        component
            .and_then(|c| u8::try_from(c).ok())
            .filter(|c| *c < 4)
            .ok_or_else(|| LowerError::new("TG4", Refusal::GatherComponent))
    }

    /// Puts a constant offset into the instruction. Any other offset is returned, for a separate instruction that sets
    /// it.
    fn gather_offset(
        &mut self,
        access: &Access<'_>,
        n: usize,
        tex: &mut TexInst,
    ) -> Result<Option<super::Address>, LowerError> {
        let mut offsets = [Operand::ZERO; 3];
        // An offset never leads to another layer, even if the shader gives one for it.
        let is_layered = access.layout.is_array && !access.layout.is_cube;
        let has_layer_offset = is_layered && self.ignores(Hazard::GatherOffsetZ);
        let num_offsets = access.layout.num_offsets() + usize::from(has_layer_offset);
        let directions = Component::ALL.into_iter().take(num_offsets);
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
