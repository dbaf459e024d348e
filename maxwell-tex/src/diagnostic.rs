//! Findings: the rule that an instruction breaks, and the part that breaks it.

use alloc::string::String;
use core::fmt;

use crate::generated::rules::{RULES, Rule};

pub(crate) struct RuleInfo {
    pub(crate) severity: Severity,
    pub(crate) section: &'static str,
    pub(crate) says: &'static str,
    pub(crate) remedy: &'static str,
}

/// The severity of breaking a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The documents forbid it.
    Error,
    /// It has a probably unintended effect.
    Warning,
}

impl Rule {
    fn info(self) -> &'static RuleInfo {
        &RULES[self as usize]
    }

    /// The severity of breaking it.
    pub fn severity(self) -> Severity {
        self.info().severity
    }

    /// The section of the documents that states it.
    pub fn section(self) -> &'static str {
        self.info().section
    }

    /// The text of the rule.
    pub fn statement(self) -> &'static str {
        self.info().says
    }

    /// How to fix a violation.
    pub fn remedy(self) -> &'static str {
        self.info().remedy
    }
}

/// A part of an instruction that a finding is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The modifiers after the name.
    Modifiers,
    /// The sparse predicate.
    Ps,
    /// The result, Rd or Rd0.
    Rd,
    /// The second result of TLDS.
    Rd1,
    /// The first source.
    Ra,
    /// The second source.
    Rb,
    /// The index of the texture.
    Index,
    /// The shape.
    ParamA,
    /// The components that are written.
    Mask,
    /// The scheduling operands.
    Control,
}

/// A rule that an instruction breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule.
    pub rule: Rule,
    /// The part that breaks it.
    pub part: Part,
    /// The case at hand, such as ``R3 holds 2 values``.
    pub case: String,
}

impl Diagnostic {
    pub(crate) fn new(rule: Rule, part: Part, case: impl Into<String>) -> Self {
        Self { rule, part, case: case.into() }
    }
}

/// The case, the rule and its section; the remedy is [`Rule::remedy`].
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.case, self.rule.statement(), self.rule.section())
    }
}
