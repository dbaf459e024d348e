//! Prints problems on standard error, for people or for programs.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write as _};

use clap::{Args, ValueEnum};
use codespan_reporting::diagnostic::{Diagnostic, Label};
use codespan_reporting::files::SimpleFile;
use codespan_reporting::term::termcolor::{ColorChoice, StandardStream};
use codespan_reporting::term::{self, Config};
use schemars::JsonSchema;
use serde::Serialize;
use tgsi_text::{ends_line, line_and_column};

use crate::json::line_of;
use crate::problem::{Finding, Place, Problems, Severity};

/// How problems are shown.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Reporter {
    /// Format of diagnostics.
    #[arg(long, value_name = "FORMAT", default_value = "human", global = true)]
    pub(crate) message_format: MessageFormat,
    /// Whether to colour diagnostics.
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    color: ColorWhen,
}

/// The format of diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MessageFormat {
    /// For people: source lines with carets.
    Human,
    /// For programs: one JSON object per line.
    Json,
}

/// When to colour diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ColorWhen {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// Maximum number of findings shown to people for one input.
const MOST_FINDINGS: usize = 50;

/// Maximum number of findings of one rule shown for a file that is checked.
const MOST_OF_A_RULE: usize = 5;

/// Maximum length of source lines that are drawn.
const LONGEST_LINE: usize = 500;

impl Reporter {
    /// Shows all problems with one input. A failure to write to standard error is ignored, since it cannot be reported.
    pub(crate) fn show(&self, problems: &Problems) {
        if !self.is_for_people() {
            // Everything is written, since a program could not tell that something was left out.
            let places = Places::of(problems.text.as_deref().unwrap_or_default());
            for finding in &problems.findings {
                line(line_of(&to_json(problems, finding, &places)).trim_end());
            }
            return;
        }
        let shown = &problems.findings[..problems.findings.len().min(MOST_FINDINGS)];
        self.draw(problems, shown);
        let hidden = problems.findings.len() - shown.len();
        if hidden > 0 {
            line(&format!("{}: {hidden} more are not shown", problems.name));
        }
    }

    /// As [`show`](Self::show), but for people only the first few findings of each rule, and the number of the others.
    pub(crate) fn show_folded(&self, problems: &Problems) {
        if !self.is_for_people() {
            return self.show(problems);
        }
        let mut count_by_code: BTreeMap<&str, usize> = BTreeMap::new();
        let mut shown: Vec<&Finding> = Vec::new();
        for finding in &problems.findings {
            let count = finding.code.as_deref().map(|code| count_by_code.entry(code).or_default());
            let is_folded = count.is_some_and(|count| {
                *count += 1;
                *count > MOST_OF_A_RULE
            });
            if !is_folded {
                shown.push(finding);
            }
        }
        self.draw(problems, shown.iter().copied().take(MOST_FINDINGS));
        let hidden = shown.len().saturating_sub(MOST_FINDINGS);
        if hidden > 0 {
            line(&format!("{}: {hidden} more are not shown", problems.name));
        }
        for (code, count) in count_by_code.into_iter().filter(|(_, count)| *count > MOST_OF_A_RULE)
        {
            let more = count - MOST_OF_A_RULE;
            line(&format!("{}: {more} more of `{code}` are not shown", problems.name));
        }
    }

    /// Whether problems are drawn for people, instead of written as JSON.
    pub(crate) fn is_for_people(&self) -> bool {
        self.message_format == MessageFormat::Human
    }

    /// Complains about the command line.
    pub(crate) fn show_usage(&self, message: &str) {
        match self.message_format {
            MessageFormat::Human => {
                line(&format!("error: {message}\n\nFor more information, try '--help'."));
            }
            MessageFormat::Json => {
                let (file, line_number, column, span, help) = (None, None, None, None, None);
                let usage = DiagnosticJson {
                    code: Some("usage"),
                    column,
                    file,
                    help,
                    line: line_number,
                    message,
                    severity: "error",
                    span,
                };
                line(line_of(&usage).trim_end());
            }
        }
    }

