//! The text of a program, with the words of each line beside it.

use std::fmt::Write as _;

use crate::EncodeError;

use super::Assembly;

/// Number of words in a row.
const WORDS_IN_ROW: usize = 4;

/// The words of a line of text.
struct Piece {
    /// Position of the line's instruction in the text.
    at: usize,
    /// The first word.
    first: usize,
    /// Number of words.
    count: usize,
}

impl Assembly {
    /// The text, each line after the address and the words of its instruction. Addresses count words from the start of
    /// the program.
    ///
    /// `text` is the text that was assembled.
    ///
    /// ```
    /// use r600_isa::{Generation, asm};
    ///
    /// let text = "EXP_DONE: PIX0, R1.xyzw\nEND_OF_PROGRAM\n";
    /// let assembly = asm::parse(text, Generation::R700);
    /// let lines = assembly.annotated(text)?;
    /// assert!(lines.starts_with("0000  c0008000 94200688                    EXP_DONE"), "{lines}");
    /// # Ok::<(), r600_isa::EncodeError>(())
    /// ```
    ///
    /// # Errors
    /// If a value of the program does not fit in its field.
    pub fn annotated(&self, text: &str) -> Result<String, EncodeError> {
        let words = self.program.encode()?;
        let mut pieces = self.pieces();
        pieces.sort_by_key(|piece| (piece.at, piece.first));
        let mut pieces = pieces.into_iter().peekable();
        let mut out = String::with_capacity(2 * text.len());
        let mut end = 0;
        for line in text.split_inclusive('\n') {
            end += line.len();
            let mut source = line.trim_end();
            while let Some(piece) = pieces.next_if(|piece| piece.at < end) {
                write_piece(&mut out, &words, &piece, source);
                source = "";
            }
            if !source.is_empty() || line.trim_end().is_empty() {
                write_row(&mut out, "", &[], source);
            }
        }
        Ok(out)
    }

    /// The words of each line.
    fn pieces(&self) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut first = 0;
        for (cf, span) in self.program.cf.iter().zip(&self.source_map.cf) {
            let count = 2 * cf.num_units() as usize;
            pieces.push(Piece { at: span.start, first, count });
            first += count;
        }
        let bodies = &self.source_map.bodies;
        for (addr, parts) in self.program.clause_addresses().iter().zip(bodies) {
            let mut first = 2 * *addr as usize;
            for part in parts {
                let Some((last, earlier)) = part.lines.split_last() else { continue };
                let end = first + part.num_words;
                for line in earlier {
                    pieces.push(Piece { at: line.start, first, count: WORDS_OF_SLOT });
                    first += WORDS_OF_SLOT;
                }
                // The last line of a group also has its literals.
                let count = end.saturating_sub(first);
                pieces.push(Piece { at: last.start, first, count });
                first = end;
            }
        }
        pieces
    }
}

/// Words per instruction of a group.
const WORDS_OF_SLOT: usize = 2;

fn write_piece(out: &mut String, words: &[u32], piece: &Piece, source: &str) {
    let own = words.get(piece.first..piece.first + piece.count).unwrap_or(&[]);
    for (row, own) in own.chunks(WORDS_IN_ROW).enumerate() {
        let address = format!("{:04x}", piece.first + WORDS_IN_ROW * row);
        write_row(out, &address, own, if row == 0 { source } else { "" });
    }
}

fn write_row(out: &mut String, address: &str, words: &[u32], source: &str) {
    let words: Vec<String> = words.iter().map(|word| format!("{word:08x}")).collect();
    let row = format!("{address:4}  {:35}  {source}", words.join(" "));
    let _ = writeln!(out, "{}", row.trim_end());
}
