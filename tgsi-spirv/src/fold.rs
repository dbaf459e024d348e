//! Evaluates operations on specialisation constants.

use std::cmp::Ordering;

use spirv::Op;

use crate::types::Kind;

/// Type of the scalars that an operation works on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scalar {
    pub(crate) kind: Kind,
    pub(crate) bits: u8,
}

impl Scalar {
    /// The value without the bits beyond the type's width.
    pub(crate) fn truncate(self, value: u64) -> u64 {
        if self.bits == 64 { value } else { value & 0xffff_ffff }
    }

    pub(crate) fn signed(self, value: u64) -> i64 {
        if self.bits == 64 { value as i64 } else { i64::from(value as u32 as i32) }
    }

    pub(crate) fn unsigned(self, value: u64) -> u64 {
        self.truncate(value)
    }

    pub(crate) fn float(self, value: u64) -> f64 {
        if self.bits == 64 {
            f64::from_bits(value)
        } else {
            f64::from(f32::from_bits(value as u32))
        }
    }

    /// Converts in a single rounding. A 64-bit integer that became a double first would be rounded twice.
    fn of_integer(self, value: i128) -> u64 {
        if self.bits == 64 { (value as f64).to_bits() } else { u64::from((value as f32).to_bits()) }
    }

    fn of_float(self, value: f64) -> u64 {
        if self.bits == 64 { value.to_bits() } else { u64::from((value as f32).to_bits()) }
    }
}

/// One component of an operation's result, or `None` if the operation cannot be folded.
pub(crate) fn fold(op: Op, from: Scalar, to: Scalar, args: &[u64]) -> Option<u64> {
    let result = match *args {
        [a] => unary(op, from, to, a)?,
        [a, b] => binary(op, from, a, b)?,
        [a, b, c] if op == Op::Select => {
            if a & 1 != 0 {
                b
            } else {
                c
            }
        }
        _ => return None,
    };
    Some(if matches!(to.kind, Kind::Bool) { result & 1 } else { to.truncate(result) })
}

fn unary(op: Op, from: Scalar, to: Scalar, a: u64) -> Option<u64> {
    Some(match op {
        Op::SNegate => from.signed(a).wrapping_neg() as u64,
        Op::Not => !a,
        Op::LogicalNot => u64::from(a & 1 == 0),
        Op::SConvert => from.signed(a) as u64,
        Op::UConvert => from.unsigned(a),
        Op::FConvert => to.of_float(from.float(a)),
        Op::FNegate => to.of_float(-from.float(a)),
        Op::ConvertSToF => to.of_integer(from.signed(a).into()),
        Op::ConvertUToF => to.of_integer(from.unsigned(a).into()),
        Op::QuantizeToF16 => to.of_float(quantized(from.float(a))),
        Op::ConvertFToS => from.float(a) as i64 as u64,
        Op::ConvertFToU => from.float(a) as u64,
        Op::Bitcast => a,
        _ => return None,
    })
}

/// The nearest number that is a normal 16-bit float. A number too small for that becomes zero with the same sign.
fn quantized(value: f64) -> f64 {
    /// The least magnitude that rounds to infinity, the number of fraction bits, and the least exponent.
    const TOO_LARGE: f64 = 65520.0;
    const FRACTION: i32 = 10;
    const LEAST: i32 = -14;
    if !value.is_finite() {
        return value;
    }
    if value.abs() >= TOO_LARGE {
        return f64::INFINITY.copysign(value);
    }
    let exponent = (value.to_bits() >> 52 & 0x7FF) as i32 - 1023;
    if exponent < LEAST {
        return 0f64.copysign(value);
    }
    let step = 2f64.powi(exponent - FRACTION);
    (value / step).round_ties_even() * step
}

fn binary(op: Op, from: Scalar, a: u64, b: u64) -> Option<u64> {
    let (sa, sb) = (from.signed(a), from.signed(b));
    let (ua, ub) = (from.unsigned(a), from.unsigned(b));
    Some(match op {
        Op::IAdd => a.wrapping_add(b),
        Op::ISub => a.wrapping_sub(b),
        Op::IMul => a.wrapping_mul(b),
        Op::UDiv => ua.checked_div(ub).unwrap_or(0),
        Op::SDiv => sa.checked_div(sb).unwrap_or(0) as u64,
        Op::UMod => ua.checked_rem(ub).unwrap_or(0),
        Op::SRem => sa.checked_rem(sb).unwrap_or(0) as u64,
        Op::SMod => modulo(sa, sb) as u64,
        Op::ShiftLeftLogical => ua.checked_shl(ub as u32).unwrap_or(0),
        Op::ShiftRightLogical => ua.checked_shr(ub as u32).unwrap_or(0),
        Op::ShiftRightArithmetic => (sa >> ub.min(63)) as u64,
        Op::BitwiseAnd => a & b,
        Op::BitwiseOr => a | b,
        Op::BitwiseXor => a ^ b,
        Op::LogicalAnd => a & b & 1,
        Op::LogicalOr => (a | b) & 1,
        Op::LogicalEqual => u64::from(a & 1 == b & 1),
        Op::LogicalNotEqual => u64::from(a & 1 != b & 1),
        Op::IEqual => u64::from(ua == ub),
        Op::INotEqual => u64::from(ua != ub),
        Op::ULessThan => u64::from(ua < ub),
        Op::ULessThanEqual => u64::from(ua <= ub),
        Op::UGreaterThan => u64::from(ua > ub),
        Op::UGreaterThanEqual => u64::from(ua >= ub),
        Op::SLessThan => u64::from(sa < sb),
        Op::SLessThanEqual => u64::from(sa <= sb),
        Op::SGreaterThan => u64::from(sa > sb),
        Op::SGreaterThanEqual => u64::from(sa >= sb),
        _ => return float(op, from, a, b),
    })
}

