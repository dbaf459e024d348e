//! Reads one line from left to right.

use r600_isa::Chan;

use super::error::{ParseError, ParseErrorKind};
use crate::ssa::{Operand, Value};

pub(super) type Reading<T> = Result<T, ParseError>;

/// A position in a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'t> {
    line: &'t str,
    at: usize,
    /// The line's number, from 1.
    number: usize,
}

impl<'t> Cursor<'t> {
    /// At the first word of `line`.
    pub(super) fn new(line: &'t str, number: usize) -> Self {
        let mut cursor = Self { line: line.trim_end(), at: 0, number };
        cursor.skip();
        cursor
    }

    pub(super) fn rest(&self) -> &'t str {
        &self.line[self.at..]
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at == self.line.len()
    }

    fn skip(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    /// Advances by `len` bytes and past the spaces after them.
    fn advance(&mut self, len: usize) {
        self.at += len;
        self.skip();
    }

    /// Takes `token` and the spaces after it, if it is next.
    pub(super) fn eat(&mut self, token: &str) -> bool {
        let found = self.rest().starts_with(token);
        if found {
            self.advance(token.len());
        }
        found
    }

    /// Takes `token`, which the grammar requires.
    pub(super) fn expect(&mut self, token: &str) -> Reading<()> {
        if self.eat(token) { Ok(()) } else { Err(self.expected(&format!("`{}`", token.trim()))) }
    }

    /// Checks that the line ends here.
    pub(super) fn finish(&self) -> Reading<()> {
        if self.is_at_end() { Ok(()) } else { Err(self.expected("the end of the line")) }
    }

    /// Letters, digits and underscores, perhaps none.
    pub(super) fn word(&mut self) -> &'t str {
        let word = leading(self.rest(), |c| c.is_ascii_alphanumeric() || c == '_');
        self.advance(word.len());
        word
    }

    /// Everything up to the first of `ends`, or to the end of the line.
    pub(super) fn up_to(&mut self, ends: &[&str]) -> &'t str {
        let rest = self.rest();
        let len = ends.iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
        self.advance(len);
        rest[..len].trim_end()
    }

    /// A decimal number up to `max`.
    pub(super) fn number(&mut self, max: u32) -> Reading<u32> {
        let digits = leading(self.rest(), |c| c.is_ascii_digit());
        if digits.is_empty() {
            return Err(self.expected("a number"));
        }
        let Some(number) = digits.parse().ok().filter(|number| *number <= max) else {
            return Err(self.error(ParseErrorKind::TooLarge { number: digits.to_owned(), max }));
        };
        self.advance(digits.len());
        Ok(number)
    }

    pub(super) fn number_u8(&mut self, max: u8) -> Reading<u8> {
        self.number(u32::from(max)).map(|number| number as u8)
    }

    pub(super) fn number_u16(&mut self) -> Reading<u16> {
        self.number(u32::from(u16::MAX)).map(|number| number as u16)
    }

    /// `.x`
    pub(super) fn chan(&mut self) -> Reading<Chan> {
        self.expect(".")?;
        let found = Chan::ALL.into_iter().find(|chan| self.rest().starts_with(chan.letter()));
        let chan = found.ok_or_else(|| self.expected("a channel"))?;
        self.advance(1);
        Ok(chan)
    }

    /// `%3`
    pub(super) fn value(&mut self) -> Reading<Value> {
        // Far more than any shader has. Values up to this number are allocated, so text must not choose it freely.
        const MAX: u32 = (1 << 20) - 1;
        if !self.rest().starts_with('%') {
            return Err(self.expected("a value"));
        }
        self.at += 1;
        self.number(MAX).map(Value::from_u32)
    }

    /// A value, a constant or a uniform with its modifiers.
    pub(super) fn operand(&mut self) -> Reading<Operand> {
        let neg = self.eat("-");
        let abs = self.eat("|");
        let plain = self.unmodified()?;
        if abs {
            self.expect("|")?;
        }
        Ok(Operand { neg, abs, ..plain })
    }

    fn unmodified(&mut self) -> Reading<Operand> {
        match self.rest().chars().next() {
            Some('%') => self.value().map(Operand::value),
            Some('0') => self.constant(),
            Some('c') => self.uniform(),
            _ => Err(self.no_operand()),
        }
    }

    /// `0x3f800000`
    fn constant(&mut self) -> Reading<Operand> {
        let Some(rest) = self.rest().strip_prefix("0x") else {
            return Err(self.expected("a constant such as 0x3f800000"));
        };
        let digits = leading(rest, |c| c.is_ascii_hexdigit());
        let bits = u32::from_str_radix(digits, 16);
        let bits = bits.map_err(|_| self.expected("a constant such as 0x3f800000"))?;
        self.advance(2 + digits.len());
        Ok(Operand::constant(bits))
    }

    /// `c0[3].x`
    fn uniform(&mut self) -> Reading<Operand> {
        const LAST_BANK: u8 = 15;
        self.expect("c")?;
        let bank = self.number_u8(LAST_BANK)?;
        self.expect("[")?;
        let index = self.number_u16()?;
        self.expect("]")?;
        Ok(Operand::uniform(bank, index, self.chan()?))
    }

    /// `%1, -%2, 0x0`, or nothing.
    pub(super) fn operands(&mut self) -> Reading<Vec<Operand>> {
        let mut operands = Vec::new();
        if !self.rest().starts_with(['%', '-', '|', '0', 'c']) {
            return Ok(operands);
        }
        loop {
            operands.push(self.operand()?);
            if !self.eat(",") {
                return Ok(operands);
            }
        }
    }

    /// `%1, _, 0x0, _`
    pub(super) fn components(&mut self) -> Reading<[Option<Operand>; 4]> {
        let mut components = [None; 4];
        for (n, component) in components.iter_mut().enumerate() {
            if n > 0 {
                self.expect(",")?;
            }
            if !self.eat("_") {
                *component = Some(self.operand()?);
            }
        }
        Ok(components)
    }

    /// The error that `wanted` is missing here.
    pub(super) fn expected(&self, wanted: &str) -> ParseError {
        let word = leading(self.rest(), |c| c.is_ascii_alphanumeric() || c == '_');
        self.expected_at(wanted, word)
    }

    /// The error that an operand is missing here. It quotes the text up to the next comma or space.
    fn no_operand(&self) -> ParseError {
        let word = leading(self.rest(), |c| c != ',' && !c.is_whitespace());
        self.expected_at("an operand such as %1, 0x3f800000 or c0[1].x", word)
    }

    /// The error that `word` stands here instead of `wanted`. If `word` is empty, it quotes the next character.
    fn expected_at(&self, wanted: &str, word: &str) -> ParseError {
        let first = self.rest().chars().next().map(String::from).unwrap_or_default();
        let found = if word.is_empty() { first } else { word.to_owned() };
        self.error(ParseErrorKind::Expected { wanted: wanted.to_owned(), found })
    }

    /// An error at this position.
    pub(super) fn error(&self, kind: ParseErrorKind) -> ParseError {
        self.error_after(0, kind)
    }

    /// An error `bytes` bytes after this position.
    pub(super) fn error_after(&self, bytes: usize, kind: ParseErrorKind) -> ParseError {
        let before = self.line.get(..self.at + bytes).unwrap_or(self.line);
        ParseError { line: self.number, column: before.chars().count() + 1, kind }
    }
}

/// Parses as many operands as `name` takes.
pub(super) fn some(
    cursor: &mut Cursor<'_>,
    start: Cursor<'_>,
    (name, takes): (&str, usize),
) -> Reading<Vec<Operand>> {
    let src = cursor.operands()?;
    if src.len() == takes {
        return Ok(src);
    }
    if src.is_empty() && !cursor.is_at_end() {
        return Err(cursor.no_operand());
    }
    let kind = ParseErrorKind::Operands { name: name.to_owned(), takes, has: src.len() };
    Err(start.error(kind))
}

/// The longest prefix of `text` whose characters are all `wanted`.
fn leading(text: &str, wanted: impl Fn(char) -> bool) -> &str {
    &text[..text.find(|c| !wanted(c)).unwrap_or(text.len())]
}
