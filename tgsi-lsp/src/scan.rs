//! Classifies the words of a text, even one with mistakes. Used for highlighting and for the word under the cursor.

use std::ops::Range;

use tgsi_ir::{File, Opcode, Processor};

/// The kind of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// From its mark to the end of the line, or between its two marks.
    Comment,
    /// The stage, `DCL`, `IMM` and `PROPERTY`.
    Keyword,
    /// An opcode with its suffixes.
    Opcode,
    /// A register file.
    File,
    /// A semantic, a target or a property name.
    Name,
    /// Channels after a dot.
    Channels,
    /// A number.
    Number,
}

/// A word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Word {
    pub(crate) kind: Kind,
    pub(crate) range: Range<usize>,
}

/// The words of a text, in order. Only comments span several lines.
pub(crate) fn words(text: &str) -> Vec<Word> {
    let mut scanner = Scanner { text, at: 0, is_start: true, words: Vec::new() };
    while scanner.at < text.len() {
        scanner.step();
    }
    scanner.words
}

struct Scanner<'t> {
    text: &'t str,
    at: usize,
    /// Whether a statement begins here.
    is_start: bool,
    words: Vec<Word>,
}

impl Scanner<'_> {
    fn step(&mut self) {
        let rest = &self.text[self.at..];
        let Some(first) = rest.chars().next() else { return };
        if let Some(len) = comment(rest) {
            self.push(Kind::Comment, len);
            return;
        }
        match first {
            '\n' | '\r' => {
                self.is_start = true;
                self.at += 1;
            }
            '.' => {
                // Dots within a number are part of it, so this one separates a register from its channels.
                let len = rest[1..].len() - rest[1..].trim_start_matches(is_channel).len();
                self.at += 1;
                if (1..=4).contains(&len) {
                    self.push(Kind::Channels, len);
                }
            }
            _ if first.is_ascii_digit() => self.number(rest),
            _ if is_word(first) => self.word(rest),
            _ => self.at += first.len_utf8(),
        }
    }

    /// A number. If a colon follows, the statement is yet to begin.
    fn number(&mut self, rest: &str) {
        let mut len = digits(rest);
        let is_exponent = rest[..len].ends_with(['e', 'E']) && !rest.starts_with("0x");
        if is_exponent && rest[len..].starts_with(['+', '-']) {
            let after_sign = &rest[len + 1..];
            len += 1 + after_sign.len() - after_sign.trim_start_matches(is_word).len();
        }
        let is_label = rest[len..].trim_start_matches(' ').starts_with(':');
        let was_start = self.is_start;
        self.push(Kind::Number, len.max(1));
        self.is_start = was_start && is_label;
        if self.text[self.at..].starts_with("..") {
            self.at += 2;
        }
    }

    fn word(&mut self, rest: &str) {
        let len = rest.len() - rest.trim_start_matches(is_word).len();
        let word = &rest[..len];
        let kind = if self.is_start {
            first_word(word, &rest[len..])
        } else {
            later_word(word, &rest[len..])
        };
        self.push(kind, len);
    }

    fn push(&mut self, kind: Kind, len: usize) {
        self.words.push(Word { kind, range: self.at..self.at + len });
        self.at += len;
        self.is_start &= kind == Kind::Comment;
    }
}

/// The length in bytes of the number at the beginning of a text, without the sign of an exponent and what follows it.
/// `0..3` is two numbers: the first ends with its digits. Nothing beyond is examined, since much text may follow.
fn digits(text: &str) -> usize {
    let bytes = text.as_bytes();
    let is_part = |at: usize, byte: u8| match byte {
        b'.' => bytes.get(at + 1) != Some(&b'.'),
        _ => is_word(char::from(byte)),
    };
    let end = bytes.iter().enumerate().position(|(at, &byte)| !is_part(at, byte));
    end.unwrap_or(bytes.len())
}

