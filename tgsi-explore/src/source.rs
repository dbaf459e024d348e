//! Parses the text of a request as a shader.

use std::ops::Range;
use std::time::Duration;

use tgsi_ir::validate::Place;
use tgsi_ir::{Authority, InstructionId, Shader};
use tgsi_text::{Finding, Parsed, Severity};

use crate::foreign::{Complaint, ComplaintPlace, Translated, Translator};
use crate::language::Language;
use crate::lines::LineIndex;
use crate::problem::Problem;

/// A parsed shader.
pub(crate) struct Source {
    pub(crate) shader: Shader,
    /// The findings on it.
    pub(crate) problems: Vec<Problem>,
    /// The places of its instructions in the text.
    spans: Vec<Option<Range<usize>>>,
}

/// Why no shader could be parsed.
pub(crate) enum Unread {
    /// The text has errors.
    Wrong(Vec<Problem>),
    /// No translator for its language is available.
    Nobody(String),
}

impl Source {
    /// Parses a text in any language.
    pub(crate) fn read(
        text: &str,
        lines: &LineIndex<'_>,
        translator: Option<&dyn Translator>,
        time: Duration,
    ) -> Result<Self, Unread> {
        match (Language::of(text), translator) {
            (Language::Tgsi, _) => Ok(Self::tgsi(text, lines)),
            (language, None) => Err(Unread::Nobody(format!(
                "This is {language}, and this page takes TGSI only. `tgsi explore` serves it from your own machine, \
                 where it takes GLSL, WGSL and SPIR-V, too; `tgsi convert` makes TGSI of them."
            ))),
            (language, Some(translator)) => match translator.translate(text, language, time) {
                Ok(translated) => Ok(Self::translated(translated, lines)),
                Err(complaints) => {
                    let problems = complaints.into_iter();
                    Err(Unread::Wrong(problems.map(|one| problem_of(one, lines)).collect()))
                }
            },
        }
    }

    fn tgsi(text: &str, lines: &LineIndex<'_>) -> Self {
        let parsed = tgsi_text::parse(text);
        let mut findings = parsed.findings(text);
        let today = match parsed.to_today(text, Authority::Document) {
            Ok(today) => {
                findings.extend(today.notes.iter().cloned());
                Parsed { shader: today.shader, source_map: today.source_map, ..parsed }
            }
            Err(problems) => {
                findings.extend(problems);
                parsed
            }
        };
        let ids = (0..today.shader.instructions.len()).map(InstructionId::from_index);
        let span = |id| Some(today.source_map.span(Place::Instruction(id), text).range());
        let spans = ids.map(span).collect();
        let problems = findings.iter().map(|finding| problem(finding, lines)).collect();
        Self { shader: today.shader, problems, spans }
    }

    fn translated(translated: Translated, lines: &LineIndex<'_>) -> Self {
        let span = |line: Option<usize>| line.map(|line| lines.line(line));
        let spans = translated.lines.into_iter().map(span).collect();
        Self { shader: translated.shader, problems: Vec::new(), spans }
    }

    /// Whether errors keep it from being compiled.
    pub(crate) fn has_errors(&self) -> bool {
        self.problems.iter().any(|problem| problem.severity == ERROR)
    }

    /// The line of each instruction, if known.
    pub(crate) fn instruction_lines(&self, lines: &LineIndex<'_>) -> Vec<Option<usize>> {
        let line =
            |span: &Option<Range<usize>>| span.as_ref().map(|span| lines.position(span.start).0);
        self.spans.iter().map(line).collect()
    }

    /// The place of an instruction; the beginning of the text if unknown.
    pub(crate) fn span(&self, id: InstructionId) -> Range<usize> {
        self.spans.get(id.0 as usize).cloned().flatten().unwrap_or(0..0)
    }
}

/// What problems are called that no shader may have.
const ERROR: &str = "error";

fn problem(finding: &Finding, lines: &LineIndex<'_>) -> Problem {
    let span = finding.primary.span.range();
    Problem {
        severity: match finding.severity {
            Severity::Error => ERROR,
            Severity::Warning => "warning",
        },
        code: Some(finding.code),
        message: finding.message.clone(),
        help: finding.help.clone(),
        start: lines.position(span.start),
        end: lines.position(span.end),
    }
}

fn problem_of(complaint: Complaint, lines: &LineIndex<'_>) -> Problem {
    let span = match complaint.place {
        ComplaintPlace::Whole => 0..0,
        ComplaintPlace::Line(line) => lines.line(line),
        ComplaintPlace::Span(span) => span,
    };
    Problem {
        severity: ERROR,
        code: None,
        message: complaint.message,
        help: complaint.help,
        start: lines.position(span.start),
        end: lines.position(span.end),
    }
}
