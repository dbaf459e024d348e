//! Integer arithmetic and logic on 32 bits, and the 24-bit multiplies.

use r600_isa::AluOp;

use super::{LaneFn, Operands};

/// The function of an integer instruction of one slot, or `None` for other instructions.
pub(super) fn find(op: AluOp) -> Option<LaneFn> {
    find_logic(op).or_else(|| find_sum(op)).or_else(|| find_product(op)).or_else(|| find_24(op))
}

fn find_logic(op: AluOp) -> Option<LaneFn> {
    Some(match op {
        AluOp::AndInt => |s| s[0] & s[1],
        AluOp::OrInt => |s| s[0] | s[1],
        AluOp::XorInt => |s| s[0] ^ s[1],
        AluOp::NotInt => |s| !s[0],
        // The hardware uses the low five bits of a shift count, and so does `wrapping_sh*`.
        AluOp::AshrInt => |s| (s[0] as i32).wrapping_shr(s[1]) as u32,
        AluOp::LshrInt => |s| s[0].wrapping_shr(s[1]),
        AluOp::LshlInt => |s| s[0].wrapping_shl(s[1]),
        _ => return None,
    })
}

fn find_sum(op: AluOp) -> Option<LaneFn> {
    Some(match op {
        AluOp::AddInt => |s| s[0].wrapping_add(s[1]),
        AluOp::SubInt => |s| s[0].wrapping_sub(s[1]),
        AluOp::AddcUint => |s| u32::from(s[0].checked_add(s[1]).is_none()),
        AluOp::SubbUint => |s| u32::from(s[0] < s[1]),
        AluOp::MaxInt => |s| (s[0] as i32).max(s[1] as i32) as u32,
        AluOp::MinInt => |s| (s[0] as i32).min(s[1] as i32) as u32,
        AluOp::MaxUint => |s| s[0].max(s[1]),
        AluOp::MinUint => |s| s[0].min(s[1]),
        _ => return None,
    })
}

fn find_product(op: AluOp) -> Option<LaneFn> {
    Some(match op {
        AluOp::MulloInt | AluOp::MulloUint => |s| s[0].wrapping_mul(s[1]),
        AluOp::MulhiInt => |s| ((i64::from(s[0] as i32) * i64::from(s[1] as i32)) >> 32) as u32,
        AluOp::MulhiUint => |s| ((u64::from(s[0]) * u64::from(s[1])) >> 32) as u32,
        AluOp::RecipUint => |s| unsigned_reciprocal(s[0]),
        AluOp::RecipInt => |s| signed_reciprocal(s[0] as i32),
        _ => return None,
    })
}

fn find_24(op: AluOp) -> Option<LaneFn> {
    Some(match op {
        AluOp::MulInt24 => |s| signed_24(s) as u32,
        AluOp::MulhiInt24 => |s| (signed_24(s) >> 32) as u32,
        AluOp::MulUint24 => |s| unsigned_24(s) as u32,
        AluOp::MulhiUint24 => |s| (unsigned_24(s) >> 32) as u32,
        AluOp::MuladdInt24 => |s| (signed_24(s) as u32).wrapping_add(s[2]),
        AluOp::MuladdUint24 => |s| (unsigned_24(s) as u32).wrapping_add(s[2]),
        _ => return None,
    })
}

/// The product of the low 24 bits of the first two operands, read as signed.
fn signed_24(s: Operands) -> i64 {
    let extend = |value: u32| i64::from(((value << 8) as i32) >> 8);
    extend(s[0]) * extend(s[1])
}

/// The product of the low 24 bits of the first two operands, read as unsigned.
fn unsigned_24(s: Operands) -> u64 {
    u64::from(s[0] & 0x00ff_ffff) * u64::from(s[1] & 0x00ff_ffff)
}

/// 2^32 divided by `value`, rounded down and saturated; the hardware may be off by a few units.
fn unsigned_reciprocal(value: u32) -> u32 {
    match value {
        0 => u32::MAX,
        _ => u32::try_from((1_u64 << 32) / u64::from(value)).unwrap_or(u32::MAX),
    }
}

/// As [`unsigned_reciprocal`] on the magnitude, with the sign of `value`.
fn signed_reciprocal(value: i32) -> u32 {
    let magnitude = unsigned_reciprocal(value.unsigned_abs());
    if value < 0 { magnitude.wrapping_neg() } else { magnitude }
}