/// The length in bytes of the comment at the beginning of a text.
fn comment(text: &str) -> Option<usize> {
    if let Some(inside) = text.strip_prefix("/*") {
        return Some(inside.find("*/").map_or(text.len(), |end| end + 4));
    }
    let is_comment = text.starts_with("//") || text.starts_with(['#', ';']);
    is_comment.then(|| text.find(['\n', '\r']).unwrap_or(text.len()))
}

/// The first word of a line: it begins a statement, or continues one as an operand.
fn first_word(word: &str, rest: &str) -> Kind {
    let is_keyword = ["DCL", "IMM", "PROPERTY"].iter().any(|own| word.eq_ignore_ascii_case(own));
    let is_stage = Processor::from_name(&word.to_ascii_uppercase()).is_some();
    match () {
        () if is_keyword || is_stage => Kind::Keyword,
        () if opcode(word).is_some() => Kind::Opcode,
        () => later_word(word, rest),
    }
}

fn later_word(word: &str, rest: &str) -> Kind {
    let is_file = File::from_name(&word.to_ascii_uppercase()).is_some();
    // `CONST[0]` is a register, but `CONSTANT` an interpolation mode; a file without a subscript is a name.
    if is_file && rest.trim_start().starts_with(['[', '(']) { Kind::File } else { Kind::Name }
}

/// The opcode of a word, with any suffixes.
pub(crate) fn opcode(word: &str) -> Option<Opcode> {
    let upper = word.to_ascii_uppercase();
    let name = upper.trim_end_matches("_PRECISE").trim_end_matches("_SAT");
    Opcode::from_name(&upper).or_else(|| Opcode::from_name(name))
}

fn is_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

fn is_channel(letter: char) -> bool {
    "xyzwrgbaXYZWRGBA".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<(Kind, &str)> {
        words(text).into_iter().map(|word| (word.kind, &text[word.range])).collect()
    }

    #[test]
    fn statements_are_taken_apart() {
        let text = "FRAG // a stage\nDCL OUT[0..1], COLOR\nIMM[0] FLT32 {1.5e-3, 0.0}\n  0: MAD_SAT OUT[0].xy, -IN[1].xxyy, 2D\n";
        assert_eq!(
            kinds(text),
            [
                (Kind::Keyword, "FRAG"),
                (Kind::Comment, "// a stage"),
                (Kind::Keyword, "DCL"),
                (Kind::File, "OUT"),
                (Kind::Number, "0"),
                (Kind::Number, "1"),
                (Kind::Name, "COLOR"),
                (Kind::Keyword, "IMM"),
                (Kind::Number, "0"),
                (Kind::Name, "FLT32"),
                (Kind::Number, "1.5e-3"),
                (Kind::Number, "0.0"),
                (Kind::Number, "0"),
                (Kind::Opcode, "MAD_SAT"),
                (Kind::File, "OUT"),
                (Kind::Number, "0"),
                (Kind::Channels, "xy"),
                (Kind::File, "IN"),
                (Kind::Number, "1"),
                (Kind::Channels, "xxyy"),
                (Kind::Number, "2D"),
            ]
        );
    }

    #[test]
    fn marks_of_comments_do_not_overlap() {
        assert_eq!(kinds("/*/ ADD OUT[0] */"), [(Kind::Comment, "/*/ ADD OUT[0] */")]);
        let returns = kinds("; a\rMOV OUT[0]\rEND");
        let want = [(Kind::Comment, "; a"), (Kind::Opcode, "MOV"), (Kind::File, "OUT")];
        assert_eq!(returns[..3], want);
        assert_eq!(returns.last(), Some(&(Kind::Opcode, "END")));
        // An operand on a line of its own.
        assert_eq!(kinds("MOV\nOUT[0]")[1], (Kind::File, "OUT"));
    }

    #[test]
    fn any_text_ends() {
        for text in ["", "/*", "0..", "1e+", ".", "..x", "é.é", "0x", "/* a */ b /", "\r\n;"] {
            let words = words(text);
            assert!(words.iter().all(|word| !word.range.is_empty()), "{text}");
        }
    }
}
