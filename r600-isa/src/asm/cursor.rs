//! Reading one line from left to right.

use std::ops::Range;

use crate::Chan;

use super::{Code, Diagnostic, Parsed};

/// A position in a line.
#[derive(Clone, Debug)]
pub(super) struct Cursor<'t> {
    text: &'t str,
    at: usize,
    end: usize,
}

/// A number as written.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Value {
    /// Bits, in hexadecimal.
    Bits(u32),
    /// An integer.
    Integer(i64),
    /// A float.
    Float(f32),
}

impl<'t> Cursor<'t> {
    /// The bytes `range` of `text`, which are on one line.
    pub(super) fn new(text: &'t str, range: Range<usize>) -> Self {
        let mut cursor = Self { text, at: range.start, end: range.end };
        cursor.skip();
        cursor
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.text[self.at..self.end]
    }

    pub(super) const fn at(&self) -> usize {
        self.at
    }

    pub(super) const fn is_at_end(&self) -> bool {
        self.at == self.end
    }

    /// The span from `start` to here, without trailing spaces.
    pub(super) fn span_from(&self, start: usize) -> Range<usize> {
        start..start + self.text[start..self.at].trim_end().len()
    }

    /// The span of the next word or character, for messages.
    pub(super) fn next_span(&self) -> Range<usize> {
        let rest = self.rest();
        let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        let len = if word > 0 { word } else { rest.chars().next().map_or(0, char::len_utf8) };
        self.at..self.at + len
    }

    fn skip(&mut self) {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    /// Skips `token` and the spaces after it, if it comes next.
    pub(super) fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.at += token.len();
            self.skip();
        }
        found
    }

    /// Skips `token`, which the grammar requires.
    pub(super) fn expect(&mut self, token: &str) -> Parsed<()> {
        if self.eat(token) { Ok(()) } else { Err(self.unexpected(&format!("`{token}`"))) }
    }

    /// The error that `wanted` was expected here.
    pub(super) fn unexpected(&self, wanted: &str) -> Diagnostic {
        let span = self.next_span();
        let message = match &self.text[span.clone()] {
            "" => format!("expected {wanted}, found the end of the line"),
            found => format!("expected {wanted}, found `{found}`"),
        };
        Diagnostic::new(Code::Unexpected, span, message)
    }

    /// Reads a name.
    pub(super) fn name(&mut self) -> Option<&'t str> {
        let rest = self.rest();
        if !rest.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return None;
        }
        let len = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.at += len;
        self.skip();
        Some(&rest[..len])
    }

    /// Reads the digits and letters after a full stop: components.
    pub(super) fn components(&mut self) -> &'t str {
        let rest = self.rest();
        let len = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len());
        self.at += len;
        self.skip();
        &rest[..len]
    }

    /// Reads a whole decimal number.
    pub(super) fn number(&mut self) -> Option<u32> {
        let rest = self.rest();
        let len = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let number = rest[..len].parse().ok()?;
        self.at += len;
        self.skip();
        Some(number)
    }

    /// Reads a 32-bit word: hexadecimal with `0x`, or decimal.
    pub(super) fn word(&mut self) -> Parsed<u32> {
        let start = self.at;
        match self.value() {
            Some(Value::Bits(bits)) => Ok(bits),
            Some(Value::Integer(value)) => u32::try_from(value).map_err(|_| {
                let message = "the number has more than 32 bits";
                Diagnostic::new(Code::OutOfRange, self.span_from(start), message)
            }),
            Some(Value::Float(_)) | None => {
                self.at = start;
                Err(self.unexpected("a word such as 0x3f800000"))
            }
        }
    }

    /// Reads a number without a sign.
    pub(super) fn value(&mut self) -> Option<Value> {
        let rest = self.rest();
        let (value, len) = read_value(rest)?;
        self.at += len;
        self.skip();
        Some(value)
    }

    /// Reads a channel such as `.x`.
    pub(super) fn channel(&mut self) -> Parsed<Option<Chan>> {
        if !self.eat(".") {
            return Ok(None);
        }
        let start = self.at;
        match self.components() {
            "x" | "X" => Ok(Some(Chan::X)),
            "y" | "Y" => Ok(Some(Chan::Y)),
            "z" | "Z" => Ok(Some(Chan::Z)),
            "w" | "W" => Ok(Some(Chan::W)),
            _ => {
                self.at = start;
                Err(self.unexpected("a channel (x, y, z or w)"))
            }
        }
    }

    /// A cursor `len` bytes after this one.
    pub(super) fn advanced_by(&self, len: usize) -> Self {
        Self::new(self.text, self.at + len..self.end)
    }

    /// Checks that the line ends here.
    pub(super) fn finish(&self) -> Parsed<()> {
        if self.is_at_end() { Ok(()) } else { Err(self.unexpected("the end of the line")) }
    }
}

/// A number at the start of `text`, and its length.
fn read_value(text: &str) -> Option<(Value, usize)> {
    if let Some(digits) = text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        let len = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
        let bits = u32::from_str_radix(&digits[..len], 16).ok()?;
        return Some((Value::Bits(bits), len + 2));
    }
    let whole = digits_of(text);
    if whole == 0 {
        return None;
    }
    let mut len = whole;
    // A full stop belongs to the number only before a digit.
    if text[len..].starts_with('.') && digits_of(&text[len + 1..]) > 0 {
        len += 1 + digits_of(&text[len + 1..]);
    }
    len += exponent_of(&text[len..]);
    let has_suffix = text[len..].starts_with('f');
    let next = text[len + usize::from(has_suffix)..].chars().next();
    if next.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_') {
        return None;
    }
    if len == whole && !has_suffix {
        return Some((Value::Integer(text[..len].parse().ok()?), len));
    }
    Some((Value::Float(text[..len].parse().ok()?), len + usize::from(has_suffix)))
}

fn digits_of(text: &str) -> usize {
    text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len())
}

/// Length of an exponent such as `e-5`; 0 if there is none.
fn exponent_of(text: &str) -> usize {
    let Some(rest) = text.strip_prefix(['e', 'E']) else { return 0 };
    let sign = usize::from(rest.starts_with(['-', '+']));
    match digits_of(&rest[sign..]) {
        0 => 0,
        digits => 1 + sign + digits,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_end_at_the_first_other_character() {
        assert_eq!(read_value("0x3F, 1"), Some((Value::Bits(63), 4)));
        assert_eq!(read_value("12.x"), Some((Value::Integer(12), 2)));
        assert_eq!(read_value("1.5f)"), Some((Value::Float(1.5), 4)));
        assert_eq!(read_value("1e-5"), Some((Value::Float(1e-5), 4)));
        assert_eq!(read_value("3f"), Some((Value::Float(3.0), 2)));
        assert_eq!(read_value("0.5@y"), Some((Value::Float(0.5), 3)));
        assert_eq!(read_value("99999999999999999999"), None);
        assert_eq!(read_value("0x"), None);
        assert_eq!(read_value("1abc"), None);
    }
}
