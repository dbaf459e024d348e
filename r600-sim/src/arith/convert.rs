//! Conversions between floats, integers and packed bytes.

use r600_isa::{AluOp, Generation};

use super::{LaneFn, Operands, half};

/// The function of a conversion, or `None` for other instructions.
pub(super) fn find(op: AluOp, generation: Generation) -> Option<LaneFn> {
    find_to_integer(op, generation).or_else(|| find_to_float(op)).or_else(|| find_packed(op))
}

/// `FLT_TO_INT` and `FLT_TO_UINT` round to nearest even on Evergreen. On other generations they truncate, which the
/// programs of known compilers rely on.
fn find_to_integer(op: AluOp, generation: Generation) -> Option<LaneFn> {
    let rounds = generation == Generation::Evergreen;
    Some(match (op, rounds) {
        (AluOp::FltToInt, true) => |s| to_int(s, f32::round_ties_even),
        (AluOp::FltToUint, true) => |s| to_uint(s, f32::round_ties_even),
        (AluOp::FltToInt | AluOp::FltToIntTrunc, _) => |s| to_int(s, f32::trunc),
        (AluOp::FltToUint, false) => |s| to_uint(s, f32::trunc),
        (AluOp::FltToIntRpi, _) => |s| to_int(s, |a| (a + 0.5).floor()),
        (AluOp::FltToIntFloor, _) => |s| to_int(s, f32::floor),
        (AluOp::FltToUint4, _) => |s| to_uint(s, f32::trunc).min(15),
        _ => return None,
    })
}

fn find_to_float(op: AluOp) -> Option<LaneFn> {
    Some(match op {
        AluOp::IntToFlt => |s| (s[0] as i32 as f32).to_bits(),
        AluOp::UintToFlt => |s| (s[0] as f32).to_bits(),
        AluOp::Ubyte0Flt => |s| byte_to_float(s, 0),
        AluOp::Ubyte1Flt => |s| byte_to_float(s, 1),
        AluOp::Ubyte2Flt => |s| byte_to_float(s, 2),
        AluOp::Ubyte3Flt => |s| byte_to_float(s, 3),
        _ => return None,
    })
}

fn find_packed(op: AluOp) -> Option<LaneFn> {
    Some(match op {
        AluOp::Flt32ToFlt16 => |s| half::from_single(s[0]),
        AluOp::Flt16ToFlt32 => |s| half::to_single(s[0] & 0xffff),
        AluOp::OffsetToFlt => |s| (((s[0] << 28) as i32 >> 28) as f32 / 16.0).to_bits(),
        _ => return None,
    })
}

/// Saturates, and turns NaN into 0; Rust's `as` does both.
fn to_int(s: Operands, round: fn(f32) -> f32) -> u32 {
    round(f32::from_bits(s[0])) as i32 as u32
}

fn to_uint(s: Operands, round: fn(f32) -> f32) -> u32 {
    round(f32::from_bits(s[0])) as u32
}

fn byte_to_float(s: Operands, byte: u32) -> u32 {
    (((s[0] >> (8 * byte)) & 0xff) as f32).to_bits()
}
