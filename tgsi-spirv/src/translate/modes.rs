//! Rejects modes of an entry point and its variables that the hardware lacks.

use spirv::{Decoration, ExecutionMode};

use crate::binary::Id;
use crate::error::{Fault, unsupported};
use crate::module::Variable;
use crate::types::Type;

use super::Translator;

/// Unsupported decorations. Each changes the contents of a variable or how the hardware uses it.
const BEYOND: [Decoration; 8] = [
    Decoration::ExplicitInterpAMD,
    Decoration::OverrideCoverageNV,
    Decoration::PassthroughNV,
    Decoration::PerPrimitiveEXT,
    Decoration::PerVertexKHR,
    Decoration::PerViewNV,
    Decoration::SecondaryViewportRelativeNV,
    Decoration::ViewportRelativeNV,
];

impl Translator<'_> {
    /// Rejects execution modes whose arithmetic the hardware lacks.
    pub(super) fn judge_modes(&self) -> Result<(), Fault> {
        for mode in self.entry.modes.iter() {
            match (mode.name, mode.words.first()) {
                (ExecutionMode::DenormPreserve, Some(32)) => {
                    return Err(unsupported("the hardware flushes denormals of 32 bits"));
                }
                (ExecutionMode::RoundingModeRTZ, Some(32 | 64)) => {
                    return Err(unsupported("the hardware rounds to nearest only"));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Rejects interface variables that exceed the hardware's capabilities.
    pub(super) fn judge_variable(&self, variable: &Variable) -> Result<(), Fault> {
        let decorations = &self.module.decorations;
        let block = self.element_type(variable.ty)?;
        let members = self.module.num_parts(block)?.unwrap_or(0);
        let is_beyond = |what: &Decoration| {
            decorations.has(variable.id, *what)
                || (0..members).any(|member| decorations.member_has(block, member, *what))
        };
        match BEYOND.into_iter().find(is_beyond) {
            Some(what) => {
                Err(unsupported(format!("the hardware has no variables decorated {what:?}")))
            }
            None => Ok(()),
        }
    }

    /// The innermost element type of an array, also of arrays of arrays. Any other type is returned as it is.
    pub(super) fn element_type(&self, ty: Id) -> Result<Id, Fault> {
        match *self.module.ty(ty)? {
            Type::Array { of, .. } | Type::RuntimeArray { of } => self.element_type(of),
            _ => Ok(ty),
        }
    }

    /// Whether every operation must preserve NaNs, infinities and the signs of zeros.
    pub(super) fn keeps_kinds(&self) -> bool {
        self.entry.has_mode(ExecutionMode::SignedZeroInfNanPreserve)
    }
}
