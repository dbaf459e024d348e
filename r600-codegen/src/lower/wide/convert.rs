//! Conversions between 64-bit integers and single floats.

use r600_isa::AluOp;
use tgsi_ir::Opcode;

use crate::ssa::Operand;

use super::super::Lowering;
use super::super::pairs::{Pair, PairFn, PairSource};

/// Bits of a float's fraction without the hidden one, and the bias of its exponent.
const FRACTION_BITS: i32 = 23;
const BIAS: i32 = 127;

/// The function of a conversion.
pub(super) fn function<'a>(opcode: Opcode) -> Option<PairFn<'a>> {
    Some(match opcode {
        Opcode::U2i64 => |_, s| Ok(PairSource::Wide([s[0].low(), Operand::ZERO])),
        Opcode::I2i64 => |cx, s| {
            let sign = cx.sign_mask([Operand::ZERO, s[0].low()]);
            Ok(PairSource::Wide([s[0].low(), sign]))
        },
        Opcode::F2u64 => |cx, s| Ok(PairSource::Wide(cx.float_to_wide_unsigned(s[0].low()))),
        Opcode::F2i64 => |cx, s| Ok(PairSource::Wide(cx.float_to_wide_signed(s[0].low()))),
        Opcode::U642f => |cx, s| Ok(PairSource::Narrow(cx.wide_unsigned_to_float(s[0].pair()))),
        Opcode::I642f => |cx, s| Ok(PairSource::Narrow(cx.wide_signed_to_float(s[0].pair()))),
        _ => return None,
    })
}

impl Lowering<'_> {
    /// Truncated. A value out of range becomes the nearest integer, and a NaN becomes 0.
    fn float_to_wide_unsigned(&mut self, value: Operand) -> Pair {
        let bits = self.plain(value);
        let whole = self.float_magnitude(bits);
        let is_large = self.alu(AluOp::SetgeInt, &[bits, Operand::int((BIAS + 64) << 23)]);
        let whole = self.wide_select(is_large, [Operand::int(-1); 2], whole);
        let is_positive = self.alu(AluOp::SetgtDx10, &[bits, Operand::ZERO]);
        whole.map(|half| self.alu(AluOp::AndInt, &[half, is_positive]))
    }

    /// The same for signed integers.
    fn float_to_wide_signed(&mut self, value: Operand) -> Pair {
        let bits = self.plain(value);
        let whole = self.float_magnitude(bits);
        let magnitude = self.alu(AluOp::AndInt, &[bits, Operand::int(i32::MAX)]);
        let is_large = self.alu(AluOp::SetgeInt, &[magnitude, Operand::int((BIAS + 63) << 23)]);
        let limit = [Operand::int(-1), Operand::int(i32::MAX)];
        let sign = self.sign_mask([Operand::ZERO, bits]);
        let whole = self.wide_with_sign(whole, sign);
        // Flipped by the sign, the largest integer becomes the least one.
        let limit = limit.map(|half| self.alu(AluOp::XorInt, &[half, sign]));
        let result = self.wide_select(is_large, limit, whole);
        let is_number = self.alu(AluOp::SeteDx10, &[bits, bits]);
        result.map(|half| self.alu(AluOp::AndInt, &[half, is_number]))
    }

    /// The whole part of a float's magnitude, which must be below 2⁶⁴. Callers replace the result for larger ones.
    fn float_magnitude(&mut self, bits: Operand) -> Pair {
        let biased = self.alu(AluOp::LshrInt, &[bits, Operand::int(FRACTION_BITS)]);
        let biased = self.alu(AluOp::AndInt, &[biased, Operand::int(0xFF)]);
        let exponent = self.alu(AluOp::SubInt, &[biased, Operand::int(BIAS + FRACTION_BITS)]);
        let fraction = self.alu(AluOp::AndInt, &[bits, Operand::int(0x7F_FFFF)]);
        let fraction = self.alu(AluOp::OrInt, &[fraction, Operand::int(0x80_0000)]);
        let above = self.wide_shift_left([fraction, Operand::ZERO], exponent);
        let down = self.alu(AluOp::SubInt, &[Operand::ZERO, exponent]);
        let down = self.alu(AluOp::MinInt, &[down, Operand::int(31)]);
        let below = self.alu(AluOp::LshrInt, &[fraction, down]);
        let is_below = self.alu(AluOp::SetgtInt, &[Operand::ZERO, exponent]);
        self.wide_select(is_below, [below, Operand::ZERO], above)
    }

    fn wide_signed_to_float(&mut self, value: Pair) -> Operand {
        let magnitude = self.wide_absolute(value);
        let float = self.wide_unsigned_to_float(magnitude);
        let sign = self.alu(AluOp::AndInt, &[value[1], Operand::int(i32::MIN)]);
        self.alu(AluOp::OrInt, &[float, sign])
    }

    /// Converts the highest 32 bits, the last of which also stands for all lower ones, and scales the result. Only the
    /// conversion rounds.
    fn wide_unsigned_to_float(&mut self, value: Pair) -> Operand {
        let top = self.highest_bit(&[value[1]]);
        let shift = self.alu(AluOp::AddInt, &[top, Operand::int(1)]);
        let [low, _] = self.wide_shift_right(value, shift);
        let back = self.wide_shift_left([low, Operand::ZERO], shift);
        let lost = self.alu(AluOp::XorInt, &[back[0], value[0]]);
        let sticky = self.select_bits(lost, Operand::int(1), Operand::ZERO);
        let rounded = self.alu(AluOp::OrInt, &[low, sticky]);
        let float = self.alu(AluOp::UintToFlt, &[rounded]);
        let scale = self.power_of_two(shift);
        self.alu(AluOp::MulIeee, &[float, scale])
    }
}
