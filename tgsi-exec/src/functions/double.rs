//! Double-precision opcodes: a value for each of the pairs xy and zw.

use tgsi_ir::Opcode;

use super::Function;
use super::maps::{compare_doubles, doubles1, doubles2, doubles3, pairs_and_count};
use super::scale::scaled_double;

pub(super) fn find(opcode: Opcode) -> Option<Function> {
    find_arithmetic(opcode).or_else(|| find_rounding(opcode)).or_else(|| find_comparison(opcode))
}

fn find_arithmetic(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::Dadd => |s, d| doubles2(s, d, |a, b| a + b),
        Opcode::Dmul => |s, d| doubles2(s, d, |a, b| a * b),
        Opcode::Ddiv => |s, d| doubles2(s, d, |a, b| a / b),
        Opcode::Dmad => |s, d| doubles3(s, d, |a, b, c| a * b + c),
        Opcode::Dfma => |s, d| doubles3(s, d, f64::mul_add),
        Opcode::Dmin => |s, d| doubles2(s, d, f64::min),
        Opcode::Dmax => |s, d| doubles2(s, d, f64::max),
        Opcode::Dabs => |s, d| doubles1(s, d, |a| if a >= 0.0 { a } else { -a }),
        Opcode::Dneg => |s, d| doubles1(s, d, |a| -a),
        Opcode::Dssg => |s, d| doubles1(s, d, sign),
        Opcode::Drcp => |s, d| doubles1(s, d, |a| 1.0 / a),
        Opcode::Dsqrt => |s, d| doubles1(s, d, f64::sqrt),
        Opcode::Drsq => |s, d| doubles1(s, d, |a| 1.0 / a.sqrt()),
        Opcode::Dldexp => |s, d| {
            pairs_and_count(s, d, |a, n| scaled_double(f64::from_bits(a), n as i32).to_bits());
        },
        _ => return None,
    })
}

fn find_rounding(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::Dfrac => |s, d| doubles1(s, d, |a| a - a.floor()),
        Opcode::Dflr => |s, d| doubles1(s, d, f64::floor),
        Opcode::Dceil => |s, d| doubles1(s, d, f64::ceil),
        Opcode::Dtrunc => |s, d| doubles1(s, d, f64::trunc),
        Opcode::Dround => |s, d| doubles1(s, d, f64::round_ties_even),
        _ => return None,
    })
}

fn find_comparison(opcode: Opcode) -> Option<Function> {
    Some(match opcode {
        Opcode::Dslt => |s, d| compare_doubles(s, d, |a, b| a < b),
        Opcode::Dsge => |s, d| compare_doubles(s, d, |a, b| a >= b),
        Opcode::Dseq => |s, d| compare_doubles(s, d, |a, b| a == b),
        Opcode::Dsne => |s, d| compare_doubles(s, d, |a, b| a != b),
        _ => return None,
    })
}

fn sign(a: f64) -> f64 {
    if a > 0.0 {
        1.0
    } else if a < 0.0 {
        -1.0
    } else {
        0.0
    }
}
