//! Comparisons: the tests behind `SET*`, `CND*`, `PRED_SET*` and `KILL*`.

use r600_isa::{CompareType, Condition};

/// A test of two operands.
pub(crate) type Test = fn(u32, u32) -> bool;

/// The test of `condition` on operands of `kind`, or `None` for doubles, which take two operands each.
///
/// Among floats NaN is unequal to everything, and the two zeros are equal.
pub(crate) fn test(condition: Condition, kind: CompareType) -> Option<Test> {
    match kind {
        CompareType::F32 => Some(float_test(condition)),
        CompareType::I32 => Some(signed_test(condition)),
        CompareType::U32 => Some(unsigned_test(condition)),
        CompareType::F64 => None,
    }
}

fn float_test(condition: Condition) -> Test {
    match condition {
        Condition::Eq => |a, b| f32::from_bits(a) == f32::from_bits(b),
        Condition::Gt => |a, b| f32::from_bits(a) > f32::from_bits(b),
        Condition::Ge => |a, b| f32::from_bits(a) >= f32::from_bits(b),
        Condition::Ne => |a, b| f32::from_bits(a) != f32::from_bits(b),
        Condition::Lt => |a, b| f32::from_bits(a) < f32::from_bits(b),
        Condition::Le => |a, b| f32::from_bits(a) <= f32::from_bits(b),
    }
}

fn signed_test(condition: Condition) -> Test {
    match condition {
        Condition::Gt => |a, b| (a as i32) > (b as i32),
        Condition::Ge => |a, b| (a as i32) >= (b as i32),
        Condition::Lt => |a, b| (a as i32) < (b as i32),
        Condition::Le => |a, b| (a as i32) <= (b as i32),
        Condition::Eq | Condition::Ne => unsigned_test(condition),
    }
}

fn unsigned_test(condition: Condition) -> Test {
    match condition {
        Condition::Eq => |a, b| a == b,
        Condition::Gt => |a, b| a > b,
        Condition::Ge => |a, b| a >= b,
        Condition::Ne => |a, b| a != b,
        Condition::Lt => |a, b| a < b,
        Condition::Le => |a, b| a <= b,
    }
}
