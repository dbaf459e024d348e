//! What is among the operands of an instruction, to pass over rows that ask for something else.

use r600_isa::AluOp;

use crate::ssa::{Function, Operand};

use super::table::Pattern;

/// A set of kinds of operands: a constant, the result of any ALU operation, the result of a certain one. Operations share
/// bits, so that a set may seem to have more than it has, and never less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Kinds(u64);

const CONSTANT: u64 = 1 << 63;
const RESULT: u64 = 1 << 62;

/// Bits for operations.
const OPERATIONS: u16 = 62;

const fn result_of(op: AluOp) -> u64 {
    RESULT | 1 << (op as u16 % OPERATIONS)
}

impl Kinds {
    /// What must be among the operands for `patterns` to match, in whatever order.
    pub(super) const fn asked_by(patterns: &[Pattern]) -> Self {
        let (mut asked, mut at) = (0, 0);
        while at < patterns.len() {
            asked |= match patterns[at] {
                Pattern::Bind(_) | Pattern::Again(..) => 0,
                Pattern::Bits(_) | Pattern::Constant(_) => CONSTANT,
                Pattern::Any(..) => RESULT,
                Pattern::Inst { op, .. } => result_of(op),
            };
            at += 1;
        }
        Self(asked)
    }

    /// What is among `operands`.
    pub(super) fn of(function: &Function, operands: &[Operand]) -> Self {
        let kind = |operand: &Operand| match (operand.as_const(), function.def_alu(*operand)) {
            (Some(_), _) => CONSTANT,
            (None, Some(def)) => result_of(def.op),
            (None, None) => 0,
        };
        Self(operands.iter().map(kind).fold(0, |all, kind| all | kind))
    }

    /// Whether all of `asked` is here.
    pub(super) const fn has(self, asked: Self) -> bool {
        asked.0 & !self.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_any_operand_answers_asks_for_nothing() {
        let nothing = Kinds::asked_by(&[Pattern::Bind(0), Pattern::Again(0, true)]);
        assert!(Kinds(0).has(nothing));
    }

    #[test]
    fn each_kind_is_asked_for_by_itself() {
        let of = |op| Pattern::Inst { op, is_negated: false, is_alone: false, args: &[] };
        let kinds = [
            Kinds::asked_by(&[Pattern::Bits(0)]),
            Kinds::asked_by(&[of(AluOp::Floor)]),
            Kinds::asked_by(&[of(AluOp::Fract)]),
        ];
        for (a, kind) in kinds.iter().enumerate() {
            for (b, asked) in kinds.iter().enumerate() {
                assert_eq!(kind.has(*asked), a == b, "{kind:?} {asked:?}");
            }
        }
        assert!(kinds[1].has(Kinds::asked_by(&[Pattern::Any(0, true)])));
        assert!(!kinds[0].has(Kinds::asked_by(&[Pattern::Any(0, true)])));
    }
}
