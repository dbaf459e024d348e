//! A line, read from left to right.

use std::str::FromStr;

use cranelift_entity::EntityRef;
use r600_isa::Chan;

use super::error::{ParseError, ParseFault};

/// The largest number of a register or another entity. No shader comes near it. It bounds the memory that a text can
/// make the parser allocate.
const MAX_NUMBER: usize = 1 << 20;

/// The result of reading.
pub(super) type Reading<T> = Result<T, ParseError>;

/// The rest of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'t> {
    number: usize,
    line: &'t str,
    rest: &'t str,
}

impl<'t> Cursor<'t> {
    /// A cursor at the start of the line with this number.
    pub(super) fn new(number: usize, line: &'t str) -> Self {
        Self { number, line, rest: line.trim_start() }
    }

    /// The text not read yet.
    pub(super) fn rest(&self) -> &'t str {
        self.rest
    }

    /// Whether only spaces are left.
    pub(super) fn is_at_end(&self) -> bool {
        self.rest.trim_end().is_empty()
    }

    /// An error at the current position.
    pub(super) fn fault(&self, fault: ParseFault) -> ParseError {
        let column = self.line.chars().count() - self.rest.chars().count() + 1;
        ParseError { line: self.number, column, fault }
    }

    /// Fails because `what` was expected at the current position.
    pub(super) fn expected<T>(&self, what: &'static str) -> Reading<T> {
        Err(self.fault(ParseFault::Expected(what)))
    }

    /// Skips `text` if it comes next; false if it does not.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Skips `text`, which must come next.
    pub(super) fn expect(&mut self, text: &'static str) -> Reading<()> {
        if self.eat(text) { Ok(()) } else { self.expected(text) }
    }

    /// Checks that the line ends here.
    pub(super) fn end(&self) -> Reading<()> {
        match self.rest.trim_end() {
            "" => Ok(()),
            rest => Err(self.fault(ParseFault::Trailing(rest.to_owned()))),
        }
    }

    /// Reads characters as long as they are `taken`.
    fn take(&mut self, taken: impl Fn(char) -> bool) -> &'t str {
        let at = self.rest.find(|c| !taken(c)).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(at);
        self.rest = rest;
        text
    }

    /// Reads letters, digits and underscores.
    pub(super) fn name(&mut self) -> &'t str {
        self.take(|c| c.is_ascii_alphanumeric() || c == '_')
    }

    /// Reads up to the next space.
    pub(super) fn word(&mut self) -> &'t str {
        self.take(|c| c != ' ')
    }

    /// Reads a decimal number.
    pub(super) fn number<T: FromStr>(&mut self) -> Reading<T> {
        let start = *self;
        let digits = self.take(|c| c.is_ascii_digit());
        match (digits, digits.parse()) {
            ("", _) => start.expected("a number"),
            (_, Ok(number)) => Ok(number),
            (_, Err(_)) => Err(start.fault(ParseFault::OutOfRange(digits.to_owned()))),
        }
    }

    /// Reads a prefix and a number, such as `r12`, if they come next.
    pub(super) fn find_entity<T: EntityRef>(&mut self, prefix: &str) -> Reading<Option<T>> {
        let start = *self;
        let is_number = |rest: &str| rest.starts_with(|c: char| c.is_ascii_digit());
        if !self.eat(prefix) || !is_number(self.rest) {
            *self = start;
            return Ok(None);
        }
        let number: usize = self.number()?;
        if number > MAX_NUMBER {
            return Err(start.fault(ParseFault::OutOfRange(number.to_string())));
        }
        Ok(Some(T::new(number)))
    }

    /// The same for an entity that must come next.
    pub(super) fn entity<T: EntityRef>(&mut self, prefix: &str, what: &'static str) -> Reading<T> {
        match self.find_entity(prefix)? {
            Some(entity) => Ok(entity),
            None => self.expected(what),
        }
    }

    /// Reads a channel such as `.x`.
    pub(super) fn channel(&mut self) -> Reading<Chan> {
        match Chan::ALL.into_iter().find(|chan| {
            self.rest.strip_prefix('.').is_some_and(|rest| rest.starts_with(chan.letter()))
        }) {
            Some(chan) => {
                let all = [".x", ".y", ".z", ".w"];
                self.expect(all[chan as usize])?;
                Ok(chan)
            }
            None => self.expected("a channel: `.x`, `.y`, `.z` or `.w`"),
        }
    }
}
