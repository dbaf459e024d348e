//! Places in a text as lines and columns.

use std::ops::Range;

/// The starts of lines, for fast look-up of many places in a long text.
pub(crate) struct LineIndex<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> LineIndex<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let after_breaks = text.match_indices('\n').map(|(at, _)| at + 1);
        Self { text, starts: std::iter::once(0).chain(after_breaks).collect() }
    }

    /// The range in bytes of a line's text without its indentation.
    pub(crate) fn line(&self, line: usize) -> Range<usize> {
        let Some(&start) = self.starts.get(line) else { return 0..0 };
        let text = self.text[start..].lines().next().unwrap_or_default();
        let indent = text.len() - text.trim_start().len();
        start + indent..start + text.trim_end().len().max(indent)
    }

    /// Line and column of a byte, from 0. Columns count UTF-16 units, as browsers do.
    pub(crate) fn position(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let before = self.text.get(self.starts[line]..offset).unwrap_or_default();
        (line, before.encode_utf16().count())
    }
}

#[cfg(test)]
mod tests {
    use super::LineIndex;

    #[test]
    fn places_count_as_pages_do() {
        let lines = LineIndex::new("FRAG\n; 😀x\nEND");
        assert_eq!(lines.position(0), (0, 0));
        assert_eq!(lines.position(5), (1, 0));
        assert_eq!(lines.position(11), (1, 4));
        assert_eq!(lines.position(99), (2, 3));
        assert_eq!((lines.line(1), lines.line(7)), (5..12, 0..0));
        assert_eq!(LineIndex::new(" a b \n").line(0), 1..4);
    }
}
