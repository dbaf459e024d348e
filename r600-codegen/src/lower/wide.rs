//! 64-bit integers, by operations on their halves.

mod convert;
mod division;
mod shift;

use r600_isa::AluOp;
use tgsi_ir::Opcode;

use crate::ssa::Operand;

use super::Lowering;
use super::pairs::{Pair, PairFn, PairSource};

/// The position of the sign in a half.
const SIGN_SHIFT: Operand = Operand::int(31);

/// The function of an opcode on integers of 64 bits.
pub(super) fn function<'a>(opcode: Opcode) -> Option<PairFn<'a>> {
    arithmetic(opcode).or_else(|| comparison(opcode)).or_else(|| convert::function(opcode))
}

/// A function of one pair, of two pairs, or of a pair and a count.
macro_rules! wide {
    ($method:ident, 1) => {
        |cx, s| Ok(PairSource::Wide(cx.$method(s[0].pair())))
    };
    ($method:ident, 2) => {
        |cx, s| Ok(PairSource::Wide(cx.$method(s[0].pair(), s[1].pair())))
    };
    ($method:ident, count) => {
        |cx, s| Ok(PairSource::Wide(cx.$method(s[0].pair(), s[1].low())))
    };
}

fn arithmetic<'a>(opcode: Opcode) -> Option<PairFn<'a>> {
    Some(match opcode {
        Opcode::U64add => wide!(wide_sum, 2),
        Opcode::U64mul => wide!(wide_product, 2),
        Opcode::I64neg => wide!(wide_negated, 1),
        Opcode::I64abs => wide!(wide_absolute, 1),
        Opcode::I64ssg => wide!(wide_sign, 1),
        Opcode::U64min => |cx, s| Ok(cx.wide_extreme(s, AluOp::SetgtUint, false)),
        Opcode::U64max => |cx, s| Ok(cx.wide_extreme(s, AluOp::SetgtUint, true)),
        Opcode::I64min => |cx, s| Ok(cx.wide_extreme(s, AluOp::SetgtInt, false)),
        Opcode::I64max => |cx, s| Ok(cx.wide_extreme(s, AluOp::SetgtInt, true)),
        Opcode::U64shl => wide!(wide_shift_left, count),
        Opcode::U64shr => wide!(wide_shift_right, count),
        Opcode::I64shr => wide!(wide_arithmetic_shift, count),
        Opcode::U64div => wide!(wide_unsigned_quotient, 2),
        Opcode::U64mod => wide!(wide_unsigned_remainder, 2),
        Opcode::I64div => wide!(wide_signed_quotient, 2),
        Opcode::I64mod => wide!(wide_signed_remainder, 2),
        _ => return None,
    })
}

fn comparison<'a>(opcode: Opcode) -> Option<PairFn<'a>> {
    Some(match opcode {
        Opcode::U64seq => |cx, s| Ok(cx.wide_equal(s, AluOp::SeteInt)),
        Opcode::U64sne => |cx, s| Ok(cx.wide_equal(s, AluOp::SetneInt)),
        Opcode::U64slt => |cx, s| Ok(cx.wide_order(s, AluOp::SetgtUint, true)),
        Opcode::U64sge => |cx, s| Ok(cx.wide_order(s, AluOp::SetgtUint, false)),
        Opcode::I64slt => |cx, s| Ok(cx.wide_order(s, AluOp::SetgtInt, true)),
        Opcode::I64sge => |cx, s| Ok(cx.wide_order(s, AluOp::SetgtInt, false)),
        _ => return None,
    })
}

