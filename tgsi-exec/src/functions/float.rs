//! Single-precision opcodes. Every step rounds on its own.

use tgsi_ir::Opcode;

use super::Function;
use super::maps::{bits3, floats1, floats2, floats3, one_if, replicate1, replicate2, true_if};
use super::scale::scaled_float;

pub(super) fn find(opcode: Opcode) -> Option<Function> {
    find_arithmetic(opcode)
        .or_else(|| find_rounding(opcode))
        .or_else(|| find_comparison(opcode))
        .or_else(|| find_replicated(opcode))
}

fn find_arithmetic(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::Add => |s, d| floats2(s, d, |a, b| a + b),
        Opcode::Mul => |s, d| floats2(s, d, |a, b| a * b),
        Opcode::Div => |s, d| floats2(s, d, |a, b| a / b),
        Opcode::Mad => |s, d| floats3(s, d, |a, b, c| a * b + c),
        Opcode::Fma => |s, d| floats3(s, d, f32::mul_add),
        Opcode::Lrp => |s, d| floats3(s, d, |a, b, c| a * (b - c) + c),
        Opcode::Min => |s, d| floats2(s, d, f32::min),
        Opcode::Max => |s, d| floats2(s, d, f32::max),
        Opcode::Ssg => |s, d| floats1(s, d, sign),
        Opcode::Cmp => |s, d| bits3(s, d, |a, b, c| if f32::from_bits(a) < 0.0 { b } else { c }),
        Opcode::Ldexp => |s, d| {
            super::maps::bits2(s, d, |a, b| scaled_float(f32::from_bits(a), b as i32).to_bits());
        },
        _ => return None,
    })
}

fn find_rounding(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::Frc => |s, d| floats1(s, d, |a| a - a.floor()),
        Opcode::Flr => |s, d| floats1(s, d, f32::floor),
        Opcode::Ceil => |s, d| floats1(s, d, f32::ceil),
        Opcode::Trunc => |s, d| floats1(s, d, f32::trunc),
        Opcode::Round => |s, d| floats1(s, d, f32::round_ties_even),
        _ => return None,
    })
}

fn find_comparison(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::Slt => |s, d| one_if(s, d, |a, b| a < b),
        Opcode::Sge => |s, d| one_if(s, d, |a, b| a >= b),
        Opcode::Seq => |s, d| one_if(s, d, |a, b| a == b),
        Opcode::Sne => |s, d| one_if(s, d, |a, b| a != b),
        Opcode::Sgt => |s, d| one_if(s, d, |a, b| a > b),
        Opcode::Sle => |s, d| one_if(s, d, |a, b| a <= b),
        Opcode::Fslt => |s, d| true_if(s, d, |a, b| a < b),
        Opcode::Fsge => |s, d| true_if(s, d, |a, b| a >= b),
        Opcode::Fseq => |s, d| true_if(s, d, |a, b| a == b),
        Opcode::Fsne => |s, d| true_if(s, d, |a, b| a != b),
        _ => return None,
    })
}

/// Opcodes that read x and give the same result in every channel.
fn find_replicated(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::Rcp => |s, d| replicate1(s, d, |a| 1.0 / a),
        Opcode::Rsq => |s, d| replicate1(s, d, |a| 1.0 / a.sqrt()),
        Opcode::Sqrt => |s, d| replicate1(s, d, f32::sqrt),
        Opcode::Ex2 => |s, d| replicate1(s, d, f32::exp2),
        Opcode::Lg2 => |s, d| replicate1(s, d, f32::log2),
        Opcode::Pow => |s, d| replicate2(s, d, f32::powf),
        Opcode::Sin => |s, d| replicate1(s, d, f32::sin),
        Opcode::Cos => |s, d| replicate1(s, d, f32::cos),
        _ => return None,
    })
}

fn sign(a: f32) -> f32 {
    if a < 0.0 {
        -1.0
    } else if a > 0.0 {
        1.0
    } else {
        0.0
    }
}
