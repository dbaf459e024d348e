//! What is wrong with an input, in one form for all of them.

use std::error::Error;
use std::fmt;
use std::ops::Range;

use serde::Serialize;

/// How bad a problem is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The input has no meaning, or no result.
    Error,
    /// The input means something else than it seems.
    Warning,
}

/// One thing that is wrong.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// How bad it is.
    pub severity: Severity,
    /// The stable name of the rule, where there is one.
    pub code: Option<String>,
    /// What is wrong, in lower case and without a final stop.
    pub message: String,
    /// Bytes of the input, where it has a place.
    pub span: Option<Range<usize>>,
    /// Line and column of its beginning, from 1, the column in bytes.
    pub line: Option<(usize, usize)>,
    /// What helps.
    pub help: Option<String>,
}

impl Problem {
    /// An error with the input as a whole.
    pub fn error(message: impl Into<String>) -> Self {
        let (code, span, line, help) = (None, None, None, None);
        Self { severity: Severity::Error, code, message: message.into(), span, line, help }
    }

    /// The same at a place of `text`.
    #[must_use]
    pub(crate) fn at(mut self, span: Range<usize>, text: &str) -> Self {
        self.line = Some(tgsi_text::line_and_column(text, span.start));
        self.span = Some(span);
        self
    }

    /// A finding of the reader or the validator in `text`.
    pub(crate) fn found(finding: &tgsi_text::Finding, text: &str) -> Self {
        let severity = match finding.severity {
            tgsi_text::Severity::Error => Severity::Error,
            tgsi_text::Severity::Warning => Severity::Warning,
        };
        let (code, help) = (Some(finding.code.to_owned()), finding.help.clone());
        Self { severity, code, help, ..Self::error(finding.message.clone()) }
            .at(finding.primary.span.range(), text)
    }
}

/// Everything that is wrong with an input; never empty where it is an error.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// One error with the input as a whole.
    pub fn one(message: impl Into<String>) -> Self {
        Self(vec![Problem::error(message)])
    }

    /// Whether one of them is an error.
    pub fn has_errors(&self) -> bool {
        self.0.iter().any(|problem| problem.severity == Severity::Error)
    }

    /// As a list in JSON.
    pub fn to_json(&self) -> String {
        // String keys only, so nothing can keep it from being JSON.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl fmt::Display for Problems {
    /// The first error, with its line and column.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = self.0.iter().find(|problem| problem.severity == Severity::Error);
        let Some(problem) = first.or(self.0.first()) else {
            return formatter.write_str("nothing is wrong");
        };
        if let Some((line, column)) = problem.line {
            write!(formatter, "{line}:{column}: ")?;
        }
        formatter.write_str(&problem.message)
    }
}

impl Error for Problems {}

impl From<Problem> for Problems {
    fn from(problem: Problem) -> Self {
        Self(vec![problem])
    }
}
