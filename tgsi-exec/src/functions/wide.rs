//! 64-bit integer opcodes: a value for each of the pairs xy and zw.

use tgsi_ir::Opcode;

use super::Function;
use super::maps::{compare_pairs, pairs_and_count, pairs1, pairs2};
use crate::lanes::{Operands, Vector};

pub(super) fn find(opcode: Opcode) -> Option<Function> {
    find_arithmetic(opcode).or_else(|| find_division(opcode)).or_else(|| find_comparison(opcode))
}

fn signed1(s: &Operands, d: &mut Vector, f: fn(i64) -> i64) {
    pairs1(s, d, |a| f(a as i64) as u64);
}

fn signed2(s: &Operands, d: &mut Vector, f: fn(i64, i64) -> i64) {
    pairs2(s, d, |a, b| f(a as i64, b as i64) as u64);
}

fn find_arithmetic(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::U64add => |s, d| pairs2(s, d, u64::wrapping_add),
        Opcode::U64mul => |s, d| pairs2(s, d, u64::wrapping_mul),
        Opcode::U64min => |s, d| pairs2(s, d, u64::min),
        Opcode::U64max => |s, d| pairs2(s, d, u64::max),
        Opcode::I64min => |s, d| signed2(s, d, i64::min),
        Opcode::I64max => |s, d| signed2(s, d, i64::max),
        Opcode::I64abs => |s, d| signed1(s, d, i64::wrapping_abs),
        Opcode::I64neg => |s, d| signed1(s, d, i64::wrapping_neg),
        Opcode::I64ssg => |s, d| signed1(s, d, i64::signum),
        Opcode::U64shl => |s, d| pairs_and_count(s, d, u64::wrapping_shl),
        Opcode::U64shr => |s, d| pairs_and_count(s, d, u64::wrapping_shr),
        Opcode::I64shr => |s, d| pairs_and_count(s, d, |a, n| (a as i64).wrapping_shr(n) as u64),
        _ => return None,
    })
}

/// Division by zero gives 0 for `I64DIV` and all ones for the others.
fn find_division(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::U64div => |s, d| pairs2(s, d, |a, b| a.checked_div(b).unwrap_or(u64::MAX)),
        Opcode::U64mod => |s, d| pairs2(s, d, |a, b| a.checked_rem(b).unwrap_or(u64::MAX)),
        Opcode::I64div => |s, d| signed2(s, d, |a, b| if b == 0 { 0 } else { a.wrapping_div(b) }),
        Opcode::I64mod => |s, d| signed2(s, d, |a, b| if b == 0 { -1 } else { a.wrapping_rem(b) }),
        _ => return None,
    })
}

fn find_comparison(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::U64seq => |s, d| compare_pairs(s, d, |a, b| a == b),
        Opcode::U64sne => |s, d| compare_pairs(s, d, |a, b| a != b),
        Opcode::U64slt => |s, d| compare_pairs(s, d, |a, b| a < b),
        Opcode::U64sge => |s, d| compare_pairs(s, d, |a, b| a >= b),
        Opcode::I64slt => |s, d| compare_pairs(s, d, |a, b| (a as i64) < (b as i64)),
        Opcode::I64sge => |s, d| compare_pairs(s, d, |a, b| (a as i64) >= (b as i64)),
        _ => return None,
    })
}
