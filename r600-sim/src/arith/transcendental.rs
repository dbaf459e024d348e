//! Reciprocals, roots, powers, logarithms, sine and cosine.
//!
//! The hardware's results are within a few units in the last place. Here they are computed in double precision, so they
//! are rounded correctly or nearly so. Comparisons of these instructions need a tolerance.

use std::f64::consts::TAU;

use r600_isa::{AluOp, Generation};

use super::{LaneFn, Operands};

/// Radians beyond which R600 gives no defined sine. The limit is slightly above pi, because the range reduction may
/// round up.
const MAX_RADIANS: f32 = std::f32::consts::PI + 1e-5;
/// Revolutions beyond which later generations give no defined sine.
const MAX_REVOLUTIONS: f32 = 256.0;

/// The function of a transcendental instruction, or `None` for other instructions.
pub(super) fn find(op: AluOp, generation: Generation) -> Option<LaneFn> {
    find_reciprocal(op)
        .or_else(|| find_root(op))
        .or_else(|| find_exponential(op))
        .or_else(|| find_circular(op, generation))
}

fn find_reciprocal(op: AluOp) -> Option<LaneFn> {
    Some(match op {
        AluOp::RecipIeee => |s| unary(s, |a| 1.0 / a),
        AluOp::RecipClamped => |s| unary(s, |a| replace_infinity(1.0 / a, f64::from(f32::MAX))),
        AluOp::RecipFf => |s| unary(s, |a| replace_infinity(1.0 / a, 0.0)),
        _ => return None,
    })
}

fn find_root(op: AluOp) -> Option<LaneFn> {
    Some(match op {
        AluOp::SqrtIeee => |s| unary(s, f64::sqrt),
        AluOp::RecipsqrtIeee => |s| unary(s, |a| 1.0 / a.sqrt()),
        AluOp::RecipsqrtClamped => {
            |s| unary(s, |a| replace_infinity(1.0 / a.sqrt(), f64::from(f32::MAX)))
        }
        AluOp::RecipsqrtFf => |s| unary(s, |a| replace_infinity(1.0 / a.sqrt(), 0.0)),
        _ => return None,
    })
}

fn find_exponential(op: AluOp) -> Option<LaneFn> {
    Some(match op {
        AluOp::ExpIeee => |s| unary(s, f64::exp2),
        AluOp::LogIeee => |s| unary(s, f64::log2),
        AluOp::LogClamped => |s| unary(s, |a| replace_infinity(a.log2(), f64::from(f32::MAX))),
        _ => return None,
    })
}

fn find_circular(op: AluOp, generation: Generation) -> Option<LaneFn> {
    let takes_radians = generation == Generation::R600;
    Some(match (op, takes_radians) {
        (AluOp::Sin, true) => |s| of_radians(s, f64::sin),
        (AluOp::Sin, false) => |s| of_revolutions(s, f64::sin),
        (AluOp::Cos, true) => |s| of_radians(s, f64::cos),
        (AluOp::Cos, false) => |s| of_revolutions(s, f64::cos),
        _ => return None,
    })
}

fn unary(s: Operands, f: fn(f64) -> f64) -> u32 {
    (f(f64::from(f32::from_bits(s[0]))) as f32).to_bits()
}

/// `value`, or `limit` with its sign when `value` is infinite.
fn replace_infinity(value: f64, limit: f64) -> f64 {
    if value.is_infinite() { limit.copysign(value) } else { value }
}

fn of_radians(s: Operands, f: fn(f64) -> f64) -> u32 {
    circular(f32::from_bits(s[0]), MAX_RADIANS, 1.0, f)
}

fn of_revolutions(s: Operands, f: fn(f64) -> f64) -> u32 {
    circular(f32::from_bits(s[0]), MAX_REVOLUTIONS, TAU, f)
}

/// Gives NaN outside the domain, so that a program without range reduction is noticed.
fn circular(angle: f32, limit: f32, scale: f64, f: fn(f64) -> f64) -> u32 {
    if angle.abs() <= limit {
        (f(f64::from(angle) * scale) as f32).to_bits()
    } else {
        f32::NAN.to_bits()
    }
}
