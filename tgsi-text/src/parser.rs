//! The reader.

mod declaration;
mod immediate;
mod instruction;
mod operand;
mod property;

use tgsi_ir::{ItemKind, Processor, Shader};

use crate::cursor::{Cursor, Stop, nearest};
use crate::{Code, Diagnostic, SourceMap, Span};

/// What reading gives: a shader as far as it could be read, and what is wrong.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The shader; statements with mistakes are left out.
    pub shader: Shader,
    /// Where its items stand.
    pub source_map: SourceMap,
    /// Every mistake, in order; empty for a good text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a shader. Accepts the language of Mesa 21.2, and besides: comments, any line ends, more spellings
/// of numbers.
pub fn parse(text: &str) -> Parsed {
    // Spans are 32 bits wide.
    let text = text.get(..u32::MAX as usize - 1).unwrap_or(text);
    let mut parser = Parser {
        cursor: Cursor::new(text),
        shader: Shader::new(Processor::Vertex),
        map: SourceMap::default(),
    };
    parser.text();
    Parsed { shader: parser.shader, source_map: parser.map, diagnostics: parser.cursor.diagnostics }
}

struct Parser<'t> {
    cursor: Cursor<'t>,
    shader: Shader,
    map: SourceMap,
}

impl Parser<'_> {
    fn text(&mut self) {
        self.header();
        loop {
            self.cursor.skip_space();
            if self.cursor.is_at_end() {
                return;
            }
            let start = self.cursor.at;
            if self.statement().is_err() {
                self.recover(start);
            }
        }
    }

    fn header(&mut self) {
        self.cursor.skip_space();
        let start = self.cursor.at;
        let word = self.cursor.word();
        self.map.processor = Span::new(start, self.cursor.at);
        if let Some(processor) = Processor::from_name_bytes(word) {
            self.shader.processor = processor;
            return;
        }
        self.cursor.at = start;
        let found = self.cursor.found();
        let help = "a shader begins with one of VERT, FRAG, GEOM, TESS_CTRL, TESS_EVAL, COMP";
        let span = self.cursor.here();
        self.cursor.report_with_help(
            Code::UnknownHeader,
            span,
            format!("expected a processor, found {found}"),
            Some(help.to_owned()),
        );
        self.cursor.skip_line();
    }

    /// After a mistake, goes on with the next line.
    fn recover(&mut self, start: usize) {
        let here = self.cursor.at;
        self.cursor.skip_line();
        // A mistake noticed at the start of the next line is one of the line before.
        let crossed = self.cursor.text[start..here].contains('\n');
        if crossed {
            self.cursor.at = start + self.cursor.text[start..].find('\n').unwrap_or(0);
        }
    }

    fn statement(&mut self) -> Result<(), Stop> {
        let start = self.cursor.at;
        if self.cursor.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.cursor.unsigned()?;
            self.cursor.expect(b':')?;
            self.cursor.skip_space();
            return self.instruction();
        }
        let word = self.cursor.word();
        if word.eq_ignore_ascii_case(b"DCL") {
            self.declaration(start)
        } else if word.eq_ignore_ascii_case(b"IMM") {
            self.immediate(start)
        } else if word.eq_ignore_ascii_case(b"PROPERTY") {
            self.property(start)
        } else {
            self.cursor.at = start;
            self.instruction()
        }
    }

    fn finish(&mut self, kind: ItemKind, start: usize) {
        self.shader.note_order(kind);
        let span = Span::new(start, self.cursor.at);
        match kind {
            ItemKind::Property => self.map.properties.push(span),
            ItemKind::Declaration => self.map.declarations.push(span),
            ItemKind::Immediate => self.map.immediates.push(span),
            ItemKind::Instruction => self.map.instructions.push(span),
        }
    }

    /// Notes that the word from `start` on is none of `names`.
    fn unknown<'n>(
        &mut self,
        code: Code,
        start: usize,
        what: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Stop {
        self.cursor.at = start;
        let span = self.cursor.here();
        let word = self.cursor.text.get(span.range()).unwrap_or_default().to_owned();
        let help = nearest(&word, names).map(|near| format!("did you mean `{near}`?"));
        let message = match word.trim() {
            "" => format!("expected {what}, found the end of the line"),
            word => format!("unknown {what} `{word}`"),
        };
        self.cursor.report_with_help(code, span, message, help);
        Stop
    }
}
