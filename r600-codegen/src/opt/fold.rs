//! Constant folding: what an operation gives when every operand is known.
//!
//! Only operations whose result the hardware defines exactly are folded; the transcendental ones, which it
//! approximates, are folded too where any correctly rounded answer is within their tolerance. The
//! arithmetic here is the compiler's own: interpreter and simulator, which judge it, have theirs.

use r600_isa::AluOp;

/// The bits that `op` gives for `src`; `None` for what is not folded.
pub(super) fn fold(op: AluOp, src: &[u32]) -> Option<u32> {
    match *src {
        [a] => unary(op, a),
        [a, b] => binary(op, a, b),
        [a, b, c] => ternary(op, a, b, c),
        _ => None,
    }
}

const fn mask(condition: bool) -> u32 {
    if condition { u32::MAX } else { 0 }
}

const fn one(condition: bool) -> u32 {
    if condition { 0x3F80_0000 } else { 0 }
}

fn unary(op: AluOp, a: u32) -> Option<u32> {
    let x = f32::from_bits(a);
    let float = match op {
        AluOp::Mov => return Some(a),
        AluOp::NotInt => return Some(!a),
        AluOp::FltToInt => return float_to_int(x),
        AluOp::FltToUint => return float_to_uint(x),
        AluOp::IntToFlt => a.cast_signed() as f32,
        AluOp::UintToFlt => a as f32,
        AluOp::Fract => x - x.floor(),
        AluOp::Trunc => x.trunc(),
        AluOp::Ceil => x.ceil(),
        AluOp::Floor => x.floor(),
        AluOp::Rndne => x.round_ties_even(),
        AluOp::RecipIeee => 1.0 / x,
        AluOp::RecipsqrtIeee => 1.0 / x.sqrt(),
        AluOp::SqrtIeee => x.sqrt(),
        AluOp::ExpIeee => x.exp2(),
        AluOp::LogIeee => x.log2(),
        _ => return None,
    };
    Some(float.to_bits())
}

/// Out-of-range conversions are left to run time: generations differ.
fn float_to_int(x: f32) -> Option<u32> {
    let whole = x.trunc();
    let fits = (-2_147_483_648.0..2_147_483_648.0).contains(&whole);
    fits.then_some((whole as i32).cast_unsigned())
}

fn float_to_uint(x: f32) -> Option<u32> {
    let whole = x.trunc();
    (0.0..4_294_967_296.0).contains(&whole).then_some(whole as u32)
}

fn binary(op: AluOp, a: u32, b: u32) -> Option<u32> {
    float_binary(op, f32::from_bits(a), f32::from_bits(b))
        .or_else(|| float_compare(op, f32::from_bits(a), f32::from_bits(b)))
        .or_else(|| int_binary(op, a, b))
        .or_else(|| int_compare(op, a, b))
}

/// The legacy product: zero times anything is zero.
fn legacy_product(x: f32, y: f32) -> f32 {
    if x == 0.0 || y == 0.0 { 0.0 } else { x * y }
}

fn float_binary(op: AluOp, x: f32, y: f32) -> Option<u32> {
    let value = match op {
        AluOp::Add => x + y,
        AluOp::Mul => legacy_product(x, y),
        AluOp::MulIeee => x * y,
        AluOp::MaxDx10 => x.max(y),
        AluOp::MinDx10 => x.min(y),
        _ => return None,
    };
    Some(value.to_bits())
}

fn float_compare(op: AluOp, x: f32, y: f32) -> Option<u32> {
    Some(match op {
        AluOp::Sete => one(x == y),
        AluOp::Setgt => one(x > y),
        AluOp::Setge => one(x >= y),
        AluOp::Setne => one(x != y),
        AluOp::SeteDx10 => mask(x == y),
        AluOp::SetgtDx10 => mask(x > y),
        AluOp::SetgeDx10 => mask(x >= y),
        AluOp::SetneDx10 => mask(x != y),
        _ => return None,
    })
}

fn int_binary(op: AluOp, a: u32, b: u32) -> Option<u32> {
    let (i, j) = (a.cast_signed(), b.cast_signed());
    Some(match op {
        AluOp::AndInt => a & b,
        AluOp::OrInt => a | b,
        AluOp::XorInt => a ^ b,
        AluOp::AddInt => a.wrapping_add(b),
        AluOp::SubInt => a.wrapping_sub(b),
        AluOp::MaxInt => i.max(j).cast_unsigned(),
        AluOp::MinInt => i.min(j).cast_unsigned(),
        AluOp::MaxUint => a.max(b),
        AluOp::MinUint => a.min(b),
        AluOp::LshlInt => a.wrapping_shl(b & 31),
        AluOp::LshrInt => a.wrapping_shr(b & 31),
        AluOp::AshrInt => i.wrapping_shr(b & 31).cast_unsigned(),
        AluOp::MulloInt | AluOp::MulloUint => a.wrapping_mul(b),
        AluOp::MulhiUint => ((u64::from(a) * u64::from(b)) >> 32) as u32,
        AluOp::MulhiInt => ((i64::from(i) * i64::from(j)) >> 32) as u32,
        _ => return None,
    })
}

