//! The kinds of an instruction's operands, to skip rows that require others.

use r600_isa::AluOp;

use crate::ssa::{Function, Operand};

/// A set of kinds of operands: a constant, the result of any ALU operation, the result of a certain one. Operations
/// share bits, so a set may seem to contain operations that it lacks, but never the reverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds(u32);

/// Number of bits for operations.
const OPERATIONS: u16 = 30;

impl Kinds {
    /// Nothing.
    pub(super) const NONE: Self = Self(0);

    /// A constant.
    pub(super) const CONSTANT: Self = Self(1 << 31);

    /// The result of an ALU operation.
    pub(super) const RESULT: Self = Self(1 << 30);

    /// The result of `op`.
    pub(super) const fn result_of(op: AluOp) -> Self {
        Self(Self::RESULT.0 | 1 << (op as u16 % OPERATIONS))
    }

    /// The union of both.
    pub(super) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The kinds of `operands`.
    pub(super) fn of(function: &Function, operands: &[Operand]) -> Self {
        let kind = |operand: &Operand| match (operand.as_const(), function.def_alu(*operand)) {
            (Some(_), _) => Self::CONSTANT,
            (None, Some(def)) => Self::result_of(def.op),
            (None, None) => Self::NONE,
        };
        operands.iter().map(kind).fold(Self::NONE, Self::with)
    }

    /// Whether the set contains all of `asked`.
    pub(super) const fn has(self, asked: Self) -> bool {
        asked.0 & !self.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_is_requested_separately() {
        let kinds =
            [Kinds::CONSTANT, Kinds::result_of(AluOp::Floor), Kinds::result_of(AluOp::Fract)];
        for (a, kind) in kinds.iter().enumerate() {
            for (b, asked) in kinds.iter().enumerate() {
                assert_eq!(kind.has(*asked), a == b, "{kind:?} {asked:?}");
            }
            assert!(kind.has(Kinds::NONE), "{kind:?}");
            assert_eq!(kind.has(Kinds::RESULT), a > 0, "{kind:?}");
        }
    }
}
