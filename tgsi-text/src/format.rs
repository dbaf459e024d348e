//! The formatter: canonical text that keeps comments and paragraphs.

use tgsi_ir::ItemKind;

use crate::cursor::{Comment, LINE_ENDS, comments};
use crate::parser::Parsed;
use crate::{Diagnostic, ParseOptions, PrintOptions, Span, parse_with, print};

/// The canonical form of `text`. Each statement is on a line of its own, as [`print()`] gives it. Comments stay where
/// they were; those within a statement move before it, and those within the header move after it. At most one empty line
/// separates statements.
///
/// # Errors
/// If the text has mistakes: unparsable text cannot be preserved.
pub fn format(
    text: &str,
    reading: impl Into<ParseOptions>,
    printing: impl Into<PrintOptions>,
) -> Result<String, Vec<Diagnostic>> {
    let parsed = parse_with(text, reading);
    if parsed.has_errors() {
        return Err(parsed.diagnostics);
    }
    let printing = PrintOptions { dialect: parsed.dialect, ..printing.into() };
    let printed = print(&parsed.shader, printing);
    let out = String::with_capacity(printed.len());
    let mut writer = Writer { text, out, at: 0, takes_behind: false };
    let mut statements = printed.lines().zip(spans(&parsed));
    if let Some((line, span)) = statements.next() {
        writer.header(line, span);
    }
    for (line, span) in statements {
        writer.statement(line, span);
    }
    writer.rest();
    Ok(writer.out)
}

/// The processor's place, and those of all items in the order of the text.
fn spans(parsed: &Parsed) -> Vec<Span> {
    let map = &parsed.source_map;
    let mut next = [0usize; 4];
    let mut spans = vec![map.processor];
    for run in parsed.shader.runs() {
        let list = match run.kind {
            ItemKind::Property => &map.properties,
            ItemKind::Declaration => &map.declarations,
            ItemKind::Immediate => &map.immediates,
            ItemKind::Instruction => &map.instructions,
        };
        let at = &mut next[run.kind as usize];
        spans.extend(&list[*at..*at + run.len as usize]);
        *at += run.len as usize;
    }
    spans
}

struct Writer<'t> {
    text: &'t str,
    out: String,
    /// End of the statement that was written last.
    at: usize,
    /// Whether the line of that statement was written last, so that a comment may follow on it.
    takes_behind: bool,
}

impl Writer<'_> {
    /// Writes the comments before the header, its line, and the comments within it. Before the header, those could state
    /// a dialect.
    fn header(&mut self, line: &str, span: Span) {
        let (start, end) = (span.start as usize, span.end as usize);
        self.between(start, "");
        self.line(line, end);
        for comment in comments(&self.text[start..end]) {
            self.own_line(comment.text, "");
            self.takes_behind = false;
        }
    }

    /// Writes the comments before and within a statement, then its line.
    fn statement(&mut self, line: &str, span: Span) {
        let indent = &line[..line.len() - line.trim_start().len()];
        let (start, end) = (span.start as usize, span.end as usize);
        self.between(start, indent);
        for comment in comments(&self.text[start..end]) {
            self.own_line(comment.text, indent);
        }
        self.line(line, end);
    }

    /// Writes the line of a statement that ends at `end`.
    fn line(&mut self, line: &str, end: usize) {
        self.out.push_str(line);
        self.out.push('\n');
        (self.at, self.takes_behind) = (end, true);
    }

    /// Writes the comments from the end of the last statement up to `end`. The first one may belong to that statement.
    fn between(&mut self, end: usize, indent: &str) {
        let gap = &self.text[self.at..end];
        let mut seen = 0;
        for Comment { start, text } in comments(gap) {
            let before = &gap[seen..start];
            let is_trailing = seen == 0 && !before.contains(LINE_ENDS) && self.takes_behind;
            seen = start + text.len();
            if is_trailing {
                self.trailing_comment(text);
            } else {
                self.empty_line(before);
                self.own_line(text, indent);
            }
        }
        self.empty_line(&gap[seen..]);
    }

    /// Puts a comment after the statement written last.
    fn trailing_comment(&mut self, comment: &str) {
        self.out.pop();
        self.out.push_str("  ");
        self.out.push_str(comment.trim_end());
        self.out.push('\n');
    }

    fn own_line(&mut self, comment: &str, indent: &str) {
        self.out.push_str(indent);
        self.out.push_str(comment.trim_end());
        self.out.push('\n');
    }

    /// Keeps one empty line of several.
    fn empty_line(&mut self, white: &str) {
        // Two characters may end one line.
        let ends = white.matches(LINE_ENDS).count() - white.matches("\r\n").count();
        if ends > 1 && !self.out.is_empty() {
            self.out.push('\n');
        }
    }

    /// Writes the comments after the last statement.
    fn rest(&mut self) {
        self.between(self.text.len(), "");
        let len = self.out.trim_end().len();
        self.out.truncate(len);
        self.out.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Style;

    fn check(text: &str, want: &str) {
        let formatted =
            format(text, ParseOptions::default(), Style::Lossless).expect("the text is valid");
        assert_eq!(formatted, want);
        let again = format(&formatted, ParseOptions::default(), Style::Lossless);
        assert_eq!(again.expect("the text is valid"), want, "formatting twice changes nothing");
    }

    #[test]
    fn comments_and_paragraphs_stay() {
        check(
            "// A shader.\n\n\nFRAG ; of fragments\r\n# One input.\ndcl in[0],color, linear\n\n\n\
             if temp[0] :2 // when\n mov out[0], /* what */ in[0]\n # last\nendif end\n\n/* end\n of it */",
            "// A shader.\n\nFRAG  ; of fragments\n# One input.\nDCL IN[0], COLOR, LINEAR\n\n\
             \x20 0: IF TEMP[0] :2  // when\n  /* what */\n  1:   MOV OUT[0], IN[0]\n  # last\n\
             \x20 2: ENDIF\n  3: END\n\n/* end\n of it */\n",
        );
    }

    /// Before the header, the comment would state a dialect without `UMSB`.
    #[test]
    fn comments_within_the_header_move_after_it() {
        check(
            "# A shader.\nPROCESSOR(/* dialect: 2010 */ // b\n 1) /* c\n */\nDCL OUT[0], COLOR\n\
             IMM[0] UINT32 {7, 0, 0, 0}\nUMSB OUT[0], IMM[0].xxxx\nEND\n",
            "# A shader.\nFRAG\n/* dialect: 2010 */\n// b\n/* c\n */\nDCL OUT[0], COLOR\n\
             IMM[0] UINT32 {7, 0, 0, 0}\n  0: UMSB OUT[0], IMM[0].xxxx\n  1: END\n",
        );
    }

    #[test]
    fn errors_are_reported() {
        let mistakes = format("VERT\nMVO\n", ParseOptions::default(), Style::Lossless);
        assert_eq!(mistakes.expect_err("the text has a mistake").len(), 1);
    }
}
