//! Immediates.

use arrayvec::ArrayVec;
use tgsi_ir::validate::Statement;
use tgsi_ir::{File, Immediate, ImmediateType, ItemKind};

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
        let words = self.values(kind, start)?;
        self.shader.immediates.push(Immediate { kind, words });
        self.finish(ItemKind::Immediate, start);
        Ok(())
    }

    /// The words between braces. As in Mesa, words missing at the end of the text become zeros. A closing brace that
    /// comes early gives fewer words; streams of other producers may have those.
    fn values(&mut self, kind: ImmediateType, start: usize) -> Result<ArrayVec<u32, 4>, Stop> {
        let mut words = ArrayVec::new();
        if self.is_cut_short(start) {
            return Ok(ArrayVec::from([0; 4]));
        }
        self.cursor.expect(b'{')?;
        while !words.is_full() && !self.cursor.eat(b'}') {
            if self.is_cut_short(start) {
                return Ok(filled(&words));
            }
            if !words.is_empty() {
                self.cursor.expect(b',')?;
            }
            if self.is_cut_short(start) {
                return Ok(filled(&words));
            }
            self.value(kind, &mut words)?;
        }
        if !words.is_full() {
            let message = format!("an immediate of {} words", words.len());
            let help = "Mesa's text needs four";
            let span = Span::new(start, self.cursor.at);
            self.cursor.report_with_help(Code::ShortImmediate, span, message, Some(help.into()));
        } else if !self.is_cut_short(start) {
            self.cursor.expect(b'}')?;
        }
        Ok(words)
    }

    /// Whether the text ends here; if so, warns.
    fn is_cut_short(&mut self, start: usize) -> bool {
        self.cursor.skip_space();
        if !self.cursor.is_at_end() {
            return false;
        }
        let span = Span::new(start, self.cursor.at);
        let message = "the text ends within an immediate; the rest is taken as 0";
        self.cursor.report(Code::CutShort, span, message.to_owned());
        true
    }

    /// `{…}` with the value of one register of an immediate array, as floats.
    pub(super) fn array_value(&mut self) -> Result<[u32; 4], Stop> {
        self.cursor.skip_space();
        let words = self.values(ImmediateType::Float32, self.cursor.at)?;
        let mut value = [0; 4];
        value[..words.len()].copy_from_slice(&words);
        Ok(value)
    }

    /// One value: one word, or two, low half first.
    fn value(&mut self, kind: ImmediateType, words: &mut ArrayVec<u32, 4>) -> Result<(), Stop> {
        let is_wide =
            matches!(kind, ImmediateType::Float64 | ImmediateType::Uint64 | ImmediateType::Int64);
        if is_wide && let Some(low) = self.cursor.numbered("LOW", 32)? {
            words.push(low);
            return Ok(());
        }
        let value = self.number(kind)?;
        words.push(value as u32);
        if is_wide && words.try_push((value >> 32) as u32).is_err() {
            return Err(self.cursor.fail(Code::ExpectedMark, "more than four words".to_owned()));
        }
        Ok(())
    }

    /// `n]`: the number must be the next one.
    fn immediate_number(&mut self) -> Result<(), Stop> {
        self.cursor.skip_space();
        let start = self.cursor.at;
        let number = self.cursor.unsigned()?;
        let next = self.shader.immediates.len();
        // After an unparsable immediate, the number of those before is unknown.
        let is_known = !self.omitted.has(Statement::Declaration(Some(File::Immediate)));
        if is_known && number != next as u64 {
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
        let word = number_word(&self.cursor.text[start..]);
        let bits = match kind {
            ImmediateType::Float32 => float32(word).map(|value| u64::from(value.to_bits())),
            ImmediateType::Float64 => float64(word).map(f64::to_bits),
            ImmediateType::Uint32 | ImmediateType::Int32 => {
                integer(word).map(|value| value & u64::from(u32::MAX))
            }
            ImmediateType::Uint64 => wide_integer(word, 0, i128::from(u64::MAX)),
            ImmediateType::Int64 => wide_integer(word, i64::MIN.into(), i64::MAX.into()),
        };
        if let Some(bits) = bits {
            self.cursor.at = start + word.len();
            return Ok(bits);
        }
        let (span, found) = match word {
            "" => (self.cursor.here(), self.cursor.found()),
            _ => (Span::new(start, start + word.len()), format!("`{word}`")),
        };
        let message = format!("expected a number, found {found}");
        self.cursor.report(Code::ExpectedNumber, span, message);
        Err(Stop)
    }
}

