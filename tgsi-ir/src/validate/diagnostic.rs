//! Findings.

use std::fmt;

use super::code::{Code, Severity};
use crate::place::Place;

/// Findings beyond this number are dropped, so that a hostile shader cannot exhaust memory.
pub const MAX_DIAGNOSTICS: usize = 4096;

/// Another place related to a finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// The place.
    pub place: Place,
    /// A description: `declared here`.
    pub message: &'static str,
}

/// A finding of the validator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule, which also gives the severity.
    pub code: Code,
    /// The problem, in lower case and without a final stop (except for Mesa's own messages).
    pub message: String,
    /// The place.
    pub place: Place,
    /// Related places.
    pub related: Vec<Related>,
    /// How to fix it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A finding without related places and help.
    pub fn new(code: Code, place: Place, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), place, related: Vec::new(), help: None }
    }

    /// The severity.
    pub const fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Maps its places.
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

    /// Adds help.
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
