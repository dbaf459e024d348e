//! Opcodes on the bits of 32-bit integers.

use tgsi_ir::Opcode;

use super::Function;
use super::maps::{bits1, bits2, bits3, bits4};

pub(super) fn find(opcode: Opcode) -> Option<Function> {
    find_logic(opcode).or_else(|| find_places(opcode))
}

fn find_logic(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::Not => |s, d| bits1(s, d, |a| !a),
        Opcode::And => |s, d| bits2(s, d, |a, b| a & b),
        Opcode::Or => |s, d| bits2(s, d, |a, b| a | b),
        Opcode::Xor => |s, d| bits2(s, d, |a, b| a ^ b),
        Opcode::Shl => |s, d| bits2(s, d, u32::wrapping_shl),
        Opcode::Ushr => |s, d| bits2(s, d, u32::wrapping_shr),
        Opcode::Ishr => |s, d| bits2(s, d, |a, b| (a as i32).wrapping_shr(b) as u32),
        _ => return None,
    })
}

fn find_places(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::Brev => |s, d| bits1(s, d, u32::reverse_bits),
        Opcode::Popc => |s, d| bits1(s, d, u32::count_ones),
        Opcode::Lsb => |s, d| bits1(s, d, lowest),
        Opcode::Umsb => |s, d| bits1(s, d, highest),
        Opcode::Imsb => |s, d| bits1(s, d, |a| highest(if (a as i32) < 0 { !a } else { a })),
        Opcode::Ubfe => |s, d| bits3(s, d, unsigned_field),
        Opcode::Ibfe => |s, d| bits3(s, d, signed_field),
        Opcode::Bfi => |s, d| bits4(s, d, insert_field),
        _ => return None,
    })
}

fn lowest(value: u32) -> u32 {
    if value == 0 { u32::MAX } else { value.trailing_zeros() }
}

fn highest(value: u32) -> u32 {
    31_u32.wrapping_sub(value.leading_zeros())
}

fn unsigned_field(value: u32, offset: u32, full_width: u32) -> u32 {
    let (offset, width) = (offset & 31, full_width & 31);
    match width {
        _ if full_width == 32 && offset == 0 => value,
        0 => 0,
        _ if width + offset < 32 => (value << (32 - width - offset)) >> (32 - width),
        _ => value >> offset,
    }
}

fn signed_field(value: u32, offset: u32, full_width: u32) -> u32 {
    let (offset, width) = (offset & 31, full_width & 31);
    let signed = value as i32;
    match width {
        _ if full_width == 32 && offset == 0 => value,
        0 => 0,
        _ if width + offset < 32 => ((signed << (32 - width - offset)) >> (32 - width)) as u32,
        _ => (signed >> offset) as u32,
    }
}

fn insert_field(base: u32, insert: u32, offset: u32, width: u32) -> u32 {
    if width == 32 {
        return insert;
    }
    let offset = offset & 31;
    let mask = 1_u32.wrapping_shl(width).wrapping_sub(1) << offset;
    ((insert << offset) & mask) | (base & !mask)
}
