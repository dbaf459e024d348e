//! Rounding of doubles to whole numbers.

use r600_isa::AluOp;
use tgsi_ir::Opcode;

use crate::ssa::Operand;

use super::super::Lowering;
use super::super::pairs::{Pair, PairFn, PairSource};
use super::{ONE, SIGN};

/// 2⁵²: sums with it have no fraction.
const WHOLE_ONLY: Pair = [Operand::ZERO, Operand::constant(0x4330_0000)];
/// −2⁵².
const MINUS_WHOLE_ONLY: Pair = [Operand::ZERO, Operand::constant(0xC330_0000)];

/// The function of a rounding opcode.
pub(super) fn function<'a>(opcode: Opcode) -> Option<PairFn<'a>> {
    Some(match opcode {
        Opcode::Dround => |cx, s| Ok(PairSource::Wide(cx.double_round(s[0].pair()))),
        Opcode::Dflr => |cx, s| Ok(PairSource::Wide(cx.double_floor(s[0].pair()))),
        Opcode::Dceil => |cx, s| Ok(PairSource::Wide(cx.double_ceil(s[0].pair()))),
        Opcode::Dtrunc => |cx, s| Ok(PairSource::Wide(cx.double_trunc(s[0].pair()))),
        _ => return None,
    })
}

impl Lowering<'_> {
    /// To the nearest whole number, halves to even. The sign stays, even that of a zero.
    fn double_round(&mut self, a: Pair) -> Pair {
        let high = self.plain_high(a[1]);
        let sign = self.alu(AluOp::AndInt, &[high, SIGN]);
        let magnitude = [a[0], self.alu(AluOp::XorInt, &[high, sign])];
        let sum = self.double(AluOp::Add64, &[magnitude, WHOLE_ONLY]);
        let rounded = self.double(AluOp::Add64, &[sum, MINUS_WHOLE_ONLY]);
        // Larger numbers are whole; infinities and NaN stay, too.
        let is_small = self.compare_doubles(AluOp::Setgt64, WHOLE_ONLY, magnitude);
        let [low, high] = self.wide_select(is_small, rounded, magnitude);
        [low, self.alu(AluOp::OrInt, &[high, sign])]
    }

    /// `rounded + by` if `rounded` is on the wrong side of the original value, else `rounded`. A zero keeps its sign,
    /// because nothing is added to it in that case.
    fn double_corrected(&mut self, rounded: Pair, is_beyond: Operand, by: Pair) -> Pair {
        let moved = self.double(AluOp::Add64, &[rounded, by]);
        self.wide_select(is_beyond, moved, rounded)
    }

    fn double_floor(&mut self, a: Pair) -> Pair {
        let rounded = self.double_round(a);
        let is_above = self.compare_doubles(AluOp::Setgt64, rounded, a);
        self.double_corrected(rounded, is_above, [ONE[0], Operand::constant(0xBFF0_0000)])
    }

    fn double_ceil(&mut self, a: Pair) -> Pair {
        let rounded = self.double_round(a);
        let is_below = self.compare_doubles(AluOp::Setgt64, a, rounded);
        let [low, high] = self.double_corrected(rounded, is_below, ONE);
        // Values between −1 and 0 give −0.
        let original = self.plain_high(a[1]);
        let sign = self.alu(AluOp::AndInt, &[original, SIGN]);
        [low, self.alu(AluOp::OrInt, &[high, sign])]
    }

    /// Towards zero: the floor of the magnitude with the sign.
    pub(super) fn double_trunc(&mut self, a: Pair) -> Pair {
        let high = self.plain_high(a[1]);
        let sign = self.alu(AluOp::AndInt, &[high, SIGN]);
        let magnitude = [a[0], self.alu(AluOp::XorInt, &[high, sign])];
        let [low, high] = self.double_floor(magnitude);
        [low, self.alu(AluOp::OrInt, &[high, sign])]
    }
}
