//! Constants in operands: inline constants and literals, by value.

use std::fmt::Write as _;

use arrayvec::ArrayVec;

use crate::{AluGroup, AluInst, AluOp, AluSel, InlineConst, ResultType};

use super::Text;

/// How constants of an operation are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Number {
    /// As floats.
    Float,
    /// As floats if they look like one, else as integers.
    Any,
    /// As integers.
    Integer,
}

impl Number {
    /// How constants of `op` are written.
    pub(crate) fn of(op: AluOp) -> Self {
        let info = op.info();
        if info.source_modifiers {
            Self::Float
        } else if info.result == ResultType::Any {
            Self::Any
        } else {
            Self::Integer
        }
    }
}

/// Whether the assembler would assign these literals to the operands, with none left over. Operands are then written by
/// value alone.
pub(super) fn are_usual(group: &AluGroup) -> bool {
    if group.literals.is_empty() {
        return group.num_literals() == 0;
    }
    let mut chosen = ArrayVec::<u32, 4>::new();
    for inst in &group.insts {
        let sources = inst.src.iter().take(inst.num_src());
        for src in sources.filter(|src| src.sel == AluSel::Literal) {
            let Some(&bits) = group.literals.get(src.chan as usize) else { return false };
            if is_inline(inst, bits) || src.rel {
                return false;
            }
            let own = chosen.iter().position(|other| *other == bits).unwrap_or(chosen.len());
            if own == chosen.len() && chosen.try_push(bits).is_err() || own != src.chan as usize {
                return false;
            }
        }
    }
    chosen.len() == group.literals.len()
}

/// Whether the assembler would use an inline constant for the value rather than a literal.
fn is_inline(inst: &AluInst, bits: u32) -> bool {
    InlineConst::from_bits(bits).is_some() || negated_inline(inst.op, bits).is_some()
}

/// The inline constant whose negation has these bits, if the operation can negate.
pub(crate) fn negated_inline(op: AluOp, bits: u32) -> Option<InlineConst> {
    let positive = InlineConst::from_bits(bits ^ 1 << 31)?;
    let is_float = matches!(positive, InlineConst::Zero | InlineConst::One | InlineConst::Half);
    (is_float && Number::of(op) == Number::Float).then_some(positive)
}

/// Writes a value as an operand.
pub(super) fn write_value(text: &mut Text, number: Number, bits: u32) {
    let exponent = bits >> 23 & 0xFF;
    let is_normal = exponent != 0 && exponent != 0xFF;
    match number {
        Number::Float | Number::Any if is_normal => write_float(text, f32::from_bits(bits)),
        Number::Any | Number::Integer if (-9999..=9999).contains(&bits.cast_signed()) => {
            text.i32(bits.cast_signed());
        }
        _ => {
            text.str("0x");
            text.hex(bits, 8);
        }
    }
}

/// Writes a float as `Debug` does, in the shortest form that reads back.
pub(super) fn write_float(text: &mut Text, value: f32) {
    if let Some((whole, thousandths)) = short_decimal(value) {
        if value < 0.0 {
            text.char('-');
        }
        text.u32(whole);
        text.char('.');
        write_decimals(text, thousandths);
        return;
    }
    let mut slow = String::new();
    // Writing to a string cannot fail.
    let _ = write!(slow, "{value:?}");
    text.str(&slow);
}

/// The value in whole numbers and thousandths, if that is exact and has so few digits that no shorter decimal reads
/// back as the same float.
fn short_decimal(value: f32) -> Option<(u32, u32)> {
    let magnitude = value.abs();
    if !(0.001..1000.0).contains(&magnitude) {
        return None;
    }
    // Exact: the product of a 24-bit and a 10-bit number.
    let thousandths = f64::from(magnitude) * 1000.0;
    let whole = thousandths as u32;
    (f64::from(whole) == thousandths).then_some((whole / 1000, whole % 1000))
}

fn write_decimals(text: &mut Text, thousandths: u32) {
    let digits = [thousandths / 100, thousandths / 10 % 10, thousandths % 10];
    let shown = digits.iter().rposition(|digit| *digit != 0).map_or(1, |last| last + 1);
    for digit in &digits[..shown] {
        text.u32(*digit);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_are_those_of_debug() {
        for value in [1.0, -2.5, 0.125, 999.999, 1000.0, 0.001, 1e-5, 3.0e20, 16_777_216.0, 0.1] {
            let mut text = Text::default();
            write_float(&mut text, value);
            assert_eq!(text.into_string(), format!("{value:?}"));
        }
        for bits in (0x3A00_0000..0x4580_0000_u32).step_by(9973) {
            let value = f32::from_bits(bits);
            let mut text = Text::default();
            write_float(&mut text, value);
            assert_eq!(text.into_string(), format!("{value:?}"));
        }
    }
}
