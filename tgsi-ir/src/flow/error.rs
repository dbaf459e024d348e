//! Nesting errors.

use std::fmt;

use crate::{InstructionId, Opcode};

/// A nesting error, or a bad jump target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FlowError {
    /// A closing or dividing instruction without its block.
    Unopened {
        /// The instruction.
        at: InstructionId,
        /// Its opcode.
        opcode: Opcode,
    },
    /// A block that is not closed.
    Unclosed {
        /// The instruction that opens it.
        begin: InstructionId,
        /// Its opcode.
        opcode: Opcode,
        /// The instruction of an outer block that ends it nevertheless; `None` at the end of the shader.
        ended_by: Option<InstructionId>,
    },
    /// A second `ELSE` of one block, or a second `DEFAULT`.
    Repeated {
        /// The second.
        at: InstructionId,
        /// Its opcode.
        opcode: Opcode,
        /// The first.
        first: InstructionId,
    },
    /// `BRK` outside of a loop or switch, or `CONT` outside of a loop.
    JumpOutside {
        /// The instruction.
        at: InstructionId,
        /// Its opcode.
        opcode: Opcode,
    },
    /// A subroutine within a block.
    NestedSubroutine {
        /// The `BGNSUB`.
        at: InstructionId,
        /// The instruction that opens the block around it.
        outer: InstructionId,
    },
    /// A call without a label, or whose label names no subroutine.
    BadCall {
        /// The call.
        at: InstructionId,
        /// Its label.
        label: Option<u32>,
    },
    /// A subroutine that calls itself, perhaps through others.
    Recursion {
        /// The call.
        at: InstructionId,
        /// The subroutine.
        subroutine: InstructionId,
    },
    /// An unstructured jump to a label.
    Branch {
        /// The instruction.
        at: InstructionId,
    },
    /// Blocks nested more deeply than [`MAX_NESTING`](super::MAX_NESTING).
    TooDeep {
        /// The first instruction that goes too deep.
        at: InstructionId,
    },
}

impl FlowError {
    /// The instruction at fault.
    pub const fn at(&self) -> InstructionId {
        match *self {
            Self::Unopened { at, .. }
            | Self::Unclosed { begin: at, .. }
            | Self::Repeated { at, .. }
            | Self::JumpOutside { at, .. }
            | Self::NestedSubroutine { at, .. }
            | Self::BadCall { at, .. }
            | Self::Recursion { at, .. }
            | Self::Branch { at }
            | Self::TooDeep { at } => at,
        }
    }
}

impl fmt::Display for FlowError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unopened { at, opcode } => {
                write!(f, "`{opcode}` of {at} belongs to no open block")
            }
            Self::Unclosed { begin, opcode, ended_by: Some(end) } => {
                write!(
                    f,
                    "the `{opcode}` of {begin} is still open at {end}, which ends a block around it"
                )
            }
            Self::Unclosed { begin, opcode, ended_by: None } => {
                write!(f, "the `{opcode}` of {begin} is never closed")
            }
            Self::Repeated { at, opcode, first } => {
                write!(f, "`{opcode}` of {at} repeats that of {first} in the same block")
            }
            Self::JumpOutside { at, opcode: Opcode::Cont } => {
                write!(f, "`CONT` of {at} is in no loop")
            }
            Self::JumpOutside { at, opcode } => {
                write!(f, "`{opcode}` of {at} is in no loop and no switch")
            }
            Self::NestedSubroutine { at, outer } => {
                write!(f, "the subroutine of {at} starts within the block of {outer}")
            }
            Self::BadCall { at, label: None } => write!(f, "the call of {at} has no label"),
            Self::BadCall { at, label: Some(label) } => {
                write!(f, "the call of {at} goes to instruction {label}, which is not a `BGNSUB`")
            }
            Self::Recursion { at, subroutine } => {
                write!(f, "the call of {at} leads back into the subroutine of {subroutine}")
            }
            Self::Branch { at } => write!(f, "the branch of {at} has no structure"),
            Self::TooDeep { at } => {
                write!(f, "{at} opens a block more than {} levels deep", super::MAX_NESTING)
            }
        }
    }
}

impl std::error::Error for FlowError {}
