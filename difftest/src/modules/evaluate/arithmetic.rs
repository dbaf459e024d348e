//! Operations on numbers.

use spirv::{GlslStd450Op as GLOp, Op};

use super::{Stop, Value, unknown};

/// An operation on scalars, applied to each component of vectors. Its numbers have `width` bits.
pub(super) fn componentwise(op: Op, width: u32, operands: &[Value]) -> Result<Value, Stop> {
    each(operands, &|scalars| {
        if let (Op::Select, [Value::Bits(test), one, other]) = (op, scalars) {
            return Some(if *test != 0 { one.clone() } else { other.clone() });
        }
        match *scalars {
            [Value::Bits(a)] => unary(op, width, a),
            [Value::Wide(a)] => wide_unary(op, a),
            [Value::Bits(a), Value::Bits(b)] => binary(op, a, b).map(Value::Bits),
            [Value::Wide(a), Value::Wide(b)] => wide_binary(op, a, b),
            [Value::Wide(a), Value::Bits(b)] => shift(op, a, b).map(Value::Wide),
            [Value::Bits(a), Value::Bits(first), Value::Bits(count)] => {
                extracted(op, a, first, count).map(Value::Bits)
            }
            [Value::Bits(a), Value::Bits(b), Value::Bits(first), Value::Bits(count)] => {
                let mask = mask(count) << first.min(31);
                let is_empty = count == 0 || first > 31;
                let new = if is_empty { a } else { a & !mask | b << first & mask };
                (op == Op::BitFieldInsert).then_some(Value::Bits(new))
            }
            _ => None,
        }
    })?
    .ok_or_else(|| Stop::Unknown(format!("Op{op:?}")))
}

/// A GLSL function on scalars, applied to each component of vectors.
pub(super) fn of_glsl(function: u32, operands: &[Value]) -> Result<Value, Stop> {
    let Some(function) = GLOp::from_u32(function) else { return unknown("a function") };
    if let (GLOp::ModfStruct, [Value::Bits(a)]) = (function, operands) {
        let a = f32::from_bits(*a);
        let fraction = if a.is_infinite() { 0.0 } else { a - a.trunc() };
        let parts = [fraction.copysign(a), a.trunc()];
        return Ok(Value::Parts(parts.map(|part| Value::Bits(part.to_bits())).to_vec()));
    }
    each(operands, &|scalars| match *scalars {
        [Value::Bits(a)] => glsl_unary(function, a).map(Value::Bits),
        [Value::Wide(a)] => glsl_wide_unary(function, a).map(Value::Wide),
        [Value::Bits(a), Value::Bits(b)] => glsl_binary(function, a, b).map(Value::Bits),
        [Value::Wide(a), Value::Wide(b)] => glsl_wide_binary(function, a, b).map(Value::Wide),
        _ => None,
    })?
    .ok_or_else(|| Stop::Unknown(format!("{function:?}")))
}

/// Applies a function to each component.
fn each(
    operands: &[Value],
    scalar: &dyn Fn(&[Value]) -> Option<Value>,
) -> Result<Option<Value>, Stop> {
    let Some(Value::Parts(first)) = operands.first() else { return Ok(scalar(operands)) };
    let component = |n: usize| {
        let part = |operand: &Value| match operand {
            Value::Parts(parts) => parts.get(n).cloned(),
            other => Some(other.clone()),
        };
        let all: Option<Vec<Value>> = operands.iter().map(part).collect();
        each(&all.ok_or_else(|| Stop::Unknown("a component".to_owned()))?, scalar)
    };
    let all: Result<Option<Vec<Value>>, Stop> = (0..first.len()).map(component).collect();
    Ok(all?.map(Value::Parts))
}

/// A mask of the `count` lowest bits.
fn mask(count: u32) -> u32 {
    if count >= 32 { u32::MAX } else { (1 << count) - 1 }
}

fn unary(op: Op, width: u32, a: u32) -> Option<Value> {
    let (signed, float) = (a.cast_signed(), f32::from_bits(a));
    Some(Value::Bits(match (op, width) {
        (Op::LogicalNot, _) => u32::from(a == 0),
        (Op::Not, _) => !a,
        (Op::SNegate, _) => a.wrapping_neg(),
        (Op::FNegate, _) => (-float).to_bits(),
        (Op::BitCount, _) => a.count_ones(),
        (Op::BitReverse, _) => a.reverse_bits(),
        (Op::UConvert, 64) => return Some(Value::Wide(a.into())),
        (Op::SConvert, 64) => return Some(Value::Wide(i64::from(signed).cast_unsigned())),
        (Op::ConvertSToF, 64) => return Some(Value::Wide(f64::from(signed).to_bits())),
        (Op::ConvertUToF, 64) => return Some(Value::Wide(f64::from(a).to_bits())),
        (Op::FConvert, 64) => return Some(Value::Wide(f64::from(float).to_bits())),
        (Op::ConvertSToF, _) => (signed as f32).to_bits(),
        // The operand is a small whole number.
        (Op::ConvertFToU, _) => float as u32,
        _ => return None,
    }))
}

