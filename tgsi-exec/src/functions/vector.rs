//! Opcodes whose channels depend on more than the same channel of their sources.

use tgsi_ir::Opcode;

use super::Function;
use super::maps::by_lane;
use crate::lanes::{Operands, Vector};

/// The largest exponent of `LIT`, either way.
const MAX_EXPONENT: f32 = 128.0;

pub(super) fn find(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::Dp2 => |s, d| dot_by::<2>(s, d, |a, b| a * b),
        Opcode::Dp3 => |s, d| dot_by::<3>(s, d, |a, b| a * b),
        Opcode::Dp4 => |s, d| dot_by::<4>(s, d, |a, b| a * b),
        Opcode::Lit => |s, d| by_lane(s, d, |[a, _]| lit(floats(a)).map(f32::to_bits)),
        Opcode::Exp => |s, d| by_lane(s, d, |[a, _]| exp(floats(a)[0]).map(f32::to_bits)),
        Opcode::Log => |s, d| by_lane(s, d, |[a, _]| log(floats(a)[0].abs()).map(f32::to_bits)),
        Opcode::Dst => |s, d| by_lane(s, d, |[a, b]| dst_by(a, b, |a, b| a * b)),
        _ => return None,
    })
}

fn floats(vector: [u32; 4]) -> [f32; 4] {
    vector.map(f32::from_bits)
}

/// The sum of the first `LEN` products, in order, each step rounded.
#[inline(always)]
pub(super) fn dot_by<const LEN: usize>(
    s: &Operands,
    d: &mut Vector,
    multiply: impl Fn(f32, f32) -> f32,
) {
    let product =
        |c: usize, l: usize| multiply(f32::from_bits(s[0][c][l]), f32::from_bits(s[1][c][l]));
    let sum = |l: usize| (1..LEN).fold(product(0, l), |sum, c| product(c, l) + sum).to_bits();
    *d = [[sum(0), sum(1), sum(2), sum(3)]; 4];
}

#[expect(
    clippy::manual_clamp,
    reason = "`clamp` keeps a NaN, of which the definition makes a bound"
)]
fn lit([x, y, _, w]: [f32; 4]) -> [f32; 4] {
    let exponent = w.min(MAX_EXPONENT).max(-MAX_EXPONENT);
    let specular = if x > 0.0 { y.max(0.0).powf(exponent) } else { 0.0 };
    [1.0, x.max(0.0), specular, 1.0]
}

fn exp(x: f32) -> [f32; 4] {
    [x.floor().exp2(), x - x.floor(), x.exp2(), 1.0]
}

fn log(magnitude: f32) -> [f32; 4] {
    let whole = magnitude.log2();
    // Infinite for the greatest numbers, whose logarithm is rounded up: the mantissa is 0 then, as Mesa has it.
    let power = whole.floor().exp2();
    let mantissa = if power == 0.0 { 0.0 } else { magnitude / power };
    [whole.floor(), mantissa, whole, 1.0]
}

pub(super) fn dst_by(a: [u32; 4], b: [u32; 4], multiply: impl Fn(f32, f32) -> f32) -> [u32; 4] {
    let (a, b) = (floats(a), floats(b));
    [1.0, multiply(a[1], b[1]), a[2], b[3]].map(f32::to_bits)
}