impl Lowering<'_> {
    pub(super) fn wide_sum(&mut self, a: Pair, b: Pair) -> Pair {
        let low = self.alu(AluOp::AddInt, &[a[0], b[0]]);
        // All ones, that is −1, where the low halves carry.
        let carry = self.alu(AluOp::SetgtUint, &[a[0], low]);
        let high = self.alu(AluOp::AddInt, &[a[1], b[1]]);
        [low, self.alu(AluOp::SubInt, &[high, carry])]
    }

    pub(super) fn wide_difference(&mut self, a: Pair, b: Pair) -> Pair {
        let low = self.alu(AluOp::SubInt, &[a[0], b[0]]);
        let borrow = self.alu(AluOp::SetgtUint, &[b[0], a[0]]);
        let high = self.alu(AluOp::SubInt, &[a[1], b[1]]);
        [low, self.alu(AluOp::AddInt, &[high, borrow])]
    }

    pub(super) fn wide_negated(&mut self, a: Pair) -> Pair {
        self.wide_difference([Operand::ZERO; 2], a)
    }

    /// `a`, negated where `sign` is all ones rather than 0.
    pub(super) fn wide_with_sign(&mut self, a: Pair, sign: Operand) -> Pair {
        let flipped = a.map(|half| self.alu(AluOp::XorInt, &[half, sign]));
        self.wide_difference(flipped, [sign; 2])
    }

    pub(super) fn wide_absolute(&mut self, a: Pair) -> Pair {
        let sign = self.sign_mask(a);
        self.wide_with_sign(a, sign)
    }

    /// All ones for a negative number, else 0.
    pub(super) fn sign_mask(&mut self, a: Pair) -> Operand {
        self.alu(AluOp::AshrInt, &[a[1], SIGN_SHIFT])
    }

    /// −1, 0 or 1.
    fn wide_sign(&mut self, a: Pair) -> Pair {
        let negative = self.sign_mask(a);
        let any = self.alu(AluOp::OrInt, &[a[0], a[1]]);
        let is_not_zero = self.alu(AluOp::SetneInt, &[any, Operand::ZERO]);
        let one = self.alu(AluOp::AndInt, &[is_not_zero, Operand::int(1)]);
        [self.alu(AluOp::OrInt, &[one, negative]), negative]
    }

    /// The product modulo 2⁶⁴.
    fn wide_product(&mut self, a: Pair, b: Pair) -> Pair {
        let low = self.alu(AluOp::MulloUint, &[a[0], b[0]]);
        let high = self.alu(AluOp::MulhiUint, &[a[0], b[0]]);
        let first = self.alu(AluOp::MulloUint, &[a[0], b[1]]);
        let second = self.alu(AluOp::MulloUint, &[a[1], b[0]]);
        let cross = self.alu(AluOp::AddInt, &[first, second]);
        [low, self.alu(AluOp::AddInt, &[high, cross])]
    }

    /// All ones where `a > b`; `greater` compares the high halves.
    pub(super) fn wide_greater(&mut self, a: Pair, b: Pair, greater: AluOp) -> Operand {
        let high = self.alu(greater, &[a[1], b[1]]);
        let low = self.alu(AluOp::SetgtUint, &[a[0], b[0]]);
        let same = self.alu(AluOp::SeteInt, &[a[1], b[1]]);
        let low = self.alu(AluOp::AndInt, &[low, same]);
        self.alu(AluOp::OrInt, &[high, low])
    }

    pub(super) fn wide_select(&mut self, test: Operand, chosen: Pair, other: Pair) -> Pair {
        [0, 1].map(|half| self.select_bits(test, chosen[half], other[half]))
    }

    /// The larger or the smaller one.
    fn wide_extreme(&mut self, s: &[PairSource], greater: AluOp, larger: bool) -> PairSource {
        let [a, b] = [s[0].pair(), s[1].pair()];
        let is_greater = self.wide_greater(a, b, greater);
        let (chosen, other) = if larger { (a, b) } else { (b, a) };
        PairSource::Wide(self.wide_select(is_greater, chosen, other))
    }

    /// Whether two pairs are equal or differ, as `op` tests.
    fn wide_equal(&mut self, s: &[PairSource], op: AluOp) -> PairSource {
        let [a, b] = [s[0].pair(), s[1].pair()];
        let differs = [0, 1].map(|half| self.alu(AluOp::XorInt, &[a[half], b[half]]));
        let any = self.alu(AluOp::OrInt, &differs);
        PairSource::Narrow(self.alu(op, &[any, Operand::ZERO]))
    }

    /// Whether the first pair is less than the second, or with `less` false, whether it is not.
    fn wide_order(&mut self, s: &[PairSource], greater: AluOp, less: bool) -> PairSource {
        let is_less = self.wide_greater(s[1].pair(), s[0].pair(), greater);
        PairSource::Narrow(if less { is_less } else { self.alu(AluOp::NotInt, &[is_less]) })
    }
}
