//! Findings.

use std::fmt;

use super::code::{Code, Severity};
use crate::place::Place;

/// Findings beyond this number are not collected, so that a hostile shader cannot fill the memory.
pub const MAX_DIAGNOSTICS: usize = 4096;

/// Another place that a finding has to do with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Where.
    pub place: Place,
    /// What is there: `declared here`.
    pub message: &'static str,
}

/// A finding of the validator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule, which also gives the severity.
    pub code: Code,
    /// What is wrong, in lower case and without a final stop (except for Mesa's own words).
    pub message: String,
    /// Where.
    pub place: Place,
    /// What else has to do with it.
    pub related: Vec<Related>,
    /// What helps.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A finding without related places and help.
    pub fn new(code: Code, place: Place, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), place, related: Vec::new(), help: None }
    }

    /// How bad it is.
    pub const fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Has it point at other places.
    pub(super) fn move_places(&mut self, to: impl Fn(Place) -> Place) {
        self.place = to(self.place);
        for related in &mut self.related {
            related.place = to(related.place);
        }
    }

    /// Adds a related place.
    #[must_use]
    pub fn related(mut self, place: Place, message: &'static str) -> Self {
        self.related.push(Related { place, message });
        self
    }

    /// Adds what helps.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {} ({})", self.severity(), self.code, self.message, self.place)
    }
}