/// Four words, padded with zeros.
fn filled(words: &[u32]) -> ArrayVec<u32, 4> {
    words.iter().copied().chain([0; 4]).take(4).collect()
}

/// The characters of a number, including parentheses directly after a word.
fn number_word(text: &str) -> &str {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.');
    let len = text.bytes().take_while(is_part).count();
    if text.as_bytes().get(len) != Some(&b'(') {
        return &text[..len];
    }
    let inner = text[len + 1..].bytes().take_while(|byte| is_part(byte) || *byte == b'_').count();
    let end = len + 1 + inner;
    if text.as_bytes().get(end) == Some(&b')') { &text[..=end] } else { &text[..len] }
}

/// A float in decimal, or its bits as `0x` and eight digits. As in Mesa, decimals are rounded to double first.
fn float32(word: &str) -> Option<f32> {
    if let Some(digits) = hexadecimal(word) {
        return Some(f32::from_bits(bits(digits)?.try_into().ok()?));
    }
    decimal(word).map(|value| value as f32)
}

/// Hexadecimal digits, without a sign.
fn bits(digits: &str) -> Option<u64> {
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| u64::from_str_radix(digits, 16).ok())?
}

/// A double in decimal or in C's hexadecimal notation, `nan` with its payload in parentheses, or the bits of
/// any double as `BITS(0x…)`.
fn float64(word: &str) -> Option<f64> {
    let (is_negative, rest) = split_sign(word);
    let value = if let Some(bits) = argument(rest, "BITS") {
        return Some(f64::from_bits(self::bits(hexadecimal(bits)?)?));
    } else if let Some(payload) = argument(rest, "nan") {
        // As in C's library, anything that is not a number counts as 0.
        let payload = wide_integer(payload, 0, i128::from(u64::MAX)).unwrap_or(0);
        f64::from_bits(f64::NAN.abs().to_bits() | payload & NAN_PAYLOAD)
    } else if let Some(digits) = hexadecimal(rest) {
        let (mantissa, exponent) = digits.split_once(['p', 'P']).unwrap_or((digits, "0"));
        hexadecimal_float(mantissa, exponent)?
    } else {
        return decimal(word);
    };
    Some(if is_negative { -value } else { value })
}

/// The bits of a quiet NaN without a payload.
const NAN_PAYLOAD: u64 = (1 << 51) - 1;

/// The contents of the parentheses of `name(…)`.
fn argument<'w>(word: &'w str, name: &str) -> Option<&'w str> {
    let head = word.get(..name.len())?;
    let rest = head.eq_ignore_ascii_case(name).then(|| &word[name.len()..])?;
    rest.strip_prefix('(')?.strip_suffix(')')
}

/// Hexadecimal digits with a point, times a power of two, rounded once to nearest.
fn hexadecimal_float(mantissa: &str, exponent: &str) -> Option<f64> {
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let mut bits = 0u64;
    let mut scale = binary_exponent(exponent)?.saturating_sub(4 * fraction.len() as i64);
    for digit in whole.bytes().chain(fraction.bytes()) {
        let digit = u64::from(char::from(digit).to_digit(16).filter(|_| digit.is_ascii())?);
        if bits >> 60 == 0 {
            bits = bits << 4 | digit;
        } else {
            // Digits beyond the word size matter only if they are not zero.
            bits |= u64::from(digit != 0);
            scale = scale.saturating_add(4);
        }
    }
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    Some(scaled(bits, scale))
}

