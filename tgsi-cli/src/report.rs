//! Drawing problems on standard error, for people or for machines.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal as _, Write as _};

use clap::{Args, ValueEnum};
use codespan_reporting::diagnostic::{Diagnostic, Label};
use codespan_reporting::files::SimpleFile;
use codespan_reporting::term::termcolor::{ColorChoice, StandardStream};
use codespan_reporting::term::{self, Config};
use serde_json::{Value, json};
use tgsi_text::line_and_column;

use crate::problem::{Finding, Place, Problems, Severity};

/// How problems are shown.
#[derive(Args, Clone, Copy, Debug)]
pub(crate) struct Reporter {
    /// Form of the diagnostics.
    #[arg(long, value_name = "FORMAT", default_value = "human", global = true)]
    pub(crate) message_format: MessageFormat,
    /// Colours diagnostics.
    #[arg(long, value_name = "WHEN", default_value = "auto", global = true)]
    color: ColorWhen,
}

/// Who reads the diagnostics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum MessageFormat {
    /// A person: source lines with carets.
    Human,
    /// A program: a JSON object a line.
    Json,
}

/// When diagnostics are coloured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ColorWhen {
    /// On a terminal, unless `NO_COLOR` is set.
    Auto,
    /// Always.
    Always,
    /// Never.
    Never,
}

/// A file that is wrong in every line is reported up to here.
const MOST_FINDINGS: usize = 50;

/// Findings of one rule that are shown of a file that is judged.
const MOST_OF_A_RULE: usize = 5;

/// Source lines longer than this are not drawn.
const LONGEST_LINE: usize = 500;

impl Reporter {
    /// Shows everything that is wrong with one input. Failing to write to standard error is no
    /// reason to fail: there is nowhere left to say so.
    pub(crate) fn show(&self, problems: &Problems) {
        let shown = &problems.findings[..problems.findings.len().min(MOST_FINDINGS)];
        match self.message_format {
            MessageFormat::Human => self.draw(problems, shown),
            MessageFormat::Json => {
                for finding in shown {
                    line(&to_json(problems, finding).to_string());
                }
            }
        }
        let hidden = problems.findings.len() - shown.len();
        if hidden > 0 && self.message_format == MessageFormat::Human {
            line(&format!("{}: {hidden} more are not shown", problems.name));
        }
    }

    /// As [`show`](Self::show), with all but the first few findings of a rule as a number, for people.
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

    /// Whether problems are drawn, not written as JSON.
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
                line(
                    &json!({ "severity": "error", "code": "usage", "message": message })
                        .to_string(),
                );
            }
        }
    }

    fn draw<'f>(&self, problems: &Problems, findings: impl IntoIterator<Item = &'f Finding>) {
        let mut stream = StandardStream::stderr(self.color_choice());
        let text = problems.text.as_deref().unwrap_or("");
        let file = SimpleFile::new(&problems.name, text);
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

/// Everything that is wrong with one input, as a person is shown it, without colours.
pub(crate) fn drawn(problems: &Problems) -> String {
    let file = SimpleFile::new(&problems.name, problems.text.as_deref().unwrap_or(""));
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

/// The finding as the diagnostics crate wants it. Without a source line to draw, the place goes into
/// the message.
fn to_diagnostic(problems: &Problems, finding: &Finding) -> Diagnostic<()> {
    let mut diagnostic = match finding.severity {
        Severity::Error => Diagnostic::error(),
        Severity::Warning => Diagnostic::warning(),
    };
    diagnostic.code.clone_from(&finding.code);
    diagnostic.notes.extend(finding.help.iter().map(|help| format!("help: {help}")));
    let (Place::Span(span), Some(text)) = (&finding.place, &problems.text) else {
        return diagnostic.with_message(located(problems, finding));
    };
    if is_too_long(text, span.start) {
        return diagnostic.with_message(located(problems, finding));
    }
    let primary = Label::primary((), span.clone()).with_message(&finding.label);
    let related = finding.related.iter().filter(|(span, _)| !is_too_long(text, span.start));
    let related =
        related.map(|(span, words)| Label::secondary((), span.clone()).with_message(words));
    diagnostic
        .with_message(&finding.message)
        .with_labels(std::iter::once(primary).chain(related).collect())
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
    let before = bytes[..offset].iter().rev().take(LONGEST_LINE).take_while(|&&b| b != b'\n');
    let after = bytes[offset..].iter().take(LONGEST_LINE).take_while(|&&b| b != b'\n');
    before.count() + after.count() >= LONGEST_LINE
}

/// The finding for machines: places count from 1, spans are byte offsets.
fn to_json(problems: &Problems, finding: &Finding) -> Value {
    let mut object = json!({
        "file": problems.name,
        "severity": match finding.severity {
            Severity::Error => "error",
            Severity::Warning => "warning",
        },
        "code": finding.code,
        "message": finding.message,
        "help": finding.help,
    });
    match (&finding.place, &problems.text) {
        (Place::Span(span), Some(text)) => {
            let (line, column) = line_and_column(text, span.start);
            object["line"] = line.into();
            object["column"] = column.into();
            object["span"] = json!([span.start, span.end]);
        }
        (Place::Span(_) | Place::Whole, _) => {}
    }
    object
}
