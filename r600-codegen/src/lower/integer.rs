//! Integer sequences and conversions.

use r600_isa::{AluOp, Generation};
use tgsi_ir::Instruction;

use crate::ssa::Operand;

use super::arithmetic::mask;
use super::{LowerError, Lowering};

impl Lowering<'_> {
    /// `a != 0 ? b : c`: the test is an integer's, the arms keep their bits (and float modifiers).
    pub(super) fn integer_select(
        &mut self,
        inst: &Instruction,
    ) -> Result<[Option<Operand>; 4], LowerError> {
        let mut values = [None; 4];
        for component in mask(inst).iter() {
            let test = self.int_source(inst, 0, component)?;
            let chosen = self.float_source(inst, 1, component)?;
            let other = self.float_source(inst, 2, component)?;
            values[component.index()] = Some(self.select_bits(test, chosen, other));
        }
        Ok(values)
    }

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

    /// What a conversion to an integer truncates: Evergreen's follow the rounding mode, the others truncate
    /// by themselves.
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
