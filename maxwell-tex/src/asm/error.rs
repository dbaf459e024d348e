//! Errors of the assembler.

use alloc::string::String;
use core::fmt;
use core::ops::Range;

use crate::diagnostic::Diagnostic;

/// An error in a text, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AsmError {
    /// The bytes at fault.
    pub span: Range<usize>,
    /// What is wrong.
    pub kind: AsmErrorKind,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum AsmErrorKind {
    /// Something else was expected.
    Expected {
        /// What was expected.
        what: &'static str,
        /// What was found.
        found: String,
    },
    /// The statement ends too early.
    Missing {
        /// What is missing.
        what: &'static str,
    },
    /// An unterminated comment; everything after its start is ignored.
    OpenComment,
    /// No instruction has this name.
    UnknownInstruction(String),
    /// The instruction has no such modifier.
    UnknownModifier(String),
    /// A modifier, or another of its kind, stood here before.
    RepeatedModifier(String),
    /// No operand is written so.
    UnknownOperand(String),
    /// No scheduling operand is written so, or its number is too large.
    UnknownControl(String),
    /// The text breaks a rule, so it has no instruction.
    Rule(Diagnostic),
}

impl AsmError {
    pub(super) fn new(span: Range<usize>, kind: AsmErrorKind) -> Self {
        Self { span, kind }
    }

    /// How to fix it.
    pub fn help(&self) -> Option<&'static str> {
        match &self.kind {
            AsmErrorKind::UnknownInstruction(_) => {
                Some("known instructions are TEX and TLDS; `.quad 0x…` holds the word of any other")
            }
            AsmErrorKind::UnknownModifier(_) => Some(
                "TEX has .B .LZ .LB .LL .LBA .LLA .LC .AOFFI .DC .NDV .NODEP .T .P, \
                 TLDS .F16 .LZ .LL .AOFFI .MS .NODEP .T .P",
            ),
            AsmErrorKind::UnknownControl(_) => Some(
                "there are `&req=MASK`, `&rdN`, `&wrN`, `?stallN`, `?yield` and `?stallN_yield`",
            ),
            AsmErrorKind::UnknownOperand(_) => Some(
                "there are R0 to R254, RZ, P0 to P6, PT, numbers, shapes such as 2D, and masks of TLDS",
            ),
            AsmErrorKind::Rule(diagnostic) => Some(diagnostic.rule.remedy()),
            AsmErrorKind::OpenComment => Some("`*/` ends it"),
            AsmErrorKind::Expected { .. }
            | AsmErrorKind::Missing { .. }
            | AsmErrorKind::RepeatedModifier(_) => None,
        }
    }
}

impl fmt::Display for AsmError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            AsmErrorKind::Expected { what, found } => {
                write!(f, "expected {what}, found `{}`", clip(found))
            }
            AsmErrorKind::Missing { what } => write!(f, "{what} is missing"),
            AsmErrorKind::OpenComment => f.write_str("a comment has no end"),
            AsmErrorKind::UnknownInstruction(name) => {
                write!(f, "unknown instruction `{}`", clip(name))
            }
            AsmErrorKind::UnknownModifier(name) => write!(f, "unknown modifier `.{}`", clip(name)),
            AsmErrorKind::RepeatedModifier(name) => {
                write!(f, "`.{}` repeats a modifier or contradicts one", clip(name))
            }
            AsmErrorKind::UnknownOperand(word) => write!(f, "`{}` is not an operand", clip(word)),
            AsmErrorKind::UnknownControl(word) => {
                write!(f, "`{}` is not a scheduling operand", clip(word))
            }
            AsmErrorKind::Rule(diagnostic) => diagnostic.fmt(f),
        }
    }
}

impl core::error::Error for AsmError {}

/// The beginning of a word that may be megabytes long.
fn clip(word: &str) -> &str {
    word.char_indices().nth(40).map_or(word, |(end, _)| &word[..end])
}
