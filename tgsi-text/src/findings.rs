//! All findings on a text in one form: mistakes in the text and in the shader.

use std::ops::Range;

use tgsi_ir::validate::{self, Place, Profile, validate_in, validate_rest};
use tgsi_ir::{Dialect, Shader};

use crate::cursor::LINE_ENDS;
use crate::{Diagnostic, Label, Parsed, Severity, SourceMap, Span};

/// An error or a warning about a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// The severity.
    pub severity: Severity,
    /// The stable name of the rule.
    pub code: &'static str,
    /// What is wrong, in lower case and without a final stop.
    pub message: String,
    /// The place, with a short description if there is more to say.
    pub primary: Label,
    /// Other relevant places.
    pub related: Vec<Label>,
    /// How to fix it.
    pub help: Option<String>,
}

impl Parsed {
    /// All findings on the text that this was parsed from. The parsed part is validated as a shader. Findings that may
    /// result from unparsable statements are left out.
    pub fn findings(&self, text: &str) -> Vec<Finding> {
        let mut findings: Vec<Finding> = self.mistakes().collect();
        let errors = findings.iter().filter(|one| one.severity == Severity::Error);
        let broken: Vec<Range<usize>> =
            errors.map(|one| line_around(text, one.primary.span)).collect();
        let rest = validate_rest(&self.shader, self.dialect, &self.omitted).into_iter();
        let violations = rest.map(|one| violation(one, &self.source_map, text));
        findings.extend(violations.filter(|one| {
            let start = one.primary.span.start as usize;
            !broken.iter().any(|line| line.contains(&start))
        }));
        findings
    }

    /// The reader's findings.
    pub fn mistakes(&self) -> impl Iterator<Item = Finding> {
        self.diagnostics.iter().map(Finding::from)
    }
}

impl From<&Diagnostic> for Finding {
    fn from(diagnostic: &Diagnostic) -> Self {
        Self {
            severity: diagnostic.severity(),
            code: diagnostic.code.name(),
            message: diagnostic.message.clone(),
            primary: diagnostic.primary.clone(),
            related: diagnostic.related.clone(),
            help: diagnostic.help.clone(),
        }
    }
}

/// The line where a span begins.
fn line_around(text: &str, span: Span) -> Range<usize> {
    let at = (span.start as usize).min(text.len());
    let (before, after) = text.as_bytes().split_at(at);
    let ends = |byte: &u8| LINE_ENDS.contains(&char::from(*byte));
    let start = before.iter().rposition(ends).map_or(0, |last| last + 1);
    start..at + after.iter().position(ends).unwrap_or(after.len())
}

/// Validates a shader of a dialect. The findings have places in the text that it was read from.
pub fn violations(
    shader: &Shader,
    source_map: &SourceMap,
    text: &str,
    dialect: Dialect,
) -> Vec<Finding> {
    let found = validate_in(shader, Profile::Full, dialect);
    found.into_iter().map(|one| violation(one, source_map, text)).collect()
}

/// A finding of the validator, with its places in the text.
fn violation(diagnostic: validate::Diagnostic, source_map: &SourceMap, text: &str) -> Finding {
    let label = |place: Place, words: &str| Label {
        span: source_map.span(place, text),
        text: words.to_owned(),
    };
    Finding {
        severity: match diagnostic.severity() {
            validate::Severity::Error => Severity::Error,
            validate::Severity::Warning => Severity::Warning,
        },
        code: diagnostic.code.name(),
        primary: label(diagnostic.place, ""),
        related: diagnostic.related.iter().map(|at| label(at.place, at.message)).collect(),
        message: diagnostic.message,
        help: diagnostic.help,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Severity, parse};

    #[test]
    fn mistakes_of_the_text_come_before_those_of_the_shader() {
        let text = "FRAG\nMOV OUT[0], TMP[0]\nEND\n";
        let findings = parse(text).findings(text);
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(&text[findings[0].primary.span.range()], "TMP");
    }

    #[test]
    fn violations_have_their_places() {
        let text = "FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], TEMP[3]\nEND\n";
        let findings = parse(text).findings(text);
        let errors: Vec<_> =
            findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
        assert_eq!(&text[errors[0].primary.span.range()], "TEMP[3]");
    }
}
