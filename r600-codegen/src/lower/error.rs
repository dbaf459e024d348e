//! Why lowering a shader fails.

use tgsi_ir::{InstructionId, Semantic};
use thiserror::Error;

use crate::refusal::Refusal;

/// Why a shader cannot be lowered.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{}{construct}: {reason}", at.map(|id| format!("{id}: ")).unwrap_or_default())]
pub struct LowerError {
    /// The instruction at fault; `None` if it is a declaration or the shader as a whole.
    pub at: Option<InstructionId>,
    /// What is unsupported: an opcode, a register, a construct.
    pub construct: String,
    /// Why, and what to do instead.
    pub reason: Refusal,
}

impl LowerError {
    /// An error about `construct`.
    pub(crate) fn new(construct: impl Into<String>, reason: Refusal) -> Self {
        Self { at: None, construct: construct.into(), reason }
    }
}

/// The refusal of a system value that the stage lacks.
pub(super) fn refused_value(semantic: Semantic) -> LowerError {
    let name = semantic.name().unwrap_or("SV");
    let reason = match semantic {
        Semantic::HelperInvocation => Refusal::HelperLanes,
        Semantic::Basevertex | Semantic::VertexidNobase | Semantic::Baseinstance => {
            Refusal::BaseAdded
        }
        _ => Refusal::SystemValue,
    };
    LowerError::new(name, reason)
}