/// An exponent that is left where no more digits can bring a number back into range: a text has at most 2³² of them.
const LARGEST_EXPONENT: i64 = 1 << 40;

/// A decimal exponent of any length, as in C's library, capped where larger values make no difference.
fn binary_exponent(word: &str) -> Option<i64> {
    let (is_negative, digits) = split_sign(word);
    let digit = |value: i64, digit: char| {
        Some((10 * value + i64::from(digit.to_digit(10)?)).min(LARGEST_EXPONENT))
    };
    let magnitude = if digits.is_empty() { None } else { digits.chars().try_fold(0, digit) }?;
    Some(if is_negative { -magnitude } else { magnitude })
}

/// `bits · 2^scale`, rounded once: to 53 bits, or to fewer where the result is subnormal.
fn scaled(bits: u64, scale: i64) -> f64 {
    if bits == 0 {
        return 0.0;
    }
    let top = 63 - i64::from(bits.leading_zeros());
    let exponent = top.saturating_add(scale);
    let kept = exponent.saturating_add(1075).clamp(0, 53);
    let dropped = top + 1 - kept;
    let rounded = if dropped <= 0 { bits } else { round_to_even(bits, dropped as u32) };
    let power = scale.saturating_add(dropped.max(0)).clamp(-2200, 2200) as i32;
    // In two steps, so that neither power overflows the range on its own.
    rounded as f64 * 2f64.powi(power / 2) * 2f64.powi(power - power / 2)
}

/// `bits` without its lowest `dropped` bits (at most 64), rounded to nearest, ties to even.
fn round_to_even(bits: u64, dropped: u32) -> u64 {
    let kept = bits.checked_shr(dropped).unwrap_or(0);
    let rest = u128::from(bits) - (u128::from(kept) << dropped);
    let half = 1u128 << (dropped - 1);
    kept + u64::from(rest > half || rest == half && kept & 1 == 1)
}

fn hexadecimal(word: &str) -> Option<&str> {
    word.strip_prefix("0x").or_else(|| word.strip_prefix("0X"))
}

/// A decimal number, `inf` or `nan`; a sign before `nan` is kept.
fn decimal(word: &str) -> Option<f64> {
    let value: f64 = word.parse().ok()?;
    Some(match value.is_nan() {
        true if word.starts_with('-') => -value.abs(),
        true => value.abs(),
        false => value,
    })
}

fn split_sign(word: &str) -> (bool, &str) {
    match word.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, word.strip_prefix('+').unwrap_or(word)),
    }
}

/// A 64-bit integer as C's library reads it: `0x` is hexadecimal and a leading 0 octal. Values that are too large
/// saturate. Negative unsigned values count down from 2⁶⁴.
fn wide_integer(word: &str, least: i128, most: i128) -> Option<u64> {
    let (is_negative, digits) = split_sign(word);
    let magnitude = match hexadecimal(digits) {
        Some(digits) => saturating(digits, 16)?,
        None if digits.len() > 1 && digits.starts_with('0') => saturating(digits, 8)?,
        None => saturating(digits, 10)?,
    };
    let value = if is_negative { -magnitude } else { magnitude };
    if least == 0 && is_negative {
        // C's `strtoull` negates values that fit and returns the maximum otherwise.
        return Some(if magnitude > most { u64::MAX } else { value as u64 });
    }
    Some(value.clamp(least, most) as u64)
}

/// Digits of a radix. The value saturates above 2¹⁰⁰, far above every limit.
fn saturating(digits: &str, radix: u32) -> Option<i128> {
    let digit = |value: i128, digit: char| {
        Some((value * i128::from(radix) + i128::from(digit.to_digit(radix)?)).min(1 << 100))
    };
    if digits.is_empty() { None } else { digits.chars().try_fold(0, digit) }
}

