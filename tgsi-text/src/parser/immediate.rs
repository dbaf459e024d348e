//! Immediates.

use arrayvec::ArrayVec;
use tgsi_ir::{Immediate, ImmediateType, ItemKind};

use crate::cursor::Stop;
use crate::{Code, Span};

use super::Parser;

const TYPES: [&str; 6] = ["FLT32", "UINT32", "INT32", "FLT64", "UINT64", "INT64"];

impl Parser<'_> {
    pub(super) fn immediate(&mut self, start: usize) -> Result<(), Stop> {
        if self.cursor.eat(b'[') {
            self.immediate_number()?;
        }
        self.cursor.skip_space();
        let type_start = self.cursor.at;
        let word = self.cursor.word();
        let Some(kind) = ImmediateType::from_name_bytes(word) else {
            return Err(self.unknown(Code::UnknownType, type_start, "type of immediates", TYPES));
        };
        self.cursor.expect(b'{')?;
        let is_wide =
            matches!(kind, ImmediateType::Float64 | ImmediateType::Uint64 | ImmediateType::Int64);
        let mut words = ArrayVec::new();
        for n in 0..if is_wide { 2 } else { 4 } {
            if n > 0 {
                self.cursor.expect(b',')?;
            }
            let value = self.number(kind)?;
            words.push(value as u32);
            if is_wide {
                words.push((value >> 32) as u32);
            }
        }
        self.cursor.expect(b'}')?;
        self.shader.immediates.push(Immediate { kind, words });
        self.finish(ItemKind::Immediate, start);
        Ok(())
    }

    /// `n]`: the number must be the next one.
    fn immediate_number(&mut self) -> Result<(), Stop> {
        self.cursor.skip_space();
        let start = self.cursor.at;
        let number = self.cursor.unsigned()?;
        let next = self.shader.immediates.len();
        if number != next as u64 {
            let span = Span::new(start, self.cursor.at);
            self.cursor.report_with_help(
                Code::ImmediateOrder,
                span,
                format!("immediate {number} is out of order"),
                Some(format!("immediates are numbered from 0 without gaps: this one is {next}")),
            );
        }
        self.cursor.expect(b']')
    }

    /// The bits of one value, in the low half for 32-bit types.
    fn number(&mut self, kind: ImmediateType) -> Result<u64, Stop> {
        self.cursor.skip_space();
        let start = self.cursor.at;
        let text = self.cursor.text;
        let len = text[start..]
            .bytes()
            .take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
            .count();
        let word = &text[start..start + len];
        let bits = match kind {
            ImmediateType::Float32 => float32(word).map(|value| u64::from(value.to_bits())),
            ImmediateType::Float64 => float64(word).map(f64::to_bits),
            ImmediateType::Uint32 | ImmediateType::Int32 => {
                integer(word).map(|value| u64::from(value as u32))
            }
            ImmediateType::Uint64 => wide_integer(word, 0, i128::from(u64::MAX)),
            ImmediateType::Int64 => wide_integer(word, i64::MIN.into(), i64::MAX.into()),
        };
        match bits {
            Some(bits) => {
                self.cursor.at = start + len;
                Ok(bits)
            }
            None => {
                let span = Span::new(start, start + len.max(1));
                let found = if word.is_empty() { self.cursor.found() } else { format!("`{word}`") };
                self.cursor.report(
                    Code::ExpectedNumber,
                    span,
                    format!("expected a number, found {found}"),
                );
                Err(Stop)
            }
        }
    }
}

/// A float in decimal, or its bits as `0x` and eight digits. Decimal goes through double, as in Mesa.
fn float32(word: &str) -> Option<f32> {
    if let Some(digits) = hexadecimal(word) {
        return Some(f32::from_bits(u32::from_str_radix(digits, 16).ok()?));
    }
    decimal(word).map(|value| value as f32)
}

/// A double in decimal, in C's hexadecimal notation with an exponent, or its bits as `0x` and 16 digits.
fn float64(word: &str) -> Option<f64> {
    let (negative, rest) = match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    let Some(digits) = hexadecimal(rest) else { return decimal(word) };
    let value = match digits.split_once(['p', 'P']) {
        Some((mantissa, exponent)) => hexadecimal_float(mantissa, exponent)?,
        None if digits.len() == 16 && !negative => {
            f64::from_bits(u64::from_str_radix(digits, 16).ok()?)
        }
        None => hexadecimal_float(digits, "0")?,
    };
    Some(if negative { -value } else { value })
}

fn hexadecimal_float(mantissa: &str, exponent: &str) -> Option<f64> {
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let digits = format!("{whole}{fraction}");
    if digits.len() > 14 {
        return None;
    }
    let scale = exponent.parse::<i32>().ok()?.checked_sub(4 * fraction.len() as i32)?;
    let value = u64::from_str_radix(&digits, 16).ok()? as f64;
    // In two steps, so that neither power leaves the range before the other brings it back.
    Some(value * 2f64.powi(scale / 2) * 2f64.powi(scale - scale / 2))
}

fn hexadecimal(word: &str) -> Option<&str> {
    word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"))
}

/// A decimal number, `inf` or `nan`; a sign before `nan` is kept.
fn decimal(word: &str) -> Option<f64> {
    let value: f64 = word.parse().ok()?;
    Some(if value.is_nan() && word.starts_with('-') { -value.abs() } else { value })
}

/// A 64-bit integer as C's library reads it: `0x` hexadecimal, a leading 0 octal, too large ones cut to the
/// limits; a negative unsigned one counts from 2⁶⁴ down.
fn wide_integer(word: &str, least: i128, most: i128) -> Option<u64> {
    let unsigned = word.trim_start_matches(['-', '+']);
    let is_octal = unsigned.len() > 1
        && unsigned.bytes().all(|byte| byte.is_ascii_digit())
        && unsigned.starts_with('0');
    let value = match (is_octal, word.starts_with('-')) {
        (true, false) => i128::from_str_radix(unsigned, 8).ok()?,
        (true, true) => -i128::from_str_radix(unsigned, 8).ok()?,
        (false, _) => integer(word)?,
    };
    if least == 0 && value < 0 {
        // C's `strtoull` negates what fits, and answers the largest number for what does not.
        return Some(if -value > most { u64::MAX } else { value as u64 });
    }
    Some(value.clamp(least, most) as u64)
}

/// An integer in decimal or hexadecimal, with or without sign.
fn integer(word: &str) -> Option<i128> {
    let (negative, digits) = match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    };
    let value = match hexadecimal(digits) {
        Some(digits) => i128::from(u64::from_str_radix(digits, 16).ok()?),
        None => digits.parse::<i128>().ok()?,
    };
    Some(if negative { -value } else { value })
}
