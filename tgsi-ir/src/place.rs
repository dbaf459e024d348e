//! Places within a shader.

use std::fmt;

use crate::{DeclarationId, ImmediateId, InstructionId, PropertyId};

/// A part of a shader, by number. The reader that parsed the text knows its source location.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// The shader as a whole.
    Shader,
    /// A property.
    Property(PropertyId),
    /// A declaration.
    Declaration(DeclarationId),
    /// An immediate.
    Immediate(ImmediateId),
    /// An instruction.
    Instruction(InstructionId),
    /// The n-th destination of an instruction.
    Dst(InstructionId, u8),
    /// The n-th source of an instruction.
    Src(InstructionId, u8),
    /// The n-th texel offset of an instruction.
    Offset(InstructionId, u8),
}

impl Place {
    /// The instruction that the place belongs to.
    pub const fn instruction(self) -> Option<InstructionId> {
        match self {
            Self::Instruction(id) | Self::Dst(id, _) | Self::Src(id, _) | Self::Offset(id, _) => {
                Some(id)
            }
            Self::Shader | Self::Property(_) | Self::Declaration(_) | Self::Immediate(_) => None,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shader => f.write_str("shader"),
            Self::Property(id) => id.fmt(f),
            Self::Declaration(id) => id.fmt(f),
            Self::Immediate(id) => id.fmt(f),
            Self::Instruction(id) => id.fmt(f),
            Self::Dst(id, operand) => write!(f, "{id}, destination {operand}"),
            Self::Src(id, operand) => write!(f, "{id}, source {operand}"),
            Self::Offset(id, operand) => write!(f, "{id}, offset {operand}"),
        }
    }
}