fn wide_unary(op: Op, a: u64) -> Option<Value> {
    Some(match op {
        Op::Not => Value::Wide(!a),
        Op::SNegate => Value::Wide(a.wrapping_neg()),
        Op::FNegate => Value::Wide((-f64::from_bits(a)).to_bits()),
        Op::UConvert | Op::SConvert => Value::Bits(a as u32),
        Op::FConvert => Value::Bits((f64::from_bits(a) as f32).to_bits()),
        _ => return None,
    })
}

fn extracted(op: Op, a: u32, first: u32, count: u32) -> Option<u32> {
    let is_empty = count == 0 || first > 31;
    let field = if is_empty { 0 } else { a >> first & mask(count) };
    Some(match op {
        Op::BitFieldUExtract => field,
        Op::BitFieldSExtract if is_empty => 0,
        Op::BitFieldSExtract => {
            ((field << (32 - count)).cast_signed() >> (32 - count)).cast_unsigned()
        }
        _ => return None,
    })
}

fn shift(op: Op, a: u64, by: u32) -> Option<u64> {
    Some(match op {
        Op::ShiftLeftLogical => a << by,
        Op::ShiftRightLogical => a >> by,
        Op::ShiftRightArithmetic => (a.cast_signed() >> by).cast_unsigned(),
        _ => return None,
    })
}

fn binary(op: Op, a: u32, b: u32) -> Option<u32> {
    let (signed_a, signed_b) = (a.cast_signed(), b.cast_signed());
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    Some(match op {
        Op::LogicalAnd | Op::BitwiseAnd => a & b,
        Op::LogicalOr | Op::BitwiseOr => a | b,
        Op::LogicalNotEqual | Op::BitwiseXor => a ^ b,
        Op::IAdd => a.wrapping_add(b),
        Op::ISub => a.wrapping_sub(b),
        Op::IMul => a.wrapping_mul(b),
        Op::SDiv => signed_a.checked_div(signed_b)?.cast_unsigned(),
        Op::UMod => a.checked_rem(b)?,
        Op::ShiftLeftLogical => a << (b & 31),
        Op::ShiftRightLogical => a >> (b & 31),
        Op::ShiftRightArithmetic => (signed_a >> (b & 31)).cast_unsigned(),
        Op::FAdd => (x + y).to_bits(),
        Op::FSub => (x - y).to_bits(),
        Op::FMul => (x * y).to_bits(),
        Op::SLessThan => u32::from(signed_a < signed_b),
        Op::SGreaterThanEqual => u32::from(signed_a >= signed_b),
        _ => u32::from(unsigned_test(op, &a, &b).or_else(|| float_test(op, &x, &y))?),
    })
}

fn unsigned_test<T: Ord>(op: Op, a: &T, b: &T) -> Option<bool> {
    Some(match op {
        Op::IEqual => a == b,
        Op::INotEqual => a != b,
        Op::ULessThan => a < b,
        Op::UGreaterThan => a > b,
        _ => return None,
    })
}

fn float_test<T: PartialOrd>(op: Op, x: &T, y: &T) -> Option<bool> {
    let is_unordered = x.partial_cmp(y).is_none();
    Some(match op {
        Op::FOrdLessThan => x < y,
        Op::FUnordLessThan => is_unordered || x < y,
        Op::FOrdEqual => x == y,
        Op::FUnordNotEqual => x != y,
        Op::FOrdGreaterThanEqual => x >= y,
        _ => return None,
    })
}

fn wide_binary(op: Op, a: u64, b: u64) -> Option<Value> {
    let (signed_a, signed_b) = (a.cast_signed(), b.cast_signed());
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    Some(Value::Wide(match op {
        Op::BitwiseAnd => a & b,
        Op::BitwiseOr => a | b,
        Op::BitwiseXor => a ^ b,
        Op::IAdd => a.wrapping_add(b),
        Op::ISub => a.wrapping_sub(b),
        Op::IMul => a.wrapping_mul(b),
        Op::UDiv => a.checked_div(b)?,
        Op::UMod => a.checked_rem(b)?,
        Op::SDiv => signed_a.checked_div(signed_b)?.cast_unsigned(),
        Op::SRem => signed_a.checked_rem(signed_b)?.cast_unsigned(),
        Op::FAdd => (x + y).to_bits(),
        Op::FSub => (x - y).to_bits(),
        Op::FMul => (x * y).to_bits(),
        Op::SLessThan => return Some(Value::Bits((signed_a < signed_b).into())),
        Op::SGreaterThanEqual => return Some(Value::Bits((signed_a >= signed_b).into())),
        _ => {
            let holds = unsigned_test(op, &a, &b).or_else(|| float_test(op, &x, &y))?;
            return Some(Value::Bits(holds.into()));
        }
    }))
}

