//! Single-precision opcodes. Every step rounds on its own.

use tgsi_ir::Opcode;

use super::{ChannelFn, Operands};

/// What float comparisons with an integer result give.
const TRUE: u32 = u32::MAX;

pub(super) fn find(opcode: Opcode) -> Option<ChannelFn> {
    find_arithmetic(opcode)
        .or_else(|| find_rounding(opcode))
        .or_else(|| find_comparison(opcode))
        .or_else(|| find_conversion(opcode))
}

fn find_arithmetic(opcode: Opcode) -> Option<ChannelFn> {
    Some(match opcode {
        Opcode::Mov => |s| s[0],
        Opcode::Add => |s| two(s, |a, b| a + b),
        Opcode::Mul => |s| two(s, |a, b| a * b),
        Opcode::Div => |s| two(s, |a, b| a / b),
        Opcode::Mad => |s| three(s, |a, b, c| a * b + c),
        Opcode::Fma => |s| three(s, f32::mul_add),
        Opcode::Lrp => |s| three(s, |a, b, c| a * (b - c) + c),
        Opcode::Min => |s| two(s, f32::min),
        Opcode::Max => |s| two(s, f32::max),
        Opcode::Ssg => |s| one(s, sign),
        Opcode::Cmp => |s| if f32::from_bits(s[0]) < 0.0 { s[1] } else { s[2] },
        _ => return None,
    })
}

fn find_rounding(opcode: Opcode) -> Option<ChannelFn> {
    Some(match opcode {
        Opcode::Frc => |s| one(s, |a| a - a.floor()),
        Opcode::Flr => |s| one(s, f32::floor),
        Opcode::Ceil => |s| one(s, f32::ceil),
        Opcode::Trunc => |s| one(s, f32::trunc),
        Opcode::Round => |s| one(s, f32::round_ties_even),
        _ => return None,
    })
}

fn find_comparison(opcode: Opcode) -> Option<ChannelFn> {
    Some(match opcode {
        Opcode::Slt => |s| one_if(s, |a, b| a < b),
        Opcode::Sge => |s| one_if(s, |a, b| a >= b),
        Opcode::Seq => |s| one_if(s, |a, b| a == b),
        Opcode::Sne => |s| one_if(s, |a, b| a != b),
        Opcode::Sgt => |s| one_if(s, |a, b| a > b),
        Opcode::Sle => |s| one_if(s, |a, b| a <= b),
        Opcode::Fslt => |s| true_if(s, |a, b| a < b),
        Opcode::Fsge => |s| true_if(s, |a, b| a >= b),
        Opcode::Fseq => |s| true_if(s, |a, b| a == b),
        Opcode::Fsne => |s| true_if(s, |a, b| a != b),
        _ => return None,
    })
}

/// Conversions saturate where the language leaves the result open.
fn find_conversion(opcode: Opcode) -> Option<ChannelFn> {
    Some(match opcode {
        Opcode::Arl => |s| f32::from_bits(s[0]).floor() as i32 as u32,
        Opcode::Arr => |s| (f32::from_bits(s[0]) + 0.5).floor() as i32 as u32,
        Opcode::F2i => |s| f32::from_bits(s[0]) as i32 as u32,
        Opcode::F2u => |s| f32::from_bits(s[0]) as u32,
        Opcode::I2f => |s| (s[0] as i32 as f32).to_bits(),
        Opcode::U2f => |s| (s[0] as f32).to_bits(),
        _ => return None,
    })
}

/// Opcodes that look at x and give every channel the same.
pub(super) fn find_replicated(opcode: Opcode) -> Option<ChannelFn> {
    Some(match opcode {
        Opcode::Rcp => |s| one(s, |a| 1.0 / a),
        Opcode::Rsq => |s| one(s, |a| 1.0 / a.sqrt()),
        Opcode::Sqrt => |s| one(s, f32::sqrt),
        Opcode::Ex2 => |s| one(s, f32::exp2),
        Opcode::Lg2 => |s| one(s, f32::log2),
        Opcode::Pow => |s| two(s, f32::powf),
        Opcode::Sin => |s| one(s, f32::sin),
        Opcode::Cos => |s| one(s, f32::cos),
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

fn one(s: Operands, f: fn(f32) -> f32) -> u32 {
    f(f32::from_bits(s[0])).to_bits()
}

fn two(s: Operands, f: fn(f32, f32) -> f32) -> u32 {
    f(f32::from_bits(s[0]), f32::from_bits(s[1])).to_bits()
}

fn three(s: Operands, f: fn(f32, f32, f32) -> f32) -> u32 {
    f(f32::from_bits(s[0]), f32::from_bits(s[1]), f32::from_bits(s[2])).to_bits()
}

fn holds(s: Operands, f: fn(f32, f32) -> bool) -> bool {
    f(f32::from_bits(s[0]), f32::from_bits(s[1]))
}

fn one_if(s: Operands, f: fn(f32, f32) -> bool) -> u32 {
    if holds(s, f) { 1.0_f32.to_bits() } else { 0 }
}

fn true_if(s: Operands, f: fn(f32, f32) -> bool) -> u32 {
    if holds(s, f) { TRUE } else { 0 }
}
