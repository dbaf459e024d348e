//! A text that an editor has open, with places in the editor's terms.

use lsp_types::{Position, Range};
use tgsi_text::{Parsed, Span};

/// An open text.
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) text: String,
    pub(crate) parsed: Parsed,
    /// Where lines begin.
    lines: Vec<usize>,
}

impl Document {
    pub(crate) fn new(text: String) -> Self {
        let ends = text.match_indices('\n').map(|(at, _)| at + 1);
        let lines = std::iter::once(0).chain(ends).collect();
        Self { parsed: tgsi_text::parse(&text), text, lines }
    }

    /// The place of a byte.
    pub(crate) fn position(&self, offset: usize) -> Position {
        let offset = offset.min(self.text.len());
        let line = self.lines.partition_point(|start| *start <= offset).saturating_sub(1);
        let start = self.lines.get(line).copied().unwrap_or(0);
        let before = self.text.get(start..offset).unwrap_or_default();
        Position::new(line as u32, before.encode_utf16().count() as u32)
    }

    /// The byte at a place; the end of the line, or of the text, for places beyond.
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

    /// All of it.
    pub(crate) fn whole(&self) -> Range {
        Range::new(Position::new(0, 0), self.position(self.text.len()))
    }
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
}
