//! Double precision: one value fills two channels, the low half in the even one.
//!
//! The even slot of a pair reads the high halves of its operands and the odd slot the low ones. Results are written the
//! other way round. A product takes four slots, of which the first three read the high halves.

use r600_isa::AluOp;

use super::{JointFn, Operands};

/// The function of an instruction that fills the slots x, y or z, w; results come in slot order.
pub(crate) fn find_pair(op: AluOp) -> Option<JointFn> {
    Some(match op {
        AluOp::Add64 => |s| pair(s, |a, b| a + b),
        AluOp::Min64 => |s| pair(s, |a, b| if b.is_nan() || a <= b { a } else { b }),
        AluOp::Max64 => |s| pair(s, |a, b| if b.is_nan() || a >= b { a } else { b }),
        AluOp::Fract64 => |s| pair(s, |a, _| a - a.floor()),
        AluOp::Ldexp64 => |s| split(scale(pair_operand(s, 0), s[0][1] as i32)),
        AluOp::Flt64ToFlt32 => |s| [(pair_operand(s, 0) as f32).to_bits(), 0, 0, 0],
        AluOp::Flt32ToFlt64 => |s| split(f64::from(f32::from_bits(s[0][0]))),
        AluOp::Cndne64 => select,
        _ => return None,
    })
}

/// The test of a comparing instruction that fills two slots.
pub(crate) fn find_test(op: AluOp) -> Option<fn(f64, f64) -> bool> {
    Some(match op {
        AluOp::Sete64 | AluOp::PredSete64 => |a, b| a == b,
        AluOp::Setne64 => |a, b| a != b,
        AluOp::Setgt64 | AluOp::PredSetgt64 => |a, b| a > b,
        AluOp::Setge64 | AluOp::PredSetge64 => |a, b| a >= b,
        _ => return None,
    })
}

/// The function of an instruction that fills all four vector slots.
pub(crate) fn find_quad(op: AluOp) -> Option<JointFn> {
    Some(match op {
        AluOp::Mul64 => |s| quad(s, |a, b, _| a * b),
        AluOp::Fma64 => |s| quad(s, f64::mul_add),
        AluOp::Muladd64 => |s| quad(s, |a, b, c| a * b + c),
        AluOp::Muladd64M2 => |s| quad(s, |a, b, c| (a * b + c) * 2.0),
        AluOp::Muladd64M4 => |s| quad(s, |a, b, c| (a * b + c) * 4.0),
        AluOp::Muladd64D2 => |s| quad(s, |a, b, c| (a * b + c) * 0.5),
        AluOp::Frexp64 => mantissa_and_exponent,
        _ => return None,
    })
}

/// The function of a seed instruction, which reads the high and the low half as two operands of the same slot.
pub(crate) fn find_seed(op: AluOp) -> Option<fn(f64) -> f64> {
    Some(match op {
        AluOp::Recip64 => |a| 1.0 / a,
        AluOp::RecipClamped64 => |a| (1.0 / a).clamp(f64::MIN, f64::MAX),
        AluOp::Recipsqrt64 => |a| 1.0 / a.sqrt(),
        AluOp::RecipsqrtClamped64 => |a| (1.0 / a.sqrt()).clamp(f64::MIN, f64::MAX),
        AluOp::Sqrt64 => f64::sqrt,
        _ => return None,
    })
}

/// Joins the halves of a double.
pub(crate) fn join(high: u32, low: u32) -> f64 {
    f64::from_bits((u64::from(high) << 32) | u64::from(low))
}

/// The low and the high half of `value`, twice, as a pair or a quad of slots writes them.
pub(crate) fn split(value: f64) -> [u32; 4] {
    let bits = value.to_bits();
    let (low, high) = (bits as u32, (bits >> 32) as u32);
    [low, high, low, high]
}

/// Operand `index` of a pair of slots, as a double.
pub(crate) fn pair_operand(s: [Operands; 4], index: usize) -> f64 {
    join(s[0][index], s[1][index])
}

fn pair(s: [Operands; 4], f: fn(f64, f64) -> f64) -> [u32; 4] {
    split(f(pair_operand(s, 0), pair_operand(s, 1)))
}

fn quad(s: [Operands; 4], f: fn(f64, f64, f64) -> f64) -> [u32; 4] {
    let operand = |index: usize| join(s[0][index], s[3][index]);
    split(f(operand(0), operand(1), operand(2)))
}

/// Selects whole slots, so that no bit of the chosen value changes.
fn select(s: [Operands; 4]) -> [u32; 4] {
    let choice = if pair_operand(s, 0) == 0.0 { 2 } else { 1 };
    [s[0][choice], s[1][choice], 0, 0]
}

/// `FREXP_64`: the exponent in y, the mantissa in z (low) and w (high).
fn mantissa_and_exponent(s: [Operands; 4]) -> [u32; 4] {
    let (mantissa, exponent) = frexp(join(s[0][0], s[1][0]));
    let [low, high, ..] = split(mantissa);
    [0, exponent as u32, low, high]
}

/// Splits `value` into a magnitude in [0.5, 1) and a power of two.
fn frexp(value: f64) -> (f64, i32) {
    const EXPONENT: u64 = 0x7ff << 52;
    if value == 0.0 || !value.is_finite() {
        return (value, 0);
    }
    let is_denormal = value.to_bits() & EXPONENT == 0;
    let (scaled, bias) = if is_denormal { (value * 2.0_f64.powi(64), 64) } else { (value, 0) };
    let exponent = ((scaled.to_bits() & EXPONENT) >> 52) as i32 - 1022 - bias;
    (f64::from_bits((scaled.to_bits() & !EXPONENT) | (1022 << 52)), exponent)
}

/// `value` times two to the `exponent`, rounded once: only the last product can be subnormal or overflow.
fn scale(value: f64, exponent: i32) -> f64 {
    let (mantissa, own) = frexp(value);
    match own.saturating_add(exponent).clamp(-1200, 1200) {
        // Powers beyond 2¹⁰²³ are not doubles.
        exponent @ 1023.. => mantissa * 2.0_f64.powi(1023) * 2.0_f64.powi(exponent - 1023),
        exponent @ -1021.. => mantissa * 2.0_f64.powi(exponent),
        exponent => mantissa * 2.0_f64.powi(-1021) * 2.0_f64.powi(exponent + 1021),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_rounds_once() {
        // In three steps of equal powers, 1.4375 would first become 1.5 and then 2.
        for (bits, exponent, want) in [(5, -1, 2), (5, -2, 1), (7, -1, 4), (3, -1, 2), (6, -2, 2)] {
            assert_eq!(scale(f64::from_bits(bits), exponent).to_bits(), want, "{bits} {exponent}");
        }
        let odd = f64::from_bits((1 << 52) + 12_265);
        assert_eq!(scale(odd, -1).to_bits(), (1 << 51) + 6132);
        assert_eq!(scale(odd, -2).to_bits(), (1 << 50) + 3066);
        assert_eq!(scale(1.5, 1023), 1.5 * 2.0_f64.powi(1023));
        assert_eq!(scale(f64::from_bits(1), 2097), 2.0_f64.powi(1023));
        assert_eq!(scale(1.0, i32::MAX), f64::INFINITY);
        assert_eq!(scale(-0.0, i32::MIN).to_bits(), 1 << 63);
    }
}
