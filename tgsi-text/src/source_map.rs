//! Maps the items of a shader to their places in the text.

use tgsi_ir::translate::Origins;
use tgsi_ir::validate::Place;

use crate::Span;
use crate::cursor::Cursor;

/// Spans of declarations, immediates, properties and instructions, indexed by their ids.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceMap {
    pub(crate) processor: Span,
    pub(crate) properties: Vec<Span>,
    pub(crate) declarations: Vec<Span>,
    pub(crate) immediates: Vec<Span>,
    pub(crate) instructions: Vec<Span>,
    /// The number of destinations in the text of each instruction.
    pub(crate) destinations: Vec<u8>,
}

impl SourceMap {
    /// The span of a place in the shader. Falls back to the whole item if `text` gives no finer one.
    pub fn span(&self, place: Place, text: &str) -> Span {
        let item = |spans: &[Span], at: usize| spans.get(at).copied().unwrap_or(self.processor);
        match place {
            Place::Shader => self.processor,
            Place::Property(id) => item(&self.properties, id.index()),
            Place::Declaration(id) => item(&self.declarations, id.index()),
            Place::Immediate(id) => item(&self.immediates, id.index()),
            Place::Instruction(id) => item(&self.instructions, id.index()),
            Place::Dst(id, n) => {
                let span = without_predicate(item(&self.instructions, id.index()), text);
                operand(span, usize::from(n), text)
            }
            Place::Src(id, n) | Place::Offset(id, n) => {
                let span = without_predicate(item(&self.instructions, id.index()), text);
                let num_dst = self.destinations.get(id.index()).copied().unwrap_or(0);
                operand(span, usize::from(n) + usize::from(num_dst), text)
            }
        }
    }
}

impl SourceMap {
    /// The source map of a rewritten shader. Each part has the span of its origin; new parts have the span of the
    /// header.
    #[must_use]
    pub fn rewritten(&self, origins: &Origins) -> Self {
        let instructions = origins.instructions().map(|id| {
            id.and_then(|id| self.instructions.get(id.index())).copied().unwrap_or(self.processor)
        });
        let destinations = origins
            .instructions()
            .map(|id| id.and_then(|id| self.destinations.get(id.index())).copied().unwrap_or(0));
        let declarations = origins.declarations().map(|id| {
            id.and_then(|id| self.declarations.get(id.index())).copied().unwrap_or(self.processor)
        });
        Self {
            instructions: instructions.collect(),
            destinations: destinations.collect(),
            declarations: declarations.collect(),
            ..self.clone()
        }
    }
}

/// The instruction at `span` without its predicate.
fn without_predicate(span: Span, text: &str) -> Span {
    let words = text.get(span.range()).unwrap_or_default();
    match words.starts_with('(').then(|| words.find(')')).flatten() {
        Some(end) => {
            let rest = &words[end + 1..];
            let blanks = rest.len() - rest.trim_start().len();
            Span::new(span.start as usize + end + 1 + blanks, span.end as usize)
        }
        None => span,
    }
}

/// The n-th operand of the instruction at `span`. Commas separate operands after the first word; commas in comments do
/// not count.
fn operand(span: Span, n: usize, text: &str) -> Span {
    let mut cursor = Cursor::new(text.get(span.range()).unwrap_or_default());
    cursor.word();
    // Opcodes without a name have operand counts in parentheses.
    if cursor.peek() == Some(b'(') {
        while cursor.peek().is_some_and(|byte| byte != b')') {
            cursor.at += 1;
        }
        cursor.eat(b')');
    }
    for _ in 0..n {
        operand_end(&mut cursor);
        if !cursor.eat(b',') {
            return span;
        }
    }
    cursor.skip_space();
    let (start, end) = (cursor.at, operand_end(&mut cursor));
    if start >= end {
        return span;
    }
    Span::new(span.start as usize + start, span.start as usize + end)
}

/// Advances to the next comma or to the end. Returns the end of the text before it, without blanks and comments.
fn operand_end(cursor: &mut Cursor<'_>) -> usize {
    let mut end = cursor.at;
    loop {
        cursor.skip_space();
        match cursor.peek() {
            None | Some(b',') => return end,
            Some(_) => {
                cursor.at += 1;
                end = cursor.at;
            }
        }
    }
}

/// Line and column of byte `offset`, both from 1. The column counts characters. Lines end with a line feed, a carriage
/// return or both.
pub fn line_and_column(text: &str, offset: usize) -> (usize, usize) {
    let text = text.as_bytes();
    let offset = offset.min(text.len());
    let start = (0..offset).rev().find(|&at| ends_line(text, at)).map_or(0, |at| at + 1);
    let line = (0..start).filter(|&at| ends_line(text, at)).count() + 1;
    let column = text[start..offset].iter().filter(|byte| **byte & 0xC0 != 0x80).count() + 1;
    (line, column)
}

/// Whether a line ends with byte `at`, as for [`line_and_column`]. A line that ends with two characters ends with the
/// second. No line ends beyond the text.
///
/// ```
/// let is_end = |&at: &usize| tgsi_text::ends_line(b"a\rb\r\nc\n", at);
/// assert_eq!((0..9).filter(is_end).collect::<Vec<usize>>(), [1, 4, 6]);
/// ```
pub fn ends_line(text: &[u8], at: usize) -> bool {
    match text.get(at) {
        Some(b'\n') => true,
        Some(b'\r') => text.get(at + 1) != Some(&b'\n'),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use tgsi_ir::InstructionId;
    use tgsi_ir::validate::Place;

    use super::line_and_column;

    #[test]
    fn lines_end_with_either_mark_or_both() {
        let text = "a\r\u{e4}b\r\nc\n\rd";
        let places =
            ["a", "b", "c", "d"].map(|word| line_and_column(text, text.find(word).unwrap()));
        assert_eq!(places, [(1, 1), (2, 2), (3, 1), (5, 1)]);
        // Between the two characters the line has not ended.
        assert_eq!(line_and_column(text, text.find("\r\n").unwrap() + 1), (2, 4));
    }

    #[test]
    fn commas_in_comments_separate_no_operands() {
        let text = "FRAG\nMAD/* x, y */OUT[0] /* a, b */, /*,*/ IN[0] # c, d\n, IN[1], IN[2] ; e, f\nEND\n";
        let parsed = crate::parse(text);
        assert_eq!(parsed.diagnostics, []);
        let at = |place| &text[parsed.source_map.span(place, text).range()];
        let id = InstructionId(0);
        assert_eq!(at(Place::Dst(id, 0)), "OUT[0]");
        let sources = [0, 1, 2].map(|n| at(Place::Src(id, n)));
        assert_eq!(sources, ["IN[0]", "IN[1]", "IN[2]"]);
    }

    #[test]
    fn sources_are_found_after_the_destinations_that_were_read() {
        let text = "FRAG\nmov_sat OUT[0], TEMP[3]\nMOV_SATNV OUT[0], TEMP[3]\nMov_Sat3 OUT[0], TEMP[3]\n\
                    mov_sat_precise OUT[0], TEMP[3]\nMOV_SAT OUT[0], TEMP[3]\n\
                    3: MOV(2,1) OUT[0], OUT[1], TEMP[3]\nMOV(0,1) TEMP[3]\nEND\n";
        let parsed = crate::parse(text);
        assert_eq!(parsed.diagnostics, []);
        let at = |n| &text[parsed.source_map.span(Place::Src(InstructionId(n), 0), text).range()];
        assert_eq!([0, 1, 2, 3, 4, 5, 6].map(at), ["TEMP[3]"; 7]);
    }
}
