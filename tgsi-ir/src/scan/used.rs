//! The register channels that operands name.

use std::collections::BTreeMap;

use crate::dialect::wording::Wording;
use crate::{
    Authority, Declaration, Dialect, File, Indirect, Instruction, Register, Shader, WriteMask,
};

/// Channels by register, and by array where a subscript is known at run time only.
#[derive(Debug, Default)]
pub(crate) struct Used {
    channels: BTreeMap<(File, i16), WriteMask>,
    /// By file and number of an array; number 0 may be any register of the file.
    arrays: BTreeMap<(File, u16), WriteMask>,
}

impl Used {
    pub(crate) fn of(shader: &Shader, dialect: Dialect) -> Self {
        let mut used = Self::default();
        for instruction in &shader.instructions {
            let wording = dialect.wording(instruction.opcode, Authority::Document);
            used.note_all(shader, instruction, wording);
        }
        used
    }

    /// The channels of a register that operands name by number; all declared ones if an operand may reach any register.
    pub(crate) fn named(&self, declaration: &Declaration, index: u16) -> WriteMask {
        if self.arrays.contains_key(&(declaration.file, 0)) {
            return declaration.usage_mask;
        }
        let index = i16::try_from(index).ok();
        let channels = index.and_then(|index| self.channels.get(&(declaration.file, index)));
        channels.copied().unwrap_or(WriteMask::NONE)
    }

    /// The channels that operands name of the array that a declaration is, whichever of its registers they mean.
    pub(crate) fn of_array(&self, declaration: &Declaration) -> WriteMask {
        let id = declaration.array_id.filter(|&id| id != 0);
        let mask = id.and_then(|id| self.arrays.get(&(declaration.file, id)));
        mask.map_or(WriteMask::NONE, |mask| mask.intersection(declaration.usage_mask))
    }

    fn note_all(&mut self, shader: &Shader, one: &Instruction, wording: Wording) {
        for dst in &one.dst {
            self.note(&dst.reg, dst.mask);
        }
        for (index, src) in one.src.iter().enumerate() {
            self.note(&src.reg, shader.src_read_mask_as(one, index, wording));
        }
        for offset in one.texture.iter().flat_map(|texture| &texture.offsets) {
            self.note(&Register::new(offset.file, offset.index), WriteMask::XYZ);
        }
    }

    fn note(&mut self, reg: &Register, mask: WriteMask) {
        let channels = match reg.indirect {
            Some(indirect) => {
                self.arrays.entry((reg.file, indirect.array_id)).or_insert(WriteMask::NONE)
            }
            None => self.channels.entry((reg.file, reg.index)).or_insert(WriteMask::NONE),
        };
        *channels = channels.union(mask);
        let dimension = reg.dimension.and_then(|dimension| dimension.indirect);
        for Indirect { file, index, component, .. } in reg.indirect.into_iter().chain(dimension) {
            let channels = self.channels.entry((file, index)).or_insert(WriteMask::NONE);
            *channels = channels.union(WriteMask::only(component));
        }
    }
}
