//! Numbers in operands of ALU instructions.

use std::ops::Range;

use crate::listing::Number;
use crate::{AluOp, ResultType, SourceType};

use super::cursor::{Cursor, Value};
use super::operand::OperandContext;
use super::{Code, Diagnostic, Parsed};

/// The sign bit of a float.
const SIGN: u32 = 0x8000_0000;

/// How to read a number that is source `at` of `op`, if its bits alone are ambiguous.
pub(super) fn source_number(op: AluOp, at: usize) -> Number {
    let info = op.info();
    match info.source {
        _ if info.source_modifiers => Number::Float,
        // The values that a condition selects between are passed as bits.
        _ if info.result == ResultType::Any && at > 0 => Number::Any,
        SourceType::Any => Number::Any,
        SourceType::Float | SourceType::F64 => Number::Float,
        SourceType::Int | SourceType::Uint | SourceType::None => Number::Integer,
    }
}

impl<'t> OperandContext<'_, 't> {
    /// The bits of a number; `neg` means that a minus precedes it.
    pub(super) fn value(&self, cursor: &mut Cursor<'t>, neg: bool) -> Parsed<u32> {
        let start = cursor.at();
        let Some(value) = cursor.value() else { return Err(cursor.unexpected("a number")) };
        let span = cursor.span_from(start);
        match value {
            Value::Bits(bits) if !neg => Ok(bits),
            Value::Bits(bits) => self.negated(bits, span),
            Value::Float(value) if value.is_infinite() => {
                let message = "the number is larger than any float";
                Err(Diagnostic::new(Code::OutOfRange, span, message))
            }
            Value::Float(value) => Ok(if neg { -value } else { value }.to_bits()),
            Value::Integer(value) => {
                let value = if neg { -value } else { value };
                self.integer(value, span)
            }
        }
    }

    /// The negation of a value that is given as bits.
    fn negated(&self, bits: u32, span: Range<usize>) -> Parsed<u32> {
        let (float, integer) = (bits ^ SIGN, bits.wrapping_neg());
        match self.number {
            Number::Float => Ok(float),
            Number::Integer => Ok(integer),
            Number::Any if float == integer => Ok(float),
            Number::Any => {
                let name = self.op.name();
                let message = format!("-{bits:#x} in {name} can mean a float or an integer");
                let help =
                    format!("write {float:#x} for the float, or {integer:#x} for the integer");
                Err(Diagnostic::new(Code::Modifier, span, message).help(help))
            }
        }
    }

    fn integer(&self, value: i64, span: Range<usize>) -> Parsed<u32> {
        if Number::of(self.op) == Number::Float && !(-1..=1).contains(&value) {
            let name = self.op.name();
            let message = format!("{name} reads floats, and {value} is an integer");
            let help = format!("write {value}.0, or the bits in hexadecimal");
            return Err(Diagnostic::new(Code::IntegerForFloat, span, message).help(help));
        }
        let bits = u32::try_from(value).or(i32::try_from(value).map(i32::cast_unsigned));
        bits.map_err(|_| {
            Diagnostic::new(Code::OutOfRange, span, format!("{value} has more than 32 bits"))
        })
    }
}