/// The two results of an operation that has two.
pub(super) fn two_results(op: Op, a: &Value, b: &Value) -> Option<[Value; 2]> {
    match (a, b) {
        (&Value::Bits(a), &Value::Bits(b)) => {
            let [low, high] = match op {
                Op::IAddCarry => [a.wrapping_add(b), a.checked_add(b).is_none().into()],
                Op::ISubBorrow => [a.wrapping_sub(b), u32::from(a < b)],
                Op::UMulExtended => halves(u64::from(a) * u64::from(b)),
                Op::SMulExtended => {
                    let [a, b] = [a, b].map(|n| i64::from(n.cast_signed()));
                    halves((a * b).cast_unsigned())
                }
                _ => return None,
            };
            Some([low, high].map(Value::Bits))
        }
        (&Value::Wide(a), &Value::Wide(b)) => match op {
            Op::IAddCarry => Some([a.wrapping_add(b), a.checked_add(b).is_none().into()]),
            Op::ISubBorrow => Some([a.wrapping_sub(b), u64::from(a < b)]),
            _ => None,
        }
        .map(|both| both.map(Value::Wide)),
        _ => None,
    }
}

/// The low word and the high word.
pub(super) fn halves(wide: u64) -> [u32; 2] {
    [wide as u32, (wide >> 32) as u32]
}

fn glsl_unary(function: GLOp, a: u32) -> Option<u32> {
    let (signed, float) = (a.cast_signed(), f32::from_bits(a));
    let highest = |bits: u32| bits.checked_ilog2().unwrap_or(u32::MAX);
    Some(match function {
        GLOp::SAbs => signed.wrapping_abs().cast_unsigned(),
        GLOp::SSign => signed.signum().cast_unsigned(),
        GLOp::FindILsb if a == 0 => u32::MAX,
        GLOp::FindILsb => a.trailing_zeros(),
        GLOp::FindUMsb => highest(a),
        GLOp::FindSMsb => highest(if signed < 0 { !a } else { a }),
        GLOp::FAbs => float.abs().to_bits(),
        GLOp::Floor => float.floor().to_bits(),
        GLOp::Ceil => float.ceil().to_bits(),
        GLOp::Trunc => float.trunc().to_bits(),
        GLOp::RoundEven => float.round_ties_even().to_bits(),
        _ => return None,
    })
}

fn glsl_wide_unary(function: GLOp, a: u64) -> Option<u64> {
    let (signed, float) = (a.cast_signed(), f64::from_bits(a));
    Some(match function {
        GLOp::SAbs => signed.wrapping_abs().cast_unsigned(),
        GLOp::SSign => signed.signum().cast_unsigned(),
        GLOp::FAbs => float.abs().to_bits(),
        GLOp::Floor => float.floor().to_bits(),
        GLOp::Ceil => float.ceil().to_bits(),
        GLOp::Trunc => float.trunc().to_bits(),
        GLOp::RoundEven => float.round_ties_even().to_bits(),
        _ => return None,
    })
}

fn glsl_binary(function: GLOp, a: u32, b: u32) -> Option<u32> {
    let (signed_a, signed_b) = (a.cast_signed(), b.cast_signed());
    let (x, y) = (f32::from_bits(a), f32::from_bits(b));
    Some(match function {
        GLOp::SMin => signed_a.min(signed_b).cast_unsigned(),
        GLOp::SMax => signed_a.max(signed_b).cast_unsigned(),
        GLOp::UMin => a.min(b),
        GLOp::UMax => a.max(b),
        GLOp::NMin => x.min(y).to_bits(),
        GLOp::NMax => x.max(y).to_bits(),
        _ => return None,
    })
}

fn glsl_wide_binary(function: GLOp, a: u64, b: u64) -> Option<u64> {
    let (signed_a, signed_b) = (a.cast_signed(), b.cast_signed());
    let (x, y) = (f64::from_bits(a), f64::from_bits(b));
    Some(match function {
        GLOp::SMin => signed_a.min(signed_b).cast_unsigned(),
        GLOp::SMax => signed_a.max(signed_b).cast_unsigned(),
        GLOp::UMin => a.min(b),
        GLOp::UMax => a.max(b),
        GLOp::NMin => x.min(y).to_bits(),
        GLOp::NMax => x.max(y).to_bits(),
        _ => return None,
    })
}
