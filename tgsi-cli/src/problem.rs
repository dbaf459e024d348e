//! Problems with an input, in one form for all readers of the program.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use tgsi_text::line_and_column;

/// All problems with one input.
#[derive(Debug)]
pub(crate) struct Problems {
    /// The input's name as the user wrote it.
    pub(crate) name: String,
    /// Its text, if findings point into it.
    pub(crate) text: Option<String>,
    /// In order of discovery; never empty.
    pub(crate) findings: Vec<Finding>,
}

impl Problems {
    /// One problem with the input as a whole.
    pub(crate) fn whole(name: &str, message: impl Into<String>) -> Self {
        Self::one(name, None, Finding::error(message, Place::Whole))
    }

    /// One problem.
    pub(crate) fn one(name: &str, text: Option<String>, finding: Finding) -> Self {
        Self { name: name.to_owned(), text, findings: vec![finding] }
    }

    /// Whether any finding is an error.
    pub(crate) fn has_errors(&self) -> bool {
        self.findings.iter().any(|finding| finding.severity == Severity::Error)
    }

    /// The first error in one line, with its place, for batch results.
    pub(crate) fn headline(&self) -> String {
        let first = self.findings.iter().find(|finding| finding.severity == Severity::Error);
        let Some(finding) = first.or(self.findings.first()) else { return String::new() };
        match (&finding.place, &self.text) {
            (Place::Span(span), Some(text)) => {
                let (line, column) = line_and_column(text, span.start);
                format!("{line}:{column}: {}", finding.message)
            }
            (Place::Span(_) | Place::Whole, _) => finding.message.clone(),
        }
    }
}

/// One thing that is wrong.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Finding {
    /// How bad it is.
    pub(crate) severity: Severity,
    /// The stable name of the rule, if the reader provides one.
    pub(crate) code: Option<String>,
    /// What is wrong.
    pub(crate) message: String,
    /// Where.
    pub(crate) place: Place,
    /// A few words at the place itself.
    pub(crate) label: String,
    /// Other relevant places, each with a few words.
    pub(crate) related: Vec<(Range<usize>, String)>,
    /// What to do.
    pub(crate) help: Option<String>,
}

impl Finding {
    /// An error without a code, related places or help.
    pub(crate) fn error(message: impl Into<String>, place: Place) -> Self {
        Self {
            severity: Severity::Error,
            code: None,
            message: message.into(),
            place,
            label: String::new(),
            related: Vec::new(),
            help: None,
        }
    }

    /// The same with advice.
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Severity {
    /// The input cannot be used.
    Error,
    /// The input can be used, but is probably not what was meant.
    Warning,
}

/// Where in an input a finding lies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Place {
    /// Nowhere in particular.
    Whole,
    /// A range of bytes of the text.
    Span(Range<usize>),
}

#[cfg(test)]
mod tests {
    use super::{Finding, Place, Problems};

    #[test]
    fn a_headline_has_the_place() {
        let text = Some("FRAG\nBAD".to_owned());
        let finding = Finding::error("unknown opcode", Place::Span(5..8));
        assert_eq!(Problems::one("x", text, finding).headline(), "2:1: unknown opcode");
    }
}
