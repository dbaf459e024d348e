//! Texture units that instructions read through.

use std::collections::{BTreeMap, BTreeSet};

use super::{ShaderInfo, TextureUse};
use crate::{File, FileAttributes, Instruction, Register, Shader, Src, SrcRole, TextureTarget};

/// Units that Gallium has.
const MAX_UNITS: u16 = 128;

/// Units as they are declared.
#[derive(Default)]
pub(super) struct Units {
    /// By file and number of an array; number 0 may be any unit of the file.
    numbers: BTreeMap<(File, u16), BTreeSet<i16>>,
    /// What views are of.
    targets: BTreeMap<i16, TextureTarget>,
}

impl Units {
    pub(super) fn of(shader: &Shader) -> Self {
        let mut units = Self::default();
        let is_unit = |file| matches!(file, File::Sampler | File::SamplerView);
        for declaration in shader.declarations.iter().filter(|one| is_unit(one.file)) {
            let [first, end] = [declaration.range.first, declaration.range.last.saturating_add(1)]
                .map(|number| number.min(MAX_UNITS).cast_signed());
            let range = first..end;
            for id in [Some(0), declaration.array_id].into_iter().flatten() {
                let numbers = units.numbers.entry((declaration.file, id)).or_default();
                numbers.extend(range.clone());
            }
            if let FileAttributes::SamplerView(view) = &declaration.attributes {
                units.targets.extend(range.map(|unit| (unit, view.target)));
            }
        }
        units
    }

    pub(super) fn scan(&self, info: &mut ShaderInfo, one: &Instruction) {
        let roles = one.opcode.info().src_roles;
        let operands = one.src.iter().zip(roles).filter(|(src, role)| {
            matches!(role, SrcRole::Sampler | SrcRole::View)
                && matches!(src.reg.file, File::Sampler | File::SamplerView)
        });
        for (Src { reg, .. }, role) in operands {
            info.uses_indirect_samplers |= *role == SrcRole::Sampler && reg.is_indirect();
            // The `SAMPLE` family names its texture by the view; its sampler has a number of its own.
            if !one.opcode.info().has_view_word || *role == SrcRole::View {
                self.meant(reg, |unit| {
                    self.note(info.textures.entry(unit).or_default(), (unit, one))
                });
            }
        }
    }

    fn note(&self, texture: &mut TextureUse, (unit, one): (i16, &Instruction)) {
        texture.num_reads += 1;
        let named = one.texture.as_ref().map(|texture| texture.target);
        let named = named.filter(|target| *target != TextureTarget::Unknown);
        texture.targets.extend(named.or_else(|| self.targets.get(&unit).copied()));
    }

    /// The unit that a register names, or those that it may.
    fn meant(&self, reg: &Register, visit: impl FnMut(i16)) {
        match reg.indirect {
            Some(indirect) => {
                let numbers = self.numbers.get(&(reg.file, indirect.array_id));
                numbers.into_iter().flatten().copied().for_each(visit);
            }
            None => [reg.index].into_iter().for_each(visit),
        }
    }
}
