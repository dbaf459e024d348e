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
            ImmediateType::Uint64 | ImmediateType::Int64 => integer(word).map(|value| value as u64),
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

fn float64(word: &str) -> Option<f64> {
    if let Some(digits) = hexadecimal(word) {
        return Some(f64::from_bits(u64::from_str_radix(digits, 16).ok()?));
    }
    decimal(word)
}

fn hexadecimal(word: &str) -> Option<&str> {
    word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"))
}

/// A decimal number, `inf` or `nan`; a sign before `nan` is kept.
fn decimal(word: &str) -> Option<f64> {
    let value: f64 = word.parse().ok()?;
    Some(if value.is_nan() && word.starts_with('-') { -value.abs() } else { value })
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