/// The low bits of a decimal or hexadecimal integer, with or without sign; higher bits are dropped.
fn integer(word: &str) -> Option<u64> {
    let (is_negative, digits) = split_sign(word);
    let (digits, radix) = hexadecimal(digits).map_or((digits, 10), |digits| (digits, 16));
    let digit = |value: u64, digit: char| {
        Some(value.wrapping_mul(u64::from(radix)).wrapping_add(u64::from(digit.to_digit(radix)?)))
    };
    let value = if digits.is_empty() { None } else { digits.chars().try_fold(0, digit) }?;
    Some(if is_negative { value.wrapping_neg() } else { value })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doubles_are_read_as_c_reads_them() {
        let bits = |word: &str| float64(word).map(f64::to_bits);
        assert_eq!(float64("0x1.8p3"), Some(12.0));
        assert_eq!(float64("-0x.8"), Some(-0.5));
        assert_eq!(float64("0x1p-1074"), Some(f64::from_bits(1)));
        assert_eq!(float64("0x1.8p-1075"), Some(f64::from_bits(1)));
        assert_eq!(float64("0x1p-1075"), Some(0.0));
        assert_eq!(float64("0x1p1024"), Some(f64::INFINITY));
        // One and a half units in the last place, plus one bit far below.
        assert_eq!(float64("0x1.00000000000018"), Some(1.0 + 2.0 * f64::EPSILON));
        assert_eq!(float64("0x1.0000000000000800000001"), Some(1.0 + f64::EPSILON));
        assert_eq!(float64("0x4000000000000000"), Some(2f64.powi(62)));
        assert_eq!(bits("BITS(0x7ff0000000000001)"), Some(0x7ff0_0000_0000_0001));
        assert_eq!(bits("nan(0x15)"), Some(0x7ff8_0000_0000_0015));
        assert_eq!(bits("-nan"), Some(0xfff8_0000_0000_0000));
        for bad in ["", "0x", "0x.", "1e", "nan(", "BITS(7)", "0x1p"] {
            assert_eq!(bits(bad), None, "{bad}");
        }
    }

    #[test]
    fn exponents_have_any_number_of_digits() {
        let nines = "9".repeat(40);
        assert_eq!(float64(&format!("0x1p{nines}")), Some(f64::INFINITY));
        assert_eq!(float64(&format!("-0x1p+{nines}")), Some(f64::NEG_INFINITY));
        assert_eq!(float64(&format!("0x1p-{nines}")), Some(0.0));
        assert_eq!(float64(&format!("0x0p{nines}")), Some(0.0));
        // Digits of the mantissa add to an exponent that has just room in a word.
        assert_eq!(float64("0x10000000000000000000p9223372036854775807"), Some(f64::INFINITY));
        assert_eq!(float64("0x.1p-9223372036854775808"), Some(0.0));
        assert_eq!(float64("0x1p000000000000000000000000000000000000000003"), Some(8.0));
        let far = format!("0x1{}p-4000", "0".repeat(1000));
        assert_eq!(float64(&far), Some(1.0));
        for bad in ["0x1p+", "0x1p-", "0x1p+-1", "0x1p1f", "0x1p1.0"] {
            assert_eq!(float64(bad), None, "{bad}");
        }
    }

    #[test]
    fn integers_wrap_or_stop_at_the_limits() {
        assert_eq!(integer("4294967296").map(|value| value as u32), Some(0));
        assert_eq!(integer("-1").map(|value| value as u32), Some(u32::MAX));
        assert_eq!(wide_integer("99999999999999999999999999999999999999999", 0, 9), Some(9));
        assert_eq!(wide_integer("-0x10", i64::MIN.into(), 0), Some(-16i64 as u64));
        assert_eq!(wide_integer("017", 0, 99), Some(15));
        assert_eq!(wide_integer("08", 0, 99), None);
        assert_eq!(wide_integer("-1", 0, u64::MAX.into()), Some(u64::MAX));
    }
}
