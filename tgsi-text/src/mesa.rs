//! Mesa 21.2's verdict on a text: where its reader stops, and with which message.
//!
//! This crate's parser accepts a larger language and recovers from mistakes, so it cannot tell what Mesa accepts. This
//! recogniser can. It scans a text exactly as Mesa does, including blanks, and builds nothing.
//! [`ParseOptions::language`](crate::ParseOptions) selects between the two.
//!
//! It differs from Mesa 21.2 in three cases. Mesa reads through a null pointer for an unknown word in place of a
//! semantic or a return type; here the text is rejected. Mesa skips ten characters of a hexadecimal number even if it
//! has fewer; here all of them must be digits. And a text never ends for lack of space.

mod declaration;
mod immediate;
mod instruction;
mod scan;
mod statement;

use scan::Scan;

/// An error reported by Mesa's reader.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MesaError {
    /// Its message, verbatim.
    pub message: String,
    /// The offset in bytes that it points at.
    pub offset: usize,
}

/// Mesa's verdict on a text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verdict {
    /// Whether Mesa accepts the text. It may do so in spite of an error: an immediate cut off by the end of the text is
    /// filled with zeros.
    pub is_accepted: bool,
    /// The reported errors, in order: at most two.
    pub errors: Vec<MesaError>,
}

/// Reading stops; the error has been recorded.
#[derive(Clone, Copy, Debug)]
struct Refused;

/// Mesa's verdict on `text`.
pub fn judge(text: &str) -> Verdict {
    let mut scan = Scan::new(text);
    let is_accepted = scan.program().is_ok();
    Verdict { is_accepted, errors: scan.errors }
}

/// Line and column of a byte as Mesa counts them. Both start at 1, but the column of every line except the first also
/// counts the line end. A carriage return is an ordinary character, which Mesa does not skip either.
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
