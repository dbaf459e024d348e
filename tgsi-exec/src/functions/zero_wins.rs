//! Products of shaders with the property `MUL_ZERO_WINS`: zero times anything is zero.

use tgsi_ir::Opcode;

use super::Function;
use super::maps::{by_lane, floats2, floats3};
use super::vector::{dot_by, dst_by};

/// The function of an opcode that multiplies; `None` for the others, which the property does not change.
pub(super) fn find(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::Mul => |s, d| floats2(s, d, product),
        Opcode::Mad => |s, d| floats3(s, d, |a, b, c| product(a, b) + c),
        Opcode::Lrp => |s, d| floats3(s, d, |a, b, c| product(a, b - c) + c),
        Opcode::Dp2 => |s, d| dot_by::<2>(s, d, product),
        Opcode::Dp3 => |s, d| dot_by::<3>(s, d, product),
        Opcode::Dp4 => |s, d| dot_by::<4>(s, d, product),
        Opcode::Dst => |s, d| by_lane(s, d, |[a, b]| dst_by(a, b, product)),
        _ => return None,
    })
}

fn product(a: f32, b: f32) -> f32 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}