    fn draw<'f>(&self, problems: &Problems, findings: impl IntoIterator<Item = &'f Finding>) {
        let mut stream = StandardStream::stderr(self.color_choice());
        let text = drawable(problems.text.as_deref().unwrap_or(""));
        let file = SimpleFile::new(spelled(&problems.name), &*text);
        for finding in findings {
            let diagnostic = to_diagnostic(problems, finding);
            let _ = term::emit_to_write_style(&mut stream, &Config::default(), &file, &diagnostic);
        }
    }

    fn color_choice(&self) -> ColorChoice {
        match self.color {
            ColorWhen::Always => ColorChoice::Always,
            ColorWhen::Auto if io::stderr().is_terminal() => ColorChoice::Auto,
            ColorWhen::Auto | ColorWhen::Never => ColorChoice::Never,
        }
    }
}

/// All problems with one input, as drawn for people, without colours.
pub(crate) fn drawn(problems: &Problems) -> String {
    let text = drawable(problems.text.as_deref().unwrap_or(""));
    let file = SimpleFile::new(spelled(&problems.name), &*text);
    let draw = |finding| {
        let diagnostic = to_diagnostic(problems, finding);
        term::emit_into_string(&Config::default(), &file, &diagnostic).unwrap_or_default()
    };
    problems.findings.iter().map(draw).collect()
}

/// Writes one line to standard error.
pub(crate) fn line(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// The finding in the form of the diagnostics crate. If there is no source line to draw, the message contains the
/// place.
fn to_diagnostic(problems: &Problems, finding: &Finding) -> Diagnostic<()> {
    let mut diagnostic = match finding.severity {
        Severity::Error => Diagnostic::error(),
        Severity::Warning => Diagnostic::warning(),
    };
    diagnostic.code.clone_from(&finding.code);
    let help = finding.help.iter().map(|help| format!("help: {}", spelled(help)));
    diagnostic.notes.extend(help);
    let (Place::Span(span), Some(text)) = (&finding.place, &problems.text) else {
        return diagnostic.with_message(spelled(&located(problems, finding)));
    };
    if is_too_long(text, span.start) {
        return diagnostic.with_message(spelled(&located(problems, finding)));
    }
    let primary = Label::primary((), span.clone()).with_message(&finding.label);
    let related = finding.related.iter().filter(|(span, _)| !is_too_long(text, span.start));
    let related =
        related.map(|(span, words)| Label::secondary((), span.clone()).with_message(words));
    diagnostic
        .with_message(spelled(&finding.message))
        .with_labels(std::iter::once(primary).chain(related).collect())
}

/// Whether a terminal would interpret a character instead of showing it.
fn is_command(c: char) -> bool {
    // This includes marks that change the direction of the following text.
    let turns =
        matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    turns || c.is_control() && !matches!(c, '\n' | '\t' | '\r')
}

/// Source text in which each character that a terminal would interpret is replaced by a mark of the same number of
/// bytes. A carriage return that ends a line alone becomes a line feed, the only line end that the drawing code knows.
fn drawable(text: &str) -> Cow<'_, str> {
    let bytes = text.as_bytes();
    let is_end = |at: usize| bytes[at] == b'\r' && ends_line(bytes, at);
    if !text.contains(is_command) && !(0..bytes.len()).any(is_end) {
        return text.into();
    }
    let mark = |(at, c): (usize, char)| match (is_command(c), c.len_utf8()) {
        (false, _) if is_end(at) => '\n',
        (false, _) => c,
        (true, 1) => '?',
        (true, 2) => '\u{bf}',
        (true, _) => char::REPLACEMENT_CHARACTER,
    };
    text.char_indices().map(mark).collect()
}

/// A message with such characters spelled out.
fn spelled(message: &str) -> String {
    let spell = |c: char| match is_command(c) {
        true => c.escape_default().to_string(),
        false => c.to_string(),
    };
    message.chars().map(spell).collect()
}

/// `name:line:column: message`, as far as the place is known.
fn located(problems: &Problems, finding: &Finding) -> String {
    let Problems { name, text, .. } = problems;
    match (&finding.place, text) {
        (Place::Span(span), Some(text)) => {
            let (line, column) = line_and_column(text, span.start);
            format!("{name}:{line}:{column}: {}", finding.message)
        }
        (Place::Span(_) | Place::Whole, _) => format!("{name}: {}", finding.message),
    }
}

