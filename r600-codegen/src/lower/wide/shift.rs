//! 64-bit shifts, by the low six bits of a count.

use r600_isa::AluOp;

use crate::ssa::Operand;

use super::super::Lowering;
use super::{Pair, SIGN_SHIFT};

impl Lowering<'_> {
    pub(in super::super) fn wide_shift_left(&mut self, a: Pair, count: Operand) -> Pair {
        let low = self.alu(AluOp::LshlInt, &[a[0], count]);
        let kept = self.alu(AluOp::LshlInt, &[a[1], count]);
        let crossing = self.crossing_up(a[0], count);
        let high = self.alu(AluOp::OrInt, &[kept, crossing]);
        let is_far = self.is_far(count);
        // From half the width on, the low half moves into the high one.
        [self.select_bits(is_far, Operand::ZERO, low), self.select_bits(is_far, low, high)]
    }

    pub(in super::super) fn wide_shift_right(&mut self, a: Pair, count: Operand) -> Pair {
        let high = self.alu(AluOp::LshrInt, &[a[1], count]);
        self.shifted_down(a, count, high, Operand::ZERO)
    }

    pub(super) fn wide_arithmetic_shift(&mut self, a: Pair, count: Operand) -> Pair {
        let high = self.alu(AluOp::AshrInt, &[a[1], count]);
        let sign = self.alu(AluOp::AshrInt, &[a[1], SIGN_SHIFT]);
        self.shifted_down(a, count, high, sign)
    }

    /// A shift to the right. `high` is the high half shifted, `fill` the half that comes in from above.
    fn shifted_down(&mut self, a: Pair, count: Operand, high: Operand, fill: Operand) -> Pair {
        let kept = self.alu(AluOp::LshrInt, &[a[0], count]);
        let doubled = self.alu(AluOp::LshlInt, &[a[1], Operand::int(1)]);
        let others = self.alu(AluOp::NotInt, &[count]);
        // A shift by 1 and one by 31 − n: a single shift by 32 would act as one by 0.
        let crossing = self.alu(AluOp::LshlInt, &[doubled, others]);
        let low = self.alu(AluOp::OrInt, &[kept, crossing]);
        let is_far = self.is_far(count);
        [self.select_bits(is_far, high, low), self.select_bits(is_far, fill, high)]
    }

    /// What a shift to the left moves from the low half into the high one.
    fn crossing_up(&mut self, low: Operand, count: Operand) -> Operand {
        let halved = self.alu(AluOp::LshrInt, &[low, Operand::int(1)]);
        let others = self.alu(AluOp::NotInt, &[count]);
        self.alu(AluOp::LshrInt, &[halved, others])
    }

    /// Not 0 where the count is 32 or more.
    fn is_far(&mut self, count: Operand) -> Operand {
        self.alu(AluOp::AndInt, &[count, Operand::int(32)])
    }
}
