//! The parser.

mod declaration;
mod glsl;
mod immediate;
mod instruction;
mod omitted;
mod operand;
mod property;

use tgsi_ir::limits::Meter;
use tgsi_ir::validate::Omitted;
use tgsi_ir::{Dialect, ItemKind, Limits, Processor, Shader, UnknownDialect};

use crate::cursor::{Cursor, LINE_ENDS, Stop, comments, nearest};
use crate::mesa::{MesaError, judge};
use crate::{Code, Diagnostic, Label, Language, ParseOptions, Severity, SourceMap, Span};

pub(crate) use declaration::has_no_semantic;
pub(crate) use instruction::{NO_MEMORY, has_memory_word};

/// The result of parsing: the shader, as far as it could be read, and diagnostics.
#[derive(Clone, Debug)]
pub struct Parsed {
    /// The shader, without statements that have mistakes.
    pub shader: Shader,
    /// The places of its items in the text.
    pub source_map: SourceMap,
    /// Every mistake, in order; empty for a valid text.
    pub diagnostics: Vec<Diagnostic>,
    /// The dialect that the text was read as.
    pub dialect: Dialect,
    /// The parts that were left out.
    pub omitted: Omitted,
}

impl Parsed {
    /// Whether any diagnostic is an error.
    pub fn has_errors(&self) -> bool {
        self.diagnostics.iter().any(|diagnostic| diagnostic.severity() == Severity::Error)
    }
}

/// Parses a shader in the extended language. The dialect is the one that the text states, or today's.
pub fn parse(text: &str) -> Parsed {
    parse_with(text, ParseOptions::default())
}

/// Parses a shader.
pub fn parse_with(text: &str, options: impl Into<ParseOptions>) -> Parsed {
    let options = options.into();
    // Spans are 32 bits wide.
    let text = text.get(..u32::MAX as usize - 1).unwrap_or(text);
    match options.language {
        Language::Extended => read(text, (Language::Extended, options.dialect), options.limits),
        Language::Mesa => read_as_mesa(text, options.limits),
    }
}

fn read(text: &str, (language, dialect): (Language, Option<Dialect>), limits: Limits) -> Parsed {
    let stated = match dialect {
        Some(_) => None,
        None => statement_of_dialect(text),
    };
    let found = stated.as_ref().and_then(|stated| stated.dialect.as_ref().ok()).copied();
    let dialect = dialect.or(found).unwrap_or_default();
    let mut parser = Parser {
        cursor: Cursor::within(text, limits),
        meter: Meter::new(limits),
        shader: Shader::new(Processor::Vertex),
        map: SourceMap::default(),
        language,
        dialect,
        takes_semantic: true,
        omitted: Omitted::default(),
    };
    if let Some(StatedDialect { dialect: Err(unknown), span }) = stated {
        parser.cursor.report(Code::UnknownDialect, span, unknown.to_string());
        parser.omitted = Omitted::everything();
    }
    parser.reserve();
    parser.text();
    let Parser { cursor, shader, map: source_map, omitted, .. } = parser;
    Parsed { shader, source_map, diagnostics: cursor.diagnostics, dialect, omitted }
}

/// Whether a text states a dialect, known or unknown, in a comment before its header.
#[must_use]
pub fn states_dialect(text: &str) -> bool {
    statement_of_dialect(text).is_some()
}

/// A dialect that a text states.
struct StatedDialect {
    dialect: Result<Dialect, UnknownDialect>,
    /// The name.
    span: Span,
}

/// The dialect stated in a comment before the header, if any.
fn statement_of_dialect(text: &str) -> Option<StatedDialect> {
    let mut cursor = Cursor::new(text);
    cursor.skip_space();
    let head = text.get(..cursor.at)?;
    comments(head).find_map(|comment| {
        let marks: &[char] = &['#', ';', '/', '*', ' ', '\t'];
        let words = comment.text.trim_start_matches(marks);
        let (key, name) = words.split_once(':')?;
        if !key.trim_end().eq_ignore_ascii_case("dialect") {
            return None;
        }
        let name = name.trim_start();
        let name = name.split(|letter: char| letter.is_whitespace() || letter == '*').next()?;
        // The name is a slice of the comment, so the difference is its place there.
        let start = comment.start + (name.as_ptr() as usize - comment.text.as_ptr() as usize);
        Some(StatedDialect { dialect: name.parse(), span: Span::new(start, start + name.len()) })
    })
}

/// Reports Mesa's own messages if Mesa rejects the text. The extended language gives accepted texts the same meaning,
/// except for one blank: see [`Parser::array_number`].
fn read_as_mesa(text: &str, limits: Limits) -> Parsed {
    let verdict = judge(text);
    let end = text.find('\0').unwrap_or(text.len());
    let mut parsed = read(&text[..end], (Language::Mesa, Some(Dialect::Y2021)), limits);
    if !verdict.is_accepted {
        parsed.diagnostics = verdict.errors.into_iter().map(|error| refusal(text, error)).collect();
        parsed.omitted = Omitted::everything();
    }
    parsed
}

/// An error of Mesa's reader, at the word it points at.
fn refusal(text: &str, error: MesaError) -> Diagnostic {
    let mut cursor = Cursor::new(text);
    cursor.at = error.offset;
    Diagnostic {
        code: Code::RefusedByMesa,
        message: error.message.trim_end().to_owned(),
        primary: Label { span: cursor.here(), text: String::new() },
        related: Vec::new(),
        help: None,
    }
}

