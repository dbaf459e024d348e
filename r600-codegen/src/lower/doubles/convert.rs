//! Conversions of doubles.
//!
//! For an integer of 32 bits, the low half of a power of two is replaced by the integer, and the power is subtracted.
//! The reverse adds the power and takes the low half. Both are exact. Integers of 64 bits are converted by halves,
//! whose sum is rounded; the reverse shifts the fraction.

use r600_isa::AluOp;
use tgsi_ir::Opcode;

use crate::ssa::Operand;

use super::super::Lowering;
use super::super::pairs::{Pair, PairFn, PairSource};
use super::SIGN;

/// High halves of 2⁵² and 2⁸⁴. With the first, the low half counts in ones; with the second, in steps of 2³².
const ONES: Operand = Operand::constant(0x4330_0000);
const STEPS: Operand = Operand::constant(0x4530_0000);
/// −2⁵², −(2⁵² + 2³¹), −2⁸⁴ and −(2⁸⁴ + 2⁶³).
const MINUS_ONES: Pair = [Operand::ZERO, Operand::constant(0xC330_0000)];
const MINUS_SIGNED_ONES: Pair = [SIGN, Operand::constant(0xC330_0000)];
const MINUS_STEPS: Pair = [Operand::ZERO, Operand::constant(0xC530_0000)];
const MINUS_SIGNED_STEPS: Pair = [SIGN, Operand::constant(0xC530_0000)];
/// 2⁵² + 2⁵¹: added, it leaves a small signed integer in the low half.
const SIGNED_ROOM: Pair = [Operand::ZERO, Operand::constant(0x4338_0000)];
/// The largest and least integers of 32 bits.
const U32_MAX: Pair = [Operand::constant(0xFFE0_0000), Operand::constant(0x41EF_FFFF)];
const I32_MAX: Pair = [Operand::constant(0xFFC0_0000), Operand::constant(0x41DF_FFFF)];
const I32_MIN: Pair = [Operand::ZERO, Operand::constant(0xC1E0_0000)];

/// Bits of the fraction without the hidden one, and the bias of the exponent.
const FRACTION_BITS: i32 = 52;
const BIAS: i32 = 1023;

/// The function of a conversion.
pub(super) fn function<'a>(opcode: Opcode) -> Option<PairFn<'a>> {
    Some(match opcode {
        Opcode::F2d => |cx, s| {
            let pair = [Operand::ZERO, s[0].low()];
            Ok(PairSource::Wide(cx.double(AluOp::Flt32ToFlt64, &[pair])))
        },
        Opcode::D2f => |cx, s| {
            let results = cx.double_inst(AluOp::Flt64ToFlt32, &[s[0].pair()]);
            Ok(PairSource::Narrow(results[0]))
        },
        Opcode::U2d => |cx, s| Ok(PairSource::Wide(cx.unsigned_to_double(s[0].low()))),
        Opcode::I2d => |cx, s| Ok(PairSource::Wide(cx.signed_to_double(s[0].low()))),
        Opcode::D2u => |cx, s| Ok(PairSource::Narrow(cx.double_to_unsigned(s[0].pair()))),
        Opcode::D2i => |cx, s| Ok(PairSource::Narrow(cx.double_to_signed(s[0].pair()))),
        Opcode::U642d => |cx, s| Ok(PairSource::Wide(cx.wide_to_double(s[0].pair(), false))),
        Opcode::I642d => |cx, s| Ok(PairSource::Wide(cx.wide_to_double(s[0].pair(), true))),
        Opcode::D2u64 => |cx, s| Ok(PairSource::Wide(cx.double_to_wide_unsigned(s[0].pair()))),
        Opcode::D2i64 => |cx, s| Ok(PairSource::Wide(cx.double_to_wide_signed(s[0].pair()))),
        _ => return None,
    })
}

