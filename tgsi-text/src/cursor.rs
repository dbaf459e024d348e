//! A position in the text, with the words and marks found there.

use tgsi_ir::Limits;
use tgsi_ir::limits::{Exceeded, Limit};

use crate::{Code, Diagnostic, Label, Severity, Span};

/// A statement could not be parsed; the error has been recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop;

/// Reading position, with the diagnostics so far.
pub(crate) struct Cursor<'t> {
    pub(crate) text: &'t str,
    bytes: &'t [u8],
    pub(crate) at: usize,
    pub(crate) diagnostics: Vec<Diagnostic>,
    /// Errors so far, including those not kept.
    pub(crate) num_errors: usize,
    /// The rest of the text was not read.
    pub(crate) is_cut_short: bool,
    limits: Limits,
    /// Nothing more is read or recorded.
    is_closed: bool,
}

/// Line ends; a carriage return alone also ends a line.
pub(crate) const LINE_ENDS: [char; 2] = ['\n', '\r'];

/// The byte-order mark that some editors put before a text.
const BYTE_ORDER_MARK: char = '\u{feff}';

/// The number of diagnostics kept. It bounds memory for a text that is wrong everywhere.
const MAX_DIAGNOSTICS: usize = 1000;

fn is_word_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

impl<'t> Cursor<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self::within(text, Limits::NONE)
    }

    pub(crate) fn within(text: &'t str, limits: Limits) -> Self {
        let is_marked = text.starts_with(BYTE_ORDER_MARK);
        Self {
            text,
            bytes: text.as_bytes(),
            at: if is_marked { BYTE_ORDER_MARK.len_utf8() } else { 0 },
            diagnostics: Vec::new(),
            num_errors: 0,
            is_cut_short: false,
            limits,
            is_closed: false,
        }
    }

    /// Records that a limit is exceeded at `start`, and stops reading.
    #[cold]
    pub(crate) fn close(&mut self, start: usize, exceeded: Exceeded) {
        self.at = self.bytes.len();
        if self.is_closed {
            return;
        }
        let end = start + self.text[start..].find(LINE_ENDS).unwrap_or(self.text.len() - start);
        let span = Span::new(start, end);
        // It explains why no more mistakes follow, so it is always kept.
        self.diagnostics.truncate(MAX_DIAGNOSTICS - 1);
        self.report_with_help(Code::Limit, span, exceeded.to_string(), Some(exceeded.help()));
        (self.is_closed, self.is_cut_short) = (true, true);
    }

    #[inline]
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    pub(crate) fn is_at_end(&self) -> bool {
        self.is_closed || self.at >= self.bytes.len()
    }

    /// Skips blanks, line ends and comments.
    #[inline]
    pub(crate) fn skip_space(&mut self) {
        while let Some(byte) = self.peek() {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                b'/' | b'#' | b';' => {
                    if !self.skip_comment() {
                        return;
                    }
                }
                _ => return,
            }
        }
    }

    /// Skips a comment; returns false if there is none.
    fn skip_comment(&mut self) -> bool {
        let rest = &self.bytes[self.at..];
        if rest.starts_with(b"/*") {
            let start = self.at;
            match self.text[start + 2..].find("*/") {
                Some(len) => self.at = start + 2 + len + 2,
                None => {
                    self.at = self.bytes.len();
                    // Lookahead may reach this comment more than once.
                    if !std::mem::replace(&mut self.is_cut_short, true) {
                        let span = Span::new(start, start + 2);
                        let message = "the comment has no end".to_owned();
                        self.report(Code::UnclosedComment, span, message);
                    }
                }
            }
            return true;
        }
        if rest.starts_with(b"//") || rest[0] != b'/' {
            self.skip_line();
            return true;
        }
        false
    }

    /// Goes to the end of the line.
    pub(crate) fn skip_line(&mut self) {
        let rest = &self.bytes[self.at..];
        let end = rest.iter().position(|byte| matches!(byte, b'\n' | b'\r'));
        self.at += end.unwrap_or(rest.len());
    }

    /// The word at the position: letters, digits and underscores. Empty if there is none.
    #[inline]
    pub(crate) fn word(&mut self) -> &'t [u8] {
        let start = self.at;
        while self.peek().is_some_and(is_word_byte) {
            self.at += 1;
        }
        let length = self.at - start;
        if let Err(exceeded) = self.limits.check(Limit::Word, length as u64) {
            self.close(start, exceeded);
            return &[];
        }
        &self.bytes[start..self.at]
    }

    /// Consumes `mark` if it comes next, possibly after blanks.
    #[inline]
    pub(crate) fn eat(&mut self, mark: u8) -> bool {
        let start = self.at;
        self.skip_space();
        if self.peek() == Some(mark) {
            self.at += 1;
            return true;
        }
        self.at = start;
        false
    }

    /// Consumes `mark`, or records that it is missing.
    pub(crate) fn expect(&mut self, mark: u8) -> Result<(), Stop> {
        if self.eat(mark) {
            return Ok(());
        }
        self.skip_space();
        let found = self.found();
        let message = format!("expected `{}`, found {found}", char::from(mark));
        Err(self.fail(Code::ExpectedMark, message))
    }

    /// An unsigned decimal number.
    pub(crate) fn unsigned(&mut self) -> Result<u64, Stop> {
        self.skip_space();
        let start = self.at;
        let mut value: u64 = 0;
        while let Some(digit) = self.peek().filter(u8::is_ascii_digit) {
            value = value.saturating_mul(10).saturating_add(u64::from(digit - b'0'));
            self.at += 1;
        }
        if self.at == start {
            let message = format!("expected a number, found {}", self.found());
            return Err(self.fail(Code::ExpectedNumber, message));
        }
        Ok(value)
    }

    /// An unsigned decimal number of at most `bits` bits. As in Mesa, a larger number is cut to its lowest bits, with a
    /// warning.
    pub(crate) fn bounded(&mut self, bits: u32, what: &str) -> Result<u32, Stop> {
        self.skip_space();
        let start = self.at;
        let value = self.unsigned()?;
        let max = u64::from(u32::MAX >> (32 - bits));
        if value <= max {
            return Ok(value as u32);
        }
        Ok(self.cut(start, bits, what))
    }

    /// Like [`Self::bounded`], with an optional sign. A negative number is also cut to its lowest bits.
    pub(crate) fn bounded_with_sign(&mut self, bits: u32, what: &str) -> Result<u32, Stop> {
        self.skip_space();
        let start = self.at;
        let sign = self.peek().filter(|byte| matches!(byte, b'+' | b'-'));
        self.at += usize::from(sign.is_some());
        let magnitude = self.bounded(bits, what)?;
        if sign != Some(b'-') || magnitude == 0 {
            return Ok(magnitude);
        }
        let cut = magnitude.wrapping_neg() & (u32::MAX >> (32 - bits));
        let message =
            format!("{what} is negative: its low {bits} bits are kept, which gives {cut}");
        let help = Some("the minimum is 0".to_owned());
        self.report_with_help(Code::NumberTooLarge, Span::new(start, self.at), message, help);
        Ok(cut)
    }

    /// The lowest bits of the number from `start` to the position, with a warning.
    #[cold]
    fn cut(&mut self, start: usize, bits: u32, what: &str) -> u32 {
        let digit = |value: u32, byte: &u8| {
            value.wrapping_mul(10).wrapping_add(u32::from(byte.wrapping_sub(b'0')))
        };
        let mask = u32::MAX >> (32 - bits);
        let cut = self.bytes[start..self.at].iter().fold(0, digit) & mask;
        let span = Span::new(start, self.at);
        let message =
            format!("{what} is too large: its low {bits} bits are kept, which gives {cut}");
        let help = format!("the maximum is {mask}");
        self.report_with_help(Code::NumberTooLarge, span, message, Some(help));
        cut
    }

    /// Consumes a word of the extended language, in either case, if it comes next.
    pub(crate) fn keyword(&mut self, keyword: &str) -> bool {
        let start = self.at;
        self.skip_space();
        // Looks only at as many bytes as the keyword has: the text here may be a number of any length.
        let end = self.at + keyword.len();
        let is_keyword = self
            .bytes
            .get(self.at..end)
            .is_some_and(|word| word.eq_ignore_ascii_case(keyword.as_bytes()));
        if is_keyword && !self.bytes.get(end).copied().is_some_and(is_word_byte) {
            self.at = end;
            return true;
        }
        self.at = start;
        false
    }

    /// `(number)`, directly after a word of the extended language for something without a name.
    pub(crate) fn number_in_parentheses(&mut self, bits: u32, what: &str) -> Result<u32, Stop> {
        self.expect(b'(')?;
        let number = self.bounded(bits, what)?;
        self.expect(b')')?;
        Ok(number)
    }

    /// The number of `KIND(number)`, if that comes next.
    pub(crate) fn numbered(&mut self, kind: &str, bits: u32) -> Result<Option<u32>, Stop> {
        let start = self.at;
        if self.keyword(kind) && self.peek() == Some(b'(') {
            return self.number_in_parentheses(bits, kind).map(Some);
        }
        self.at = start;
        Ok(None)
    }

    /// The text at the position, for messages.
    pub(crate) fn found(&self) -> String {
        let span = self.here();
        match self.text.get(span.range()) {
            Some("") | None => "the end of the text".to_owned(),
            Some(word) if word.trim().is_empty() => "the end of the line".to_owned(),
            Some(word) => format!("`{word}`"),
        }
    }

    /// The word or character at the position.
    pub(crate) fn here(&self) -> Span {
        let rest = &self.bytes[self.at..];
        let word = rest.iter().take_while(|byte| is_word_byte(**byte)).count();
        let len = match word {
            0 => self.text[self.at..].chars().next().map_or(0, char::len_utf8),
            len => len,
        };
        Span::new(self.at, self.at + len)
    }

    /// Records a mistake at the position.
    pub(crate) fn fail(&mut self, code: Code, message: String) -> Stop {
        let span = self.here();
        self.report(code, span, message);
        Stop
    }

    /// Whether another mistake would be kept.
    pub(crate) fn takes_reports(&self) -> bool {
        self.diagnostics.len() < MAX_DIAGNOSTICS && !self.is_closed
    }

    /// Records a mistake.
    pub(crate) fn report(&mut self, code: Code, span: Span, message: String) {
        self.report_with_help(code, span, message, None);
    }

    /// Records a mistake and how to fix it.
    pub(crate) fn report_with_help(
        &mut self,
        code: Code,
        span: Span,
        message: String,
        help: Option<String>,
    ) {
        self.num_errors += usize::from(code.severity() == Severity::Error);
        if self.takes_reports() {
            let primary = Label { span, text: String::new() };
            self.diagnostics.push(Diagnostic { code, message, primary, related: Vec::new(), help });
        }
    }
}

