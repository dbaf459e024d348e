//! Bit fields, bit counts, alignment and the byte-wise media instructions.

use r600_isa::AluOp;

use super::{LaneFn, Operands};

/// Result of the counting instructions if there is no bit to find.
const NO_BIT: u32 = u32::MAX;

/// The function of a bit instruction of one slot, or `None` for other instructions.
pub(super) fn find(op: AluOp) -> Option<LaneFn> {
    find_field(op).or_else(|| find_count(op)).or_else(|| find_media(op))
}

fn find_field(op: AluOp) -> Option<LaneFn> {
    Some(match op {
        AluOp::BfmInt => |s| low_mask(s[0] & 31) << (s[1] & 31),
        AluOp::BfeUint => |s| (s[0] >> (s[1] & 31)) & low_mask(s[2] & 31),
        AluOp::BfeInt => signed_field,
        AluOp::BfiInt => |s| (s[0] & s[1]) | (!s[0] & s[2]),
        AluOp::BitAlignInt => |s| (joined(s) >> (s[2] & 31)) as u32,
        AluOp::ByteAlignInt => |s| (joined(s) >> (8 * (s[2] & 3))) as u32,
        _ => return None,
    })
}

fn find_count(op: AluOp) -> Option<LaneFn> {
    Some(match op {
        AluOp::BfrevInt => |s| s[0].reverse_bits(),
        AluOp::BcntInt => |s| s[0].count_ones(),
        AluOp::FfbhUint => |s| if s[0] == 0 { NO_BIT } else { s[0].leading_zeros() },
        AluOp::FfblInt => |s| if s[0] == 0 { NO_BIT } else { s[0].trailing_zeros() },
        AluOp::FfbhInt => |s| leading_sign_copies(s[0]),
        _ => return None,
    })
}

fn find_media(op: AluOp) -> Option<LaneFn> {
    Some(match op {
        AluOp::LerpUint => byte_average,
        AluOp::SadAccumUint => |s| byte_distance(s).wrapping_add(s[2]),
        AluOp::SadAccumHiUint => |s| (byte_distance(s) << 16).wrapping_add(s[2]),
        _ => return None,
    })
}

/// `width` ones; `width` is below 32.
fn low_mask(width: u32) -> u32 {
    (1_u32 << width) - 1
}

fn signed_field(s: Operands) -> u32 {
    let (offset, width) = (s[1] & 31, s[2] & 31);
    if width == 0 {
        return 0;
    }
    let unused = 32 - width;
    (((s[0] >> offset) << unused) as i32 >> unused) as u32
}

/// A 64-bit number with the first operand as its upper and the second as its lower half.
fn joined(s: Operands) -> u64 {
    (u64::from(s[0]) << 32) | u64::from(s[1])
}

/// The number of bits from the top that equal the sign bit, up to the first that differs.
fn leading_sign_copies(value: u32) -> u32 {
    let differing = if value as i32 >= 0 { value } else { !value };
    if differing == 0 { NO_BIT } else { differing.leading_zeros() }
}

/// The mean of each byte pair; bit 0 of the third operand's byte rounds up.
fn byte_average(s: Operands) -> u32 {
    let [a, b, c] = s.map(u32::to_le_bytes);
    let mean = |i: usize| ((u16::from(a[i]) + u16::from(b[i]) + u16::from(c[i] & 1)) >> 1) as u8;
    u32::from_le_bytes([mean(0), mean(1), mean(2), mean(3)])
}

/// The sum of the absolute differences of the four bytes.
pub(super) fn byte_distance(s: Operands) -> u32 {
    let (a, b) = (s[0].to_le_bytes(), s[1].to_le_bytes());
    a.iter().zip(b).map(|(&a, b)| u32::from(a.abs_diff(b))).sum()
}
