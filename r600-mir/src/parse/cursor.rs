//! A line that is read from left to right.

use std::str::FromStr;

use cranelift_entity::EntityRef;
use r600_isa::Chan;

use super::error::{ParseError, ParseFault};

/// The largest number of a register, and of whatever else has one: no shader comes near it, and a text may not ask
/// for memory without end.
const MAX_NUMBER: usize = 1 << 20;

/// What reading comes to.
pub(super) type Reading<T> = Result<T, ParseError>;

/// What is left of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'t> {
    number: usize,
    line: &'t str,
    rest: &'t str,
}

impl<'t> Cursor<'t> {
    /// The line of this number.
    pub(super) fn new(number: usize, line: &'t str) -> Self {
        Self { number, line, rest: line.trim_start() }
    }

    /// What is left.
    pub(super) fn rest(&self) -> &'t str {
        self.rest
    }

    /// Whether nothing is left.
    pub(super) fn is_at_end(&self) -> bool {
        self.rest.trim_end().is_empty()
    }

    /// A fault at what comes next.
    pub(super) fn fault(&self, fault: ParseFault) -> ParseError {
        let column = self.line.chars().count() - self.rest.chars().count() + 1;
        ParseError { line: self.number, column, fault }
    }

    /// Something else is expected next.
    pub(super) fn expected<T>(&self, what: &'static str) -> Reading<T> {
        Err(self.fault(ParseFault::Expected(what)))
    }

    /// Takes `text` where it comes next.
    pub(super) fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// Takes `text`, which has to come next.
    pub(super) fn expect(&mut self, text: &'static str) -> Reading<()> {
        if self.eat(text) { Ok(()) } else { self.expected(text) }
    }

    /// The end of the line.
    pub(super) fn end(&self) -> Reading<()> {
        match self.rest.trim_end() {
            "" => Ok(()),
            rest => Err(self.fault(ParseFault::Trailing(rest.to_owned()))),
        }
    }

    /// Takes what comes before the first character that is not `taken`.
    fn take(&mut self, taken: impl Fn(char) -> bool) -> &'t str {
        let at = self.rest.find(|c| !taken(c)).unwrap_or(self.rest.len());
        let (text, rest) = self.rest.split_at(at);
        self.rest = rest;
        text
    }

    /// Letters, digits and underscores.
    pub(super) fn name(&mut self) -> &'t str {
        self.take(|c| c.is_ascii_alphanumeric() || c == '_')
    }

    /// All up to the next space.
    pub(super) fn word(&mut self) -> &'t str {
        self.take(|c| c != ' ')
    }

    /// A decimal number.
    pub(super) fn number<T: FromStr>(&mut self) -> Reading<T> {
        let start = *self;
        let digits = self.take(|c| c.is_ascii_digit());
        match (digits, digits.parse()) {
            ("", _) => start.expected("a number"),
            (_, Ok(number)) => Ok(number),
            (_, Err(_)) => Err(start.fault(ParseFault::OutOfRange(digits.to_owned()))),
        }
    }

    /// A word and a number, such as `r12`, if that comes next.
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

    /// The same, which has to come next.
    pub(super) fn entity<T: EntityRef>(&mut self, prefix: &str, what: &'static str) -> Reading<T> {
        match self.find_entity(prefix)? {
            Some(entity) => Ok(entity),
            None => self.expected(what),
        }
    }

    /// `.x` and its like.
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
