//! Diagnostics: mistakes in a text.

use std::fmt;
use std::ops::Range;

/// A range of bytes of the text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start: start as u32, end: end as u32 }
    }

    /// As a range to index the text with.
    pub const fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The kinds of mistakes. Their names are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// The first word is not a processor.
    UnknownHeader,
    /// A statement begins with a word that is neither a keyword nor an opcode.
    UnknownStatement,
    /// Unknown register file.
    UnknownFile,
    /// Unknown word in a declaration.
    UnknownAttribute,
    /// Unknown property.
    UnknownProperty,
    /// Unknown property value.
    UnknownPropertyValue,
    /// Unknown texture target.
    UnknownTarget,
    /// Unknown immediate type.
    UnknownType,
    /// A punctuation mark is missing.
    ExpectedMark,
    /// A number is missing.
    ExpectedNumber,
    /// A number is too large for its field. As in Mesa, it is cut to the bits that fit.
    NumberTooLarge,
    /// A write mask is empty or out of order.
    WriteMask,
    /// A swizzle does not have four channels.
    Swizzle,
    /// The number of an immediate is not the next one.
    ImmediateOrder,
    /// An instruction has too many texture offsets.
    TooManyOffsets,
    /// An instruction has too many operands.
    TooManyOperands,
    /// A property has too many values.
    TooManyValues,
    /// A comment is not terminated.
    UnclosedComment,
    /// The size of a range depends on a missing property.
    UnknownRange,
    /// An immediate has fewer words than in Mesa's text.
    ShortImmediate,
    /// The text ends within an immediate.
    CutShort,
    /// Several return types are given; Mesa uses the first for all channels.
    ViewTypes,
    /// The text states an unknown dialect.
    UnknownDialect,
    /// The text exceeds a limit; the rest was not read.
    Limit,
    /// Mesa's reader rejects the text. The message is Mesa's own.
    RefusedByMesa,
}

/// The severity of a mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The text has no meaning and is left out.
    Error,
    /// The text has a meaning, but probably not the intended one.
    Warning,
}

impl Code {
    /// The stable name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::UnknownHeader => "unknown-header",
            Self::UnknownStatement => "unknown-statement",
            Self::UnknownFile => "unknown-file",
            Self::UnknownAttribute => "unknown-attribute",
            Self::UnknownProperty => "unknown-property",
            Self::UnknownPropertyValue => "unknown-property-value",
            Self::UnknownTarget => "unknown-target",
            Self::UnknownType => "unknown-type",
            Self::ExpectedMark => "expected-mark",
            Self::ExpectedNumber => "expected-number",
            Self::NumberTooLarge => "number-too-large",
            Self::WriteMask => "write-mask",
            Self::Swizzle => "swizzle",
            Self::ImmediateOrder => "immediate-order",
            Self::TooManyOffsets => "too-many-offsets",
            Self::TooManyOperands => "too-many-operands",
            Self::TooManyValues => "too-many-values",
            Self::UnclosedComment => "unclosed-comment",
            Self::UnknownRange => "unknown-range",
            Self::ShortImmediate => "short-immediate",
            Self::CutShort => "cut-short",
            Self::ViewTypes => "view-types",
            Self::UnknownDialect => "unknown-dialect",
            Self::Limit => "limit",
            Self::RefusedByMesa => "refused-by-mesa",
        }
    }

    /// The severity.
    pub const fn severity(self) -> Severity {
        match self {
            Self::NumberTooLarge | Self::ShortImmediate | Self::CutShort | Self::ViewTypes => {
                Severity::Warning
            }
            _ => Severity::Error,
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A place with a short description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there.
    pub text: String,
}

/// A mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its kind.
    pub code: Code,
    /// What is wrong, in lower case and without a final stop.
    pub message: String,
    /// The place, with the offending word.
    pub primary: Label,
    /// Other relevant places.
    pub related: Vec<Label>,
    /// How to fix it.
    pub help: Option<String>,
}

impl Diagnostic {
    /// The severity.
    pub const fn severity(&self) -> Severity {
        self.code.severity()
    }
}
