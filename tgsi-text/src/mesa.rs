//! What the reader of Mesa 21.2 says to a text: where it stops, and with which words.
//!
//! The reader of this crate takes a larger language and goes on after mistakes, so it cannot tell what Mesa
//! takes. This recogniser can: it goes through a text as Mesa does, blank by blank and in Mesa's order, and
//! builds nothing. [`ParseOptions::language`](crate::ParseOptions) chooses between the two.
//!
//! Three texts are treated differently from Mesa 21.2: where it reads through a null pointer (an unknown word
//! in the place of a semantic or of a return type), the text is refused; where it skips ten characters of a
//! number in hexadecimal that has fewer, they must be digits; and a text never ends for lack of space.

mod declaration;
mod immediate;
mod instruction;
mod scan;
mod statement;

use scan::Scan;

/// Something that Mesa's reader reports.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MesaError {
    /// Its words, to the letter.
    pub message: String,
    /// The byte of the text it points at.
    pub offset: usize,
}

/// What Mesa's reader makes of a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Whether the text is a shader. It can be one in spite of an error: an immediate that the text's end
    /// cuts short is filled with zeros.
    pub is_accepted: bool,
    /// What is reported, in order: two errors at most.
    pub errors: Vec<MesaError>,
}

/// Reading goes no further; what is wrong has been noted.
#[derive(Clone, Copy, Debug)]
struct Refused;

/// What Mesa's reader says to `text`.
pub fn judge(text: &str) -> Verdict {
    let mut scan = Scan::new(text);
    let is_accepted = scan.program().is_ok();
    Verdict { is_accepted, errors: scan.errors }
}

/// Line and column of a byte as Mesa counts them: both from 1, but the line's end is counted into the column of
/// every line but the first. A carriage return is a letter like others, which Mesa does not skip either.
pub fn mesa_position(text: &str, offset: usize) -> (usize, usize) {
    let before = &text.as_bytes()[..offset.min(text.len())];
    let line = before.iter().filter(|&&byte| byte == b'\n').count() + 1;
    let column = match before.iter().rposition(|&byte| byte == b'\n') {
        Some(end) => before.len() - end + 1,
        None => before.len() + 1,
    };
    (line, column)
}

#[cfg(test)]
mod tests;