/// A comment of a text.
pub(crate) struct Comment<'t> {
    /// Its first byte.
    pub(crate) start: usize,
    /// Its text, without the line end.
    pub(crate) text: &'t str,
}

/// The comments of a text without mistakes. There, the marks that open comments have no other meaning.
pub(crate) fn comments(text: &str) -> impl Iterator<Item = Comment<'_>> {
    let mut cursor = Cursor::new(text);
    std::iter::from_fn(move || {
        loop {
            let rest = &text.as_bytes()[cursor.at..];
            let start = cursor.at + rest.iter().position(|byte| b"/#;".contains(byte))?;
            cursor.at = start;
            if cursor.skip_comment() {
                return Some(Comment { start, text: &text[start..cursor.at] });
            }
            cursor.at += 1;
        }
    })
}

/// The name among `names` that a mistyped `word` most likely means.
pub(crate) fn nearest<'n>(word: &str, names: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let word = word.to_ascii_uppercase();
    let limit = word.len().div_ceil(3).min(3);
    names
        .into_iter()
        .map(|name| (distance(word.as_bytes(), name.as_bytes()), name))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, name)| name)
}

/// The edit distance between two words: insertions, deletions and replacements; a transposition counts once. Long words
/// are cut.
fn distance(a: &[u8], b: &[u8]) -> usize {
    let (a, b) = (&a[..a.len().min(40)], &b[..b.len().min(40)]);
    if is_exchange(a, b) {
        return 1;
    }
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = (diagonal + usize::from(x != y)).min(above + 1).min(row[j] + 1);
            diagonal = above;
        }
    }
    row[b.len()]
}

/// Whether the words differ by a transposition of two adjacent letters.
fn is_exchange(a: &[u8], b: &[u8]) -> bool {
    let Some(at) = a.iter().zip(b).position(|(x, y)| x != y) else { return false };
    a.len() == b.len()
        && a.get(at) == b.get(at + 1)
        && a.get(at + 1) == b.get(at)
        && a[(at + 2).min(a.len())..] == b[(at + 2).min(b.len())..]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn typing_errors_find_their_word() {
        assert_eq!(nearest("MVO", ["MOV", "MUL", "ADD"]), Some("MOV"));
        assert_eq!(nearest("QQQQQQ", ["MOV", "MUL"]), None);
    }
}
