//! Integer opcodes of 32 bits.

use tgsi_ir::Opcode;

use super::{ChannelFn, Operands};

const TRUE: u32 = u32::MAX;

pub(super) fn find(opcode: Opcode) -> Option<ChannelFn> {
    find_logic(opcode)
        .or_else(|| find_arithmetic(opcode))
        .or_else(|| find_division(opcode))
        .or_else(|| find_comparison(opcode))
        .or_else(|| find_bits(opcode))
}

fn find_logic(opcode: Opcode) -> Option<ChannelFn> {
    Some(match opcode {
        Opcode::Not => |s| !s[0],
        Opcode::And => |s| s[0] & s[1],
        Opcode::Or => |s| s[0] | s[1],
        Opcode::Xor => |s| s[0] ^ s[1],
        Opcode::Shl => |s| s[0].wrapping_shl(s[1]),
        Opcode::Ushr => |s| s[0].wrapping_shr(s[1]),
        Opcode::Ishr => |s| (s[0] as i32).wrapping_shr(s[1]) as u32,
        Opcode::Ucmp => |s| if s[0] != 0 { s[1] } else { s[2] },
        Opcode::Uarl => |s| s[0],
        _ => return None,
    })
}

fn find_arithmetic(opcode: Opcode) -> Option<ChannelFn> {
    Some(match opcode {
        Opcode::Uadd => |s| s[0].wrapping_add(s[1]),
        Opcode::Umul => |s| s[0].wrapping_mul(s[1]),
        Opcode::Umad => |s| s[0].wrapping_mul(s[1]).wrapping_add(s[2]),
        Opcode::ImulHi => |s| ((i64::from(s[0] as i32) * i64::from(s[1] as i32)) >> 32) as u32,
        Opcode::UmulHi => |s| ((u64::from(s[0]) * u64::from(s[1])) >> 32) as u32,
        Opcode::Ineg => |s| s[0].wrapping_neg(),
        Opcode::Iabs => |s| (s[0] as i32).wrapping_abs() as u32,
        Opcode::Issg => |s| (s[0] as i32).signum() as u32,
        Opcode::Imin => |s| (s[0] as i32).min(s[1] as i32) as u32,
        Opcode::Imax => |s| (s[0] as i32).max(s[1] as i32) as u32,
        Opcode::Umin => |s| s[0].min(s[1]),
        Opcode::Umax => |s| s[0].max(s[1]),
        _ => return None,
    })
}

/// Division by zero gives 0 for `IDIV` and all ones for the others.
fn find_division(opcode: Opcode) -> Option<ChannelFn> {
    Some(match opcode {
        Opcode::Udiv => |s| s[0].checked_div(s[1]).unwrap_or(u32::MAX),
        Opcode::Umod => |s| s[0].checked_rem(s[1]).unwrap_or(u32::MAX),
        Opcode::Idiv => {
            |s| if s[1] == 0 { 0 } else { (s[0] as i32).wrapping_div(s[1] as i32) as u32 }
        }
        Opcode::Mod => |s| {
            if s[1] == 0 { u32::MAX } else { (s[0] as i32).wrapping_rem(s[1] as i32) as u32 }
        },
        _ => return None,
    })
}

fn find_comparison(opcode: Opcode) -> Option<ChannelFn> {
    Some(match opcode {
        Opcode::Islt => |s| true_if((s[0] as i32) < (s[1] as i32)),
        Opcode::Isge => |s| true_if((s[0] as i32) >= (s[1] as i32)),
        Opcode::Uslt => |s| true_if(s[0] < s[1]),
        Opcode::Usge => |s| true_if(s[0] >= s[1]),
        Opcode::Useq => |s| true_if(s[0] == s[1]),
        Opcode::Usne => |s| true_if(s[0] != s[1]),
        _ => return None,
    })
}

fn find_bits(opcode: Opcode) -> Option<ChannelFn> {
    Some(match opcode {
        Opcode::Brev => |s| s[0].reverse_bits(),
        Opcode::Popc => |s| s[0].count_ones(),
        Opcode::Lsb => |s| if s[0] == 0 { u32::MAX } else { s[0].trailing_zeros() },
        Opcode::Umsb => |s| 31_u32.wrapping_sub(s[0].leading_zeros()),
        Opcode::Imsb => |s| highest_unlike_sign(s[0] as i32),
        Opcode::Ubfe => unsigned_field,
        Opcode::Ibfe => signed_field,
        Opcode::Bfi => insert_field,
        _ => return None,
    })
}

fn true_if(condition: bool) -> u32 {
    if condition { TRUE } else { 0 }
}

fn highest_unlike_sign(value: i32) -> u32 {
    let differing = if value < 0 { !value } else { value };
    31_u32.wrapping_sub(differing.leading_zeros())
}

fn unsigned_field(s: Operands) -> u32 {
    let (offset, width) = (s[1] & 31, s[2] & 31);
    match width {
        _ if s[2] == 32 && offset == 0 => s[0],
        0 => 0,
        _ if width + offset < 32 => (s[0] << (32 - width - offset)) >> (32 - width),
        _ => s[0] >> offset,
    }
}

fn signed_field(s: Operands) -> u32 {
    let (offset, width) = (s[1] & 31, s[2] & 31);
    let value = s[0] as i32;
    match width {
        _ if s[2] == 32 && offset == 0 => s[0],
        0 => 0,
        _ if width + offset < 32 => ((value << (32 - width - offset)) >> (32 - width)) as u32,
        _ => (value >> offset) as u32,
    }
}

fn insert_field(s: Operands) -> u32 {
    let [base, insert, offset, width] = s;
    if width == 32 {
        return insert;
    }
    let offset = offset & 31;
    let mask = (1_u32.wrapping_shl(width) - 1) << offset;
    ((insert << offset) & mask) | (base & !mask)
}