/// Whether the line at `offset` is too long to be drawn.
fn is_too_long(text: &str, offset: usize) -> bool {
    let bytes = text.as_bytes();
    let offset = offset.min(bytes.len());
    let is_inside = |byte: &&u8| !matches!(**byte, b'\n' | b'\r');
    let before = bytes[..offset].iter().rev().take(LONGEST_LINE).take_while(is_inside);
    let after = bytes[offset..].iter().take(LONGEST_LINE).take_while(is_inside);
    before.count() + after.count() >= LONGEST_LINE
}

/// A line of `--message-format json`.
#[derive(Serialize, JsonSchema)]
pub(crate) struct DiagnosticJson<'a> {
    /// The stable name of the rule, where there is one; `usage` for mistakes of the command line.
    code: Option<&'a str>,
    /// Column of the first character, from 1; left out where there is no place.
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
    /// The input, as it was given; left out for the command line.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    /// What helps.
    help: Option<&'a str>,
    /// Line, from 1; left out where there is no place.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    /// What is wrong.
    message: &'a str,
    /// `error` or `warning`.
    severity: &'static str,
    /// First byte of the place, and the one past the last.
    #[serde(skip_serializing_if = "Option::is_none")]
    span: Option<[usize; 2]>,
}

/// An index of lines and columns of a text. It avoids a search through the text for each place.
struct Places<'t> {
    text: &'t [u8],
    /// The starts of lines.
    starts: Vec<usize>,
    /// Number of characters before each block of [`BLOCK`] bytes, since a long text may be one line.
    counts: Vec<usize>,
}

/// Number of bytes in a block.
const BLOCK: usize = 256;

/// Number of characters that start in these bytes.
fn num_characters(bytes: &[u8]) -> usize {
    bytes.iter().filter(|byte| **byte & 0xC0 != 0x80).count()
}

impl<'t> Places<'t> {
    fn of(text: &'t str) -> Self {
        let text = text.as_bytes();
        let ends = (0..text.len()).filter(|&at| ends_line(text, at));
        let starts = std::iter::once(0).chain(ends.map(|at| at + 1)).collect();
        let mut counts = vec![0];
        for block in text.chunks(BLOCK) {
            counts.push(counts.last().copied().unwrap_or_default() + num_characters(block));
        }
        Self { text, starts, counts }
    }

    /// Number of characters that start before byte `offset` of the text.
    fn characters_before(&self, offset: usize) -> usize {
        let block = offset / BLOCK;
        self.counts[block] + num_characters(&self.text[block * BLOCK..offset])
    }

    /// As [`line_and_column`].
    fn line_and_column(&self, offset: usize) -> (usize, usize) {
        let offset = offset.min(self.text.len());
        let line = self.starts.partition_point(|&start| start <= offset);
        let start = self.starts[line - 1];
        (line, self.characters_before(offset) - self.characters_before(start) + 1)
    }
}

fn to_json<'a>(
    problems: &'a Problems,
    finding: &'a Finding,
    places: &Places<'_>,
) -> DiagnosticJson<'a> {
    let place = match (&finding.place, &problems.text) {
        (Place::Span(span), Some(_)) => Some((span, places.line_and_column(span.start))),
        (Place::Span(_) | Place::Whole, _) => None,
    };
    DiagnosticJson {
        code: finding.code.as_deref(),
        column: place.map(|(_, (_, column))| column),
        file: Some(&problems.name),
        help: finding.help.as_deref(),
        line: place.map(|(_, (line, _))| line),
        message: &finding.message,
        severity: match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        span: place.map(|(span, _)| [span.start, span.end]),
    }
}

#[cfg(test)]
mod tests {
    use tgsi_text::line_and_column;

    use super::{BLOCK, Places};

    #[test]
    fn positions_agree_with_the_list_of_lines() {
        let long = "\u{e4}b\n".repeat(BLOCK) + &"\u{e4}".repeat(BLOCK);
        for text in ["a\n\n\u{e4}bc\nd", "a\rb\r\n\u{e4}\n\r", "", &long] {
            let places = Places::of(text);
            for offset in 0..text.len() + 3 {
                assert_eq!(
                    places.line_and_column(offset),
                    line_and_column(text, offset),
                    "{offset}"
                );
            }
        }
    }
}
