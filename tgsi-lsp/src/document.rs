//! A text open in an editor, with positions in the editor's terms.

use lsp_types::{Position, Range};
use tgsi_text::{Parsed, Span};

/// An open text.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) text: String,
    pub(crate) parsed: Parsed,
    /// The starts of lines.
    lines: Vec<usize>,
    /// Marks about `STRIDE` bytes apart, each with the UTF-16 units before it; needed because lines may be long.
    marks: Vec<(usize, usize)>,
}

/// Bytes from one mark to the next: the most that a conversion has to count.
const STRIDE: usize = 1024;

impl Document {
    pub(crate) fn new(text: String) -> Self {
        // A carriage return also ends a line, unless a line feed follows.
        let bytes = text.as_bytes();
        let is_end = |&at: &usize| match bytes[at - 1] {
            b'\n' => true,
            b'\r' => bytes.get(at) != Some(&b'\n'),
            _ => false,
        };
        let ends = (1..=bytes.len()).filter(is_end);
        let lines = std::iter::once(0).chain(ends).collect();
        Self { parsed: tgsi_text::parse(&text), lines, marks: marks(&text), text }
    }

    /// The position of a byte.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.lines.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.lines.get(line).copied().unwrap_or(0);
        let column = self.units(offset).saturating_sub(self.units(start));
        Position::new(line as u32, column as u32)
    }

    /// The number of UTF-16 units before a byte.
    fn units(&self, offset: usize) -> usize {
        let next = self.marks.partition_point(|(at, _)| *at <= offset);
        let (at, units) = self.marks[..next].last().copied().unwrap_or_default();
        units + self.text.get(at..offset).unwrap_or_default().encode_utf16().count()
    }

    /// The byte at a position. Positions beyond the end of a line or of the text are clamped to it.
    pub(crate) fn offset(&self, position: Position) -> usize {
        let line = position.line as usize;
        let Some(&start) = self.lines.get(line) else { return self.text.len() };
        let end = self.lines.get(line + 1).map_or(self.text.len(), |next| next - 1);
        let mut left = position.character as usize;
        for (at, letter) in self.text.get(start..end).unwrap_or_default().char_indices() {
            if left < letter.len_utf16() {
                return start + at;
            }
            left -= letter.len_utf16();
        }
        end
    }

    pub(crate) fn range(&self, span: Span) -> Range {
        Range::new(self.position(span.start as usize), self.position(span.end as usize))
    }

    /// The range of the whole text.
    pub(crate) fn whole(&self) -> Range {
        Range::new(Position::new(0, 0), self.position(self.text.len()))
    }
}

/// The first byte of the text and one per `STRIDE` bytes, each at the start of a character.
fn marks(text: &str) -> Vec<(usize, usize)> {
    let mut marks = vec![(0, 0)];
    let mut units = 0;
    for (at, letter) in text.char_indices() {
        if at >= STRIDE * marks.len() {
            marks.push((at, units));
        }
        units += letter.len_utf16();
    }
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_units_of_utf_16() {
        let document = Document::new("// é𝄞x\nEND\n".to_owned());
        let x = document.text.find('x').unwrap();
        assert_eq!(document.position(x), Position::new(0, 6));
        assert_eq!(document.offset(Position::new(0, 6)), x);
        let end = document.text.find("END").unwrap();
        assert_eq!(document.position(end), Position::new(1, 0));
        assert_eq!(document.offset(Position::new(1, 99)), end + 3);
        assert_eq!(document.offset(Position::new(9, 0)), document.text.len());
    }

    #[test]
    fn lines_end_with_either_mark_or_both() {
        let document = Document::new("a\rb\r\nc\nd".to_owned());
        let places = ["a", "b", "c", "d"].map(|word| document.text.find(word).unwrap());
        let lines = places.map(|place| document.position(place).line);
        assert_eq!(lines, [0, 1, 2, 3]);
    }

    /// Characters of four bytes straddle the marks, and the second line begins between two of them.
    #[test]
    fn columns_of_long_lines_are_counted_from_near_by() {
        let text = format!("// {}\n// é{}x\n", "𝄞".repeat(700), "𝄞".repeat(900));
        let document = Document::new(text.clone());
        assert!(document.marks.windows(2).all(|pair| pair[1].0 - pair[0].0 < STRIDE + 4));
        assert!(document.marks.last().is_some_and(|last| text.len() - last.0 < STRIDE + 4));
        let x = text.find('x').unwrap();
        assert_eq!(document.position(x), Position::new(1, 4 + 2 * 900));
        assert_eq!(document.position(x - 4 * 600), Position::new(1, 4 + 2 * 300));
    }
}
