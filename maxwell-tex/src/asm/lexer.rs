//! Words and punctuation, and the statements that semicolons end.

use alloc::vec::Vec;
use core::ops::Range;

/// A word or a punctuation mark, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) span: Range<usize>,
}

impl Token<'_> {
    pub(super) fn is(&self, mark: &str) -> bool {
        self.text == mark
    }

    /// Whether it is a comment without an end.
    pub(super) fn is_open_comment(&self) -> bool {
        self.text.starts_with("/*")
    }

    /// Whether it is a scheduling operand.
    pub(super) fn is_control(&self) -> bool {
        self.text.starts_with(['&', '?'])
    }
}

/// All tokens of a text; comments and blanks are left out.
pub(super) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let (len, is_token) = lex(rest);
        if is_token {
            tokens.push(Token { text: &rest[..len], span: at..at + len });
        }
        at += len;
    }
    tokens
}

/// Length in bytes of the token, comment or blank that `rest` begins with, and whether it is a token.
fn lex(rest: &str) -> (usize, bool) {
    if rest.starts_with("//") {
        return (rest.find('\n').unwrap_or(rest.len()), false);
    }
    if let Some(comment) = rest.strip_prefix("/*") {
        // An unterminated comment is a token, so that the statement that it cuts off is an error.
        return comment.find("*/").map_or((rest.len(), true), |end| (end + 4, false));
    }
    if rest.starts_with(['&', '?']) {
        return (control_len(rest), true);
    }
    let blanks = rest.len() - rest.trim_start().len();
    if blanks > 0 {
        return (blanks, false);
    }
    let word = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
    if word > 0 { (word, true) } else { (rest.chars().next().map_or(1, char::len_utf8), true) }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '.'
}

/// A scheduling operand ends at a blank or a semicolon, or with its braces.
fn control_len(rest: &str) -> usize {
    let end = rest.find(|c: char| c.is_whitespace() || c == ';' || c == '{').unwrap_or(rest.len());
    if !rest[end..].starts_with('{') {
        return end;
    }
    rest[end..]
        .find(['}', ';'])
        .map_or(rest.len(), |brace| end + brace + usize::from(rest[end + brace..].starts_with('}')))
}

/// The tokens of each statement, including its semicolon if it has one. Empty statements are left out.
pub(super) fn statements<'t, 'a>(tokens: &'t [Token<'a>]) -> impl Iterator<Item = &'t [Token<'a>]> {
    tokens.split_inclusive(|token| token.is(";")).filter(|tokens| !tokens[0].is(";"))
}