impl Lowering<'_> {
    fn unsigned_to_double(&mut self, value: Operand) -> Pair {
        self.double(AluOp::Add64, &[[value, ONES], MINUS_ONES])
    }

    fn signed_to_double(&mut self, value: Operand) -> Pair {
        let biased = self.alu(AluOp::XorInt, &[value, SIGN]);
        self.double(AluOp::Add64, &[[biased, ONES], MINUS_SIGNED_ONES])
    }

    /// Both halves are exact; their sum is rounded once.
    fn wide_to_double(&mut self, [low, high]: Pair, is_signed: bool) -> Pair {
        let low = self.unsigned_to_double(low);
        let high = if is_signed {
            let biased = self.alu(AluOp::XorInt, &[high, SIGN]);
            self.double(AluOp::Add64, &[[biased, STEPS], MINUS_SIGNED_STEPS])
        } else {
            self.double(AluOp::Add64, &[[high, STEPS], MINUS_STEPS])
        };
        self.double(AluOp::Add64, &[high, low])
    }

    /// Truncated and clamped; a NaN gives 0.
    fn double_to_unsigned(&mut self, value: Pair) -> Operand {
        let raised = self.double(AluOp::Max64, &[value, [Operand::ZERO; 2]]);
        let clamped = self.double(AluOp::Min64, &[raised, U32_MAX]);
        let whole = self.double_trunc(clamped);
        self.double(AluOp::Add64, &[whole, [Operand::ZERO, ONES]])[0]
    }

    /// The same for signed integers.
    fn double_to_signed(&mut self, value: Pair) -> Operand {
        let raised = self.double(AluOp::Max64, &[value, I32_MIN]);
        let clamped = self.double(AluOp::Min64, &[raised, I32_MAX]);
        let whole = self.double_trunc(clamped);
        let low = self.double(AluOp::Add64, &[whole, SIGNED_ROOM])[0];
        let is_number = self.compare_doubles(AluOp::Sete64, value, value);
        self.alu(AluOp::AndInt, &[low, is_number])
    }

    fn double_to_wide_unsigned(&mut self, value: Pair) -> Pair {
        let high = self.plain_high(value[1]);
        let whole = self.double_magnitude([value[0], high]);
        let is_large = self.alu(AluOp::SetgeInt, &[high, Operand::int((BIAS + 64) << 20)]);
        let whole = self.wide_select(is_large, [Operand::int(-1); 2], whole);
        let is_positive = self.compare_doubles(AluOp::Setgt64, value, [Operand::ZERO; 2]);
        whole.map(|half| self.alu(AluOp::AndInt, &[half, is_positive]))
    }

    fn double_to_wide_signed(&mut self, value: Pair) -> Pair {
        let high = self.plain_high(value[1]);
        let whole = self.double_magnitude([value[0], high]);
        let sign = self.sign_mask([value[0], high]);
        let whole = self.wide_with_sign(whole, sign);
        let magnitude = self.alu(AluOp::AndInt, &[high, Operand::int(i32::MAX)]);
        let is_large = self.alu(AluOp::SetgeInt, &[magnitude, Operand::int((BIAS + 63) << 20)]);
        let limit = [Operand::int(-1), Operand::int(i32::MAX)];
        let limit = limit.map(|half| self.alu(AluOp::XorInt, &[half, sign]));
        let result = self.wide_select(is_large, limit, whole);
        let is_number = self.compare_doubles(AluOp::Sete64, value, value);
        result.map(|half| self.alu(AluOp::AndInt, &[half, is_number]))
    }

    /// The whole part of a double's magnitude, which must be below 2⁶⁴. Callers replace the result for larger ones.
    fn double_magnitude(&mut self, [low, high]: Pair) -> Pair {
        let biased = self.alu(AluOp::LshrInt, &[high, Operand::int(20)]);
        let biased = self.alu(AluOp::AndInt, &[biased, Operand::int(0x7FF)]);
        let exponent = self.alu(AluOp::SubInt, &[biased, Operand::int(BIAS + FRACTION_BITS)]);
        let fraction = self.alu(AluOp::AndInt, &[high, Operand::int(0xF_FFFF)]);
        let fraction = [low, self.alu(AluOp::OrInt, &[fraction, Operand::int(0x10_0000)])];
        let above = self.wide_shift_left(fraction, exponent);
        let down = self.alu(AluOp::SubInt, &[Operand::ZERO, exponent]);
        let down = self.alu(AluOp::MinInt, &[down, Operand::int(63)]);
        let below = self.wide_shift_right(fraction, down);
        let is_below = self.alu(AluOp::SetgtInt, &[Operand::ZERO, exponent]);
        self.wide_select(is_below, below, above)
    }
}