fn int_compare(op: AluOp, a: u32, b: u32) -> Option<u32> {
    let (i, j) = (a.cast_signed(), b.cast_signed());
    Some(mask(match op {
        AluOp::SeteInt => a == b,
        AluOp::SetneInt => a != b,
        AluOp::SetgtInt => i > j,
        AluOp::SetgeInt => i >= j,
        AluOp::SetgtUint => a > b,
        AluOp::SetgeUint => a >= b,
        _ => return None,
    }))
}

fn ternary(op: AluOp, a: u32, b: u32, c: u32) -> Option<u32> {
    let [x, y, z] = [a, b, c].map(f32::from_bits);
    if let Some(chosen) = select_test(op, a) {
        return Some(if chosen { b } else { c });
    }
    match op {
        AluOp::Muladd => Some((legacy_product(x, y) + z).to_bits()),
        AluOp::MuladdIeee => Some((x * y + z).to_bits()),
        _ => None,
    }
}

/// Whether a conditional move with a known first operand takes its second; `None` for other operations.
pub(super) fn select_test(op: AluOp, a: u32) -> Option<bool> {
    let x = f32::from_bits(a);
    let i = a.cast_signed();
    Some(match op {
        AluOp::Cnde => x == 0.0,
        AluOp::Cndgt => x > 0.0,
        AluOp::Cndge => x >= 0.0,
        AluOp::CndeInt => i == 0,
        AluOp::CndgtInt => i > 0,
        AluOp::CndgeInt => i >= 0,
        _ => return None,
    })
}

/// Whether a predicate operation holds for known operands; `None` for other operations.
pub(super) fn predicate_test(op: AluOp, a: u32, b: u32) -> Option<bool> {
    let set = compare_of_predicate(op)?;
    binary(set, a, b).map(|bits| bits != 0)
}

/// The comparison with an integer mask as result that tests what a predicate operation tests.
pub(super) fn compare_of_predicate(op: AluOp) -> Option<AluOp> {
    Some(match op {
        AluOp::PredSete => AluOp::SeteDx10,
        AluOp::PredSetgt => AluOp::SetgtDx10,
        AluOp::PredSetge => AluOp::SetgeDx10,
        AluOp::PredSetne => AluOp::SetneDx10,
        AluOp::PredSeteInt => AluOp::SeteInt,
        AluOp::PredSetgtInt => AluOp::SetgtInt,
        AluOp::PredSetgeInt => AluOp::SetgeInt,
        AluOp::PredSetneInt => AluOp::SetneInt,
        AluOp::PredSetgtUint => AluOp::SetgtUint,
        AluOp::PredSetgeUint => AluOp::SetgeUint,
        _ => return None,
    })
}

/// The predicate operation that tests what a comparison tests.
pub(super) fn predicate_of_compare(op: AluOp) -> Option<AluOp> {
    Some(match op {
        AluOp::SeteDx10 | AluOp::Sete => AluOp::PredSete,
        AluOp::SetgtDx10 | AluOp::Setgt => AluOp::PredSetgt,
        AluOp::SetgeDx10 | AluOp::Setge => AluOp::PredSetge,
        AluOp::SetneDx10 | AluOp::Setne => AluOp::PredSetne,
        AluOp::SeteInt => AluOp::PredSeteInt,
        AluOp::SetgtInt => AluOp::PredSetgtInt,
        AluOp::SetgeInt => AluOp::PredSetgeInt,
        AluOp::SetneInt => AluOp::PredSetneInt,
        AluOp::SetgtUint => AluOp::PredSetgtUint,
        AluOp::SetgeUint => AluOp::PredSetgeUint,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn legacy_and_ieee_products_differ_at_zero() {
        let [zero, inf] = [0.0f32, f32::INFINITY].map(f32::to_bits);
        assert_eq!(fold(AluOp::Mul, &[zero, inf]), Some(0));
        assert!(f32::from_bits(fold(AluOp::MulIeee, &[zero, inf]).unwrap()).is_nan());
    }

    #[test]
    fn conversions_out_of_range_are_left_alone() {
        assert_eq!(fold(AluOp::FltToInt, &[3e9f32.to_bits()]), None);
        assert_eq!(fold(AluOp::FltToInt, &[(-1.5f32).to_bits()]), Some(u32::MAX));
    }

    #[test]
    fn comparisons_with_nan_hold_only_for_inequality() {
        let nan = f32::NAN.to_bits();
        assert_eq!(fold(AluOp::SetgeDx10, &[nan, nan]), Some(0));
        assert_eq!(fold(AluOp::SetneDx10, &[nan, nan]), Some(u32::MAX));
    }
}
