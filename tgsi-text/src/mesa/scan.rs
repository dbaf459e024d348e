//! A position in the text, and the tokens that can occur there.

use super::{MesaError, Refused};

/// A position in the text.
pub(super) struct Scan<'t> {
    bytes: &'t [u8],
    pub(super) at: usize,
    pub(super) errors: Vec<MesaError>,
    pub(super) stage: tgsi_ir::Processor,
    /// Whether an empty bracket has a size.
    pub(super) has_vertex_count: bool,
    pub(super) num_immediates: u32,
}

pub(super) fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl<'t> Scan<'t> {
    /// The start of a text, which ends like a C string.
    pub(super) fn new(text: &'t str) -> Self {
        let bytes = text.as_bytes();
        let end = bytes.iter().position(|&byte| byte == 0).unwrap_or(bytes.len());
        Self {
            bytes: &bytes[..end],
            at: 0,
            errors: Vec::new(),
            stage: tgsi_ir::Processor::Vertex,
            has_vertex_count: false,
            num_immediates: 0,
        }
    }

    /// Records an error at the position.
    pub(super) fn refuse(&mut self, message: impl Into<String>) -> Refused {
        self.refuse_at(self.at, message)
    }

    /// Records an error at an earlier place.
    pub(super) fn refuse_at(&mut self, offset: usize, message: impl Into<String>) -> Refused {
        self.errors.push(MesaError { message: message.into(), offset });
        Refused
    }

    pub(super) fn byte(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(super) fn rest(&self) -> &'t [u8] {
        &self.bytes[self.at.min(self.bytes.len())..]
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.at >= self.bytes.len()
    }

    /// Skips blanks and line ends; returns whether there were any.
    pub(super) fn white(&mut self) -> bool {
        let start = self.at;
        while let Some(b' ' | b'\t' | b'\n') = self.byte() {
            self.at += 1;
        }
        self.at > start
    }

    /// Consumes a mark if it comes next.
    pub(super) fn mark(&mut self, mark: u8) -> bool {
        let found = self.byte() == Some(mark);
        self.at += usize::from(found);
        found
    }

    /// Consumes a mark after blanks; if there is none, the position stays before them.
    pub(super) fn mark_after_blanks(&mut self, mark: u8) -> bool {
        let start = self.at;
        self.white();
        let found = self.mark(mark);
        if !found {
            self.at = start;
        }
        found
    }

    /// Skips blanks and consumes a mark; if there is none, rejects the text after the blanks.
    pub(super) fn expect(&mut self, mark: u8, message: &str) -> Result<(), Refused> {
        self.white();
        if self.mark(mark) { Ok(()) } else { Err(self.refuse(message)) }
    }

    /// The word at the position: letters, digits and underscores.
    pub(super) fn peek_word(&self) -> &'t [u8] {
        let rest = self.rest();
        let len = rest.iter().take_while(|&&byte| is_word(byte)).count();
        &rest[..len]
    }

    /// Consumes the word at the position if `find` knows it.
    pub(super) fn known_word<T>(&mut self, find: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
        let word = self.peek_word();
        let found = find(word);
        if found.is_some() {
            self.at += word.len();
        }
        found
    }

    /// Consumes one word, in either case.
    pub(super) fn keyword(&mut self, keyword: &str) -> bool {
        let is_keyword = |word: &[u8]| word.eq_ignore_ascii_case(keyword.as_bytes()).then_some(());
        self.known_word(is_keyword).is_some()
    }

    /// An unsigned number, cut to 32 bits.
    pub(super) fn unsigned(&mut self) -> Option<u32> {
        let digits = self.rest().iter().take_while(|byte| byte.is_ascii_digit()).count();
        let digit = |value: u32, byte: &u8| {
            value.wrapping_mul(10).wrapping_add(u32::from(byte.wrapping_sub(b'0')))
        };
        let value = self.rest()[..digits].iter().fold(0, digit);
        self.at += digits;
        (digits > 0).then_some(value)
    }

    /// A number with or without sign. The sign is not consumed if no number follows.
    pub(super) fn signed(&mut self) -> bool {
        let start = self.at;
        if matches!(self.byte(), Some(b'+' | b'-')) {
            self.at += 1;
        }
        let found = self.unsigned().is_some();
        if !found {
            self.at = start;
        }
        found
    }

    /// An unsigned number; otherwise the text is rejected.
    pub(super) fn expect_unsigned(&mut self, message: &str) -> Result<u32, Refused> {
        self.unsigned().ok_or_else(|| self.refuse(message))
    }
}
