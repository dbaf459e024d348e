//! Texture targets with comparison.

use tgsi_ir::{File, Opcode, TextureTarget};

use crate::code::Base;
use crate::error::Fault;

use super::Translator;

impl Translator<'_> {
    /// Records whether a lookup compares. All lookups of a unit must agree.
    pub(super) fn note_lookup(&mut self, unit: u16, compares: bool) -> Result<(), Fault> {
        if *self.resources.compares.entry(unit).or_insert(compares) == compares {
            return Ok(());
        }
        self.refuse(
            "a texture that is sampled both with and without comparing, but its sampler does only one: declare a second \
             texture at its own binding",
        )
    }

    /// Gives each unit one target. If some lookup of the unit compares, queries without a reference use the comparing
    /// target, too.
    pub(super) fn settle_targets(&mut self) {
        for inst in &mut self.code.insts {
            let is_question =
                matches!(inst.opcode, Opcode::Txq | Opcode::Txqs | Opcode::Lodq | Opcode::Txf);
            let sampler = inst.src.last().map(|sampler| sampler.base);
            let (true, Some(Base::Register(File::Sampler, unit)), Some(words)) =
                (is_question, sampler, &mut inst.texture)
            else {
                continue;
            };
            if let Some(target) = self.resources.target_of(unit)
                && comparing(words.target) == Some(target)
            {
                words.target = target;
            }
        }
    }
}

/// The target of the same shape that compares.
fn comparing(target: TextureTarget) -> Option<TextureTarget> {
    use TextureTarget as T;
    Some(match target {
        T::D1 => T::Shadow1d,
        T::D2 => T::Shadow2d,
        T::Rect => T::Shadowrect,
        T::Cube => T::Shadowcube,
        T::D1Array => T::Shadow1dArray,
        T::D2Array => T::Shadow2dArray,
        T::CubeArray => T::ShadowcubeArray,
        _ => return None,
    })
}
