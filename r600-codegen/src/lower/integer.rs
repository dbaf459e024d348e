//! Integer sequences and conversions.

use r600_isa::{AluOp, Generation};

use crate::ssa::Operand;

use super::Lowering;

impl Lowering<'_> {
    /// `test != 0 ? chosen : other`, bit for bit.
    pub(super) fn select_bits(
        &mut self,
        test: Operand,
        chosen: Operand,
        other: Operand,
    ) -> Operand {
        self.alu(AluOp::CndeInt, &[test, other, chosen])
    }

    /// Truncation to a signed integer.
    pub(super) fn float_to_int(&mut self, src: &[Operand]) -> Operand {
        let whole = self.truncated(src[0]);
        self.alu(AluOp::FltToInt, &[whole])
    }

    /// Truncation to an unsigned integer.
    pub(super) fn float_to_uint(&mut self, src: &[Operand]) -> Operand {
        let whole = self.truncated(src[0]);
        self.alu(AluOp::FltToUint, &[whole])
    }

    /// The operand of a conversion to an integer, truncated if necessary: conversions of Evergreen follow the rounding
    /// mode, the others truncate by themselves.
    fn truncated(&mut self, value: Operand) -> Operand {
        match self.generation {
            Generation::Evergreen => self.alu(AluOp::Trunc, &[value]),
            Generation::R600 | Generation::R700 | Generation::Cayman => value,
        }
    }

    /// The floor as a signed integer.
    pub(super) fn floor_to_int(&mut self, src: &[Operand]) -> Operand {
        let floor = self.alu(AluOp::Floor, src);
        self.alu(AluOp::FltToInt, &[floor])
    }

    /// `⌊a + ½⌋` as a signed integer.
    pub(super) fn round_to_int(&mut self, src: &[Operand]) -> Operand {
        let moved = self.alu(AluOp::Add, &[src[0], Operand::HALF]);
        self.floor_to_int(&[moved])
    }

    /// `a·b + c` modulo 2³².
    pub(super) fn integer_multiply_add(&mut self, src: &[Operand]) -> Operand {
        let product = self.alu(AluOp::MulloUint, &[src[0], src[1]]);
        self.alu(AluOp::AddInt, &[product, src[2]])
    }

    /// |a|.
    pub(super) fn integer_absolute(&mut self, src: &[Operand]) -> Operand {
        let negated = self.alu(AluOp::SubInt, &[Operand::ZERO, src[0]]);
        self.alu(AluOp::MaxInt, &[src[0], negated])
    }

    /// −1, 0 or 1 by sign.
    pub(super) fn integer_sign(&mut self, src: &[Operand]) -> Operand {
        let low = self.alu(AluOp::MaxInt, &[src[0], Operand::int(-1)]);
        self.alu(AluOp::MinInt, &[low, Operand::int(1)])
    }
}