fn modulo(a: i64, b: i64) -> i64 {
    let rest = a.checked_rem(b).unwrap_or(0);
    if rest != 0 && (rest < 0) != (b < 0) { rest.wrapping_add(b) } else { rest }
}

fn float(op: Op, from: Scalar, a: u64, b: u64) -> Option<u64> {
    let (fa, fb) = (from.float(a), from.float(b));
    Some(match op {
        Op::FAdd => from.of_float(fa + fb),
        Op::FSub => from.of_float(fa - fb),
        Op::FMul => from.of_float(fa * fb),
        Op::FDiv => from.of_float(fa / fb),
        Op::FOrdEqual => u64::from(fa == fb),
        // False where either is NaN.
        Op::FOrdNotEqual => u64::from(fa.partial_cmp(&fb).is_some_and(Ordering::is_ne)),
        Op::FUnordNotEqual => u64::from(fa != fb),
        Op::FOrdLessThan => u64::from(fa < fb),
        Op::FOrdGreaterThan => u64::from(fa > fb),
        Op::FOrdLessThanEqual => u64::from(fa <= fb),
        Op::FOrdGreaterThanEqual => u64::from(fa >= fb),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signed_and_unsigned_differ() {
        let int = Scalar { kind: Kind::Int { signed: true }, bits: 32 };
        let minus_seven = u64::from(-7i32 as u32);
        assert_eq!(fold(Op::SMod, int, int, &[minus_seven, 3]), Some(2));
        assert_eq!(fold(Op::SRem, int, int, &[minus_seven, 3]), Some(u64::from(-1i32 as u32)));
        assert_eq!(fold(Op::UDiv, int, int, &[minus_seven, 2]), Some(0x7fff_fffc));
        assert_eq!(fold(Op::SDiv, int, int, &[1, 0]), Some(0));
        assert_eq!(fold(Op::Dot, int, int, &[1, 0]), None);
    }

    #[test]
    fn integers_become_floats_at_once() {
        let int = Scalar { kind: Kind::Int { signed: true }, bits: 64 };
        let float = |bits| Scalar { kind: Kind::Float, bits };
        // Just above the midpoint between two floats. The nearest double is the midpoint itself.
        let value = (1_u64 << 60) + (1 << 36) + 1;
        let above = u64::from((2f32.powi(60) + 2f32.powi(37)).to_bits());
        assert_eq!(fold(Op::ConvertSToF, int, float(32), &[value]), Some(above));
        assert_eq!(fold(Op::ConvertUToF, int, float(32), &[value]), Some(above));
        let below = u64::from((-(2f32.powi(60) + 2f32.powi(37))).to_bits());
        assert_eq!(fold(Op::ConvertSToF, int, float(32), &[value.wrapping_neg()]), Some(below));
        assert_eq!(fold(Op::ConvertSToF, int, float(64), &[3]), Some(3f64.to_bits()));
    }

    #[test]
    fn floats_are_quantized_to_16_bits() {
        let float = Scalar { kind: Kind::Float, bits: 32 };
        for (value, want) in [
            (1.0 + 1.0 / 2048.0, 1.0),
            (1.0 + 3.0 / 2048.0, 1.0 + 1.0 / 512.0),
            (-65519.0, -65504.0),
            (65520.0, f32::INFINITY),
            (-1e30, f32::NEG_INFINITY),
            (2f32.powi(-25), 0.0),
            // Too small for a normal number.
            (3.0 * 2f32.powi(-25), 0.0),
            (-(2f32.powi(-14).next_down()), -0.0),
            (2f32.powi(-14), 2f32.powi(-14)),
            (-0.0, -0.0),
        ] {
            let got = fold(Op::QuantizeToF16, float, float, &[f32::to_bits(value).into()]);
            assert_eq!(got, Some(want.to_bits().into()), "{value}");
        }
    }
}
