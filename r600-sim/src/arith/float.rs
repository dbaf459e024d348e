//! Single-precision arithmetic: sums, products, rounding, minima and maxima.
//!
//! The legacy multiply of the DirectX 9 rules gives +0 if a factor is zero, whatever the other one is. The `_IEEE`
//! instructions follow the standard. `MULADD` rounds the product before the sum.

use r600_isa::AluOp;

use super::{LaneFn, Operands};

/// The function of a float instruction of one slot, or `None` for other instructions.
pub(super) fn find(op: AluOp) -> Option<LaneFn> {
    find_sum_or_product(op).or_else(|| find_rounding(op)).or_else(|| find_fused(op))
}

fn find_sum_or_product(op: AluOp) -> Option<LaneFn> {
    Some(match op {
        AluOp::Mov => |s| s[0],
        AluOp::Add => |s| binary(s, |a, b| a + b),
        AluOp::Mul => |s| binary(s, legacy_product),
        AluOp::MulIeee => |s| binary(s, |a, b| a * b),
        AluOp::Max => |s| binary(s, |a, b| if a >= b { a } else { b }),
        AluOp::Min => |s| binary(s, |a, b| if a < b { a } else { b }),
        AluOp::MaxDx10 => |s| binary(s, max_number),
        AluOp::MinDx10 => |s| binary(s, min_number),
        _ => return None,
    })
}

fn find_rounding(op: AluOp) -> Option<LaneFn> {
    Some(match op {
        AluOp::Fract => |s| unary(s, |a| a - a.floor()),
        AluOp::Trunc => |s| unary(s, f32::trunc),
        AluOp::Ceil => |s| unary(s, f32::ceil),
        AluOp::Rndne => |s| unary(s, f32::round_ties_even),
        AluOp::Floor => |s| unary(s, f32::floor),
        _ => return None,
    })
}

fn find_fused(op: AluOp) -> Option<LaneFn> {
    Some(match op {
        AluOp::Fma => |s| ternary(s, f32::mul_add),
        AluOp::Muladd => |s| ternary(s, |a, b, c| legacy_product(a, b) + c),
        AluOp::MuladdM2 => |s| ternary(s, |a, b, c| (legacy_product(a, b) + c) * 2.0),
        AluOp::MuladdM4 => |s| ternary(s, |a, b, c| (legacy_product(a, b) + c) * 4.0),
        AluOp::MuladdD2 => |s| ternary(s, |a, b, c| (legacy_product(a, b) + c) * 0.5),
        AluOp::MuladdIeee => |s| ternary(s, |a, b, c| a * b + c),
        AluOp::MuladdIeeeM2 => |s| ternary(s, |a, b, c| (a * b + c) * 2.0),
        AluOp::MuladdIeeeM4 => |s| ternary(s, |a, b, c| (a * b + c) * 4.0),
        AluOp::MuladdIeeeD2 => |s| ternary(s, |a, b, c| (a * b + c) * 0.5),
        AluOp::MulLit => |s| ternary(s, lit_product),
        AluOp::MulLitM2 => |s| ternary(s, |a, b, c| lit_product(a, b, c) * 2.0),
        AluOp::MulLitM4 => |s| ternary(s, |a, b, c| lit_product(a, b, c) * 4.0),
        AluOp::MulLitD2 => |s| ternary(s, |a, b, c| lit_product(a, b, c) * 0.5),
        _ => return None,
    })
}

/// A product in which zero wins over infinity and NaN. Such a product is +0.
pub(super) fn legacy_product(a: f32, b: f32) -> f32 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

/// The product of `MUL_LIT`: the exponent of a specular term, or the most negative number if the term must vanish.
fn lit_product(a: f32, b: f32, c: f32) -> f32 {
    let vanishes = b == f32::MIN || b == f32::NEG_INFINITY || b.is_nan() || c <= 0.0 || c.is_nan();
    if vanishes { f32::MIN } else { legacy_product(a, b) }
}

/// The larger operand; a NaN loses against a number.
pub(super) fn max_number(a: f32, b: f32) -> f32 {
    if b.is_nan() || a >= b { a } else { b }
}

/// The smaller operand; a NaN loses against a number.
pub(super) fn min_number(a: f32, b: f32) -> f32 {
    if b.is_nan() || a <= b { a } else { b }
}

fn unary(s: Operands, f: fn(f32) -> f32) -> u32 {
    f(f32::from_bits(s[0])).to_bits()
}

fn binary(s: Operands, f: fn(f32, f32) -> f32) -> u32 {
    f(f32::from_bits(s[0]), f32::from_bits(s[1])).to_bits()
}

fn ternary(s: Operands, f: fn(f32, f32, f32) -> f32) -> u32 {
    f(f32::from_bits(s[0]), f32::from_bits(s[1]), f32::from_bits(s[2])).to_bits()
}
