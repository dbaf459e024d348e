//! 32-bit integer opcodes.

use tgsi_ir::Opcode;

use super::Function;
use super::maps::{bits1, bits2, bits3, signed1, signed2, truth};

pub(super) fn find(opcode: Opcode) -> Option<Function> {
    find_moves(opcode)
        .or_else(|| find_arithmetic(opcode))
        .or_else(|| find_division(opcode))
        .or_else(|| find_comparison(opcode))
}

fn find_moves(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::Mov | Opcode::Uarl => |s, d| *d = s[0],
        Opcode::Ucmp => |s, d| bits3(s, d, |a, b, c| if a != 0 { b } else { c }),
        _ => return None,
    })
}

fn find_arithmetic(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::Uadd => |s, d| bits2(s, d, u32::wrapping_add),
        Opcode::Umul => |s, d| bits2(s, d, u32::wrapping_mul),
        Opcode::Umad => |s, d| bits3(s, d, |a, b, c| a.wrapping_mul(b).wrapping_add(c)),
        Opcode::ImulHi => |s, d| {
            signed2(s, d, |a, b| ((i64::from(a) * i64::from(b)) >> 32) as i32);
        },
        Opcode::UmulHi => |s, d| bits2(s, d, |a, b| ((u64::from(a) * u64::from(b)) >> 32) as u32),
        Opcode::Ineg => |s, d| bits1(s, d, u32::wrapping_neg),
        Opcode::Iabs => |s, d| signed1(s, d, i32::wrapping_abs),
        Opcode::Issg => |s, d| signed1(s, d, i32::signum),
        Opcode::Imin => |s, d| signed2(s, d, i32::min),
        Opcode::Imax => |s, d| signed2(s, d, i32::max),
        Opcode::Umin => |s, d| bits2(s, d, u32::min),
        Opcode::Umax => |s, d| bits2(s, d, u32::max),
        _ => return None,
    })
}

/// Division by zero gives 0 for `IDIV` and all ones for the others.
fn find_division(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::Udiv => |s, d| bits2(s, d, |a, b| a.checked_div(b).unwrap_or(u32::MAX)),
        Opcode::Umod => |s, d| bits2(s, d, |a, b| a.checked_rem(b).unwrap_or(u32::MAX)),
        Opcode::Idiv => |s, d| signed2(s, d, |a, b| if b == 0 { 0 } else { a.wrapping_div(b) }),
        Opcode::Mod => |s, d| signed2(s, d, |a, b| if b == 0 { -1 } else { a.wrapping_rem(b) }),
        _ => return None,
    })
}

fn find_comparison(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::Islt => |s, d| bits2(s, d, |a, b| truth((a as i32) < (b as i32))),
        Opcode::Isge => |s, d| bits2(s, d, |a, b| truth((a as i32) >= (b as i32))),
        Opcode::Uslt => |s, d| bits2(s, d, |a, b| truth(a < b)),
        Opcode::Usge => |s, d| bits2(s, d, |a, b| truth(a >= b)),
        Opcode::Useq => |s, d| bits2(s, d, |a, b| truth(a == b)),
        Opcode::Usne => |s, d| bits2(s, d, |a, b| truth(a != b)),
        _ => return None,
    })
}
