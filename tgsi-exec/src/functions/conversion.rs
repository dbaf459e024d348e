//! Opcodes that convert between types. If the language leaves the result undefined, it is the nearest value for a value
//! out of range, and 0 for a NaN.

use tgsi_ir::Opcode;

use super::Function;
use super::maps::{bits1, narrow, pairs1, widen};

pub(super) fn find(opcode: Opcode) -> Option<Function> {
    find_single(opcode)
        .or_else(|| find_widening(opcode))
        .or_else(|| find_narrowing(opcode))
        .or_else(|| find_wide(opcode))
}

fn find_single(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::Arl => |s, d| bits1(s, d, |a| f32::from_bits(a).floor() as i32 as u32),
        Opcode::Arr => |s, d| bits1(s, d, |a| (f32::from_bits(a) + 0.5).floor() as i32 as u32),
        Opcode::F2i => |s, d| bits1(s, d, |a| f32::from_bits(a) as i32 as u32),
        Opcode::F2u => |s, d| bits1(s, d, |a| f32::from_bits(a) as u32),
        Opcode::I2f => |s, d| bits1(s, d, |a| (a as i32 as f32).to_bits()),
        Opcode::U2f => |s, d| bits1(s, d, |a| (a as f32).to_bits()),
        _ => return None,
    })
}

fn find_widening(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::F2d => |s, d| widen(s, d, |a| f64::from(f32::from_bits(a)).to_bits()),
        Opcode::I2d => |s, d| widen(s, d, |a| f64::from(a as i32).to_bits()),
        Opcode::U2d => |s, d| widen(s, d, |a| f64::from(a).to_bits()),
        Opcode::F2u64 => |s, d| widen(s, d, |a| f32::from_bits(a) as u64),
        Opcode::F2i64 => |s, d| widen(s, d, |a| f32::from_bits(a) as i64 as u64),
        Opcode::U2i64 => |s, d| widen(s, d, u64::from),
        Opcode::I2i64 => |s, d| widen(s, d, |a| i64::from(a as i32) as u64),
        _ => return None,
    })
}

fn find_narrowing(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::D2f => |s, d| narrow(s, d, |a| (f64::from_bits(a) as f32).to_bits()),
        Opcode::D2i => |s, d| narrow(s, d, |a| f64::from_bits(a) as i32 as u32),
        Opcode::D2u => |s, d| narrow(s, d, |a| f64::from_bits(a) as u32),
        Opcode::U642f => |s, d| narrow(s, d, |a| (a as f32).to_bits()),
        Opcode::I642f => |s, d| narrow(s, d, |a| (a as i64 as f32).to_bits()),
        _ => return None,
    })
}

fn find_wide(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::D2u64 => |s, d| pairs1(s, d, |a| f64::from_bits(a) as u64),
        Opcode::D2i64 => |s, d| pairs1(s, d, |a| f64::from_bits(a) as i64 as u64),
        Opcode::U642d => |s, d| pairs1(s, d, |a| (a as f64).to_bits()),
        Opcode::I642d => |s, d| pairs1(s, d, |a| (a as i64 as f64).to_bits()),
        _ => return None,
    })
}