struct Parser<'t> {
    cursor: Cursor<'t>,
    meter: Meter,
    shader: Shader,
    map: SourceMap,
    language: Language,
    dialect: Dialect,
    /// Whether a semantic may follow in the declaration.
    takes_semantic: bool,
    omitted: Omitted,
}

/// Bytes of text per reserved instruction. The bound keeps a text of empty lines from taking a hundred times its size.
const BYTES_PER_INSTRUCTION: usize = 20;

impl Parser<'_> {
    fn text(&mut self) {
        self.header();
        loop {
            self.cursor.skip_space();
            if self.cursor.is_at_end() {
                break;
            }
            let (start, num_errors) = (self.cursor.at, self.cursor.num_errors);
            let read = self.statement();
            if self.cursor.num_errors > num_errors {
                self.omit(start);
            }
            if read.is_err() {
                self.recover(start);
            }
        }
        if self.cursor.is_cut_short {
            self.omitted.extend(Omitted::any_statement());
        }
    }

    /// Reserves space for one instruction per line. A growing list is copied, and both copies are in memory meanwhile.
    fn reserve(&mut self) {
        let text = self.cursor.text;
        let lines = text.bytes().filter(|&byte| byte == b'\n').count();
        let count = lines.min(text.len() / BYTES_PER_INSTRUCTION);
        self.shader.instructions.reserve(count);
        self.map.instructions.reserve(count);
        self.map.destinations.reserve(count);
    }

    fn header(&mut self) {
        self.cursor.skip_space();
        let start = self.cursor.at;
        if let Ok(Some(number)) = self.cursor.numbered("PROCESSOR", 4) {
            self.map.processor = Span::new(start, self.cursor.at);
            self.shader.processor = Processor::from_number_in(self.dialect, number as u8);
            return;
        }
        let word = self.cursor.word();
        self.map.processor = Span::new(start, self.cursor.at);
        if let Some(processor) = Processor::from_name_bytes(self.without_version(word)) {
            self.shader.processor = processor;
            return;
        }
        self.cursor.at = start;
        let found = self.cursor.found();
        let word = String::from_utf8_lossy(word);
        let help = match glsl::statement(&word) {
            Some(_) => glsl::GLSL,
            None => "a shader begins with one of VERT, FRAG, GEOM, TESS_CTRL, TESS_EVAL, COMP",
        };
        let span = self.cursor.here();
        self.cursor.report_with_help(
            Code::UnknownHeader,
            span,
            format!("expected a processor, found {found}"),
            Some(help.to_owned()),
        );
        self.cursor.skip_line();
        // Text before the header counts as one mistake; the header itself is not another.
        self.cursor.skip_space();
        let word_start = self.cursor.at;
        match Processor::from_name_bytes(self.cursor.word()) {
            Some(processor) => {
                self.shader.processor = processor;
                self.map.processor = Span::new(word_start, self.cursor.at);
            }
            None => {
                self.cursor.at = word_start;
                self.omit_header(start);
            }
        }
    }

    /// The processor of a header such as `FRAG1.1`, as in the earliest texts; `word` ends before the point.
    fn without_version<'w>(&mut self, word: &'w [u8]) -> &'w [u8] {
        let Some(name) = word.strip_suffix(b"1").filter(|_| self.dialect != Dialect::default())
        else {
            return word;
        };
        let before = self.cursor.at;
        if self.cursor.eat(b'.') && self.cursor.eat(b'1') {
            return name;
        }
        self.cursor.at = before;
        word
    }

    /// After a mistake, resumes at the next line.
    fn recover(&mut self, start: usize) {
        if self.cursor.is_at_end() {
            return;
        }
        let here = self.cursor.at;
        self.cursor.skip_line();
        // A mistake noticed at the start of a line belongs to the line before.
        let crossed = self.cursor.text[start..here].find(LINE_ENDS);
        if let Some(end) = crossed {
            self.cursor.at = start + end;
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
        if self.cursor.peek() == Some(b'(') {
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
            ItemKind::Instruction => {
                let inst = self.shader.instructions.last();
                self.map.instructions.push(span);
                self.map.destinations.push(inst.map_or(0, |inst| inst.dst.len() as u8));
            }
        }
        if let Err(exceeded) = self.meter.count(&self.shader, kind) {
            self.cursor.close(start, exceeded);
        }
    }

    /// Notes that the word from `start` on is none of `names`.
    /// The replacement for a word of another language.
    fn advice(&self, code: Code, word: &str) -> Option<String> {
        match code {
            Code::UnknownStatement => glsl::statement(word).map(str::to_owned),
            Code::UnknownFile => {
                let number = self.cursor.text[self.cursor.at..].split([',', ' ', '\t', '\r', '\n']);
                let number = number.into_iter().next().unwrap_or(word);
                let built_in = || glsl::built_in(word).map(str::to_owned);
                glsl::literal(number, self.shader.immediates.len()).or_else(built_in)
            }
            _ => None,
        }
    }

    fn unknown<'n>(
        &mut self,
        code: Code,
        start: usize,
        what: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Stop {
        self.cursor.at = start;
        // Searching for similar names is expensive in a text that is wrong everywhere.
        if !self.cursor.takes_reports() {
            return Stop;
        }
        let span = self.cursor.here();
        let word = self.cursor.text.get(span.range()).unwrap_or_default().to_owned();
        let near = || nearest(&word, names).map(|near| format!("did you mean `{near}`?"));
        let help = self.advice(code, &word).or_else(near);
        let message = match word.trim() {
            "" => format!("expected {what}, found the end of the line"),
            word => format!("unknown {what} `{word}`"),
        };
        self.cursor.report_with_help(code, span, message, help);
        Stop
    }
}
