//! What is wrong with a text.

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

/// The kinds of mistakes; names are stable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Code {
    /// The first word is no processor.
    UnknownHeader,
    /// A statement begins with a word that is neither keyword nor opcode.
    UnknownStatement,
    /// A register file has another name.
    UnknownFile,
    /// A word in a declaration means nothing there.
    UnknownAttribute,
    /// A property has another name.
    UnknownProperty,
    /// A property's value has another name.
    UnknownPropertyValue,
    /// A texture target has another name.
    UnknownTarget,
    /// A type of immediates has another name.
    UnknownType,
    /// A mark is missing.
    ExpectedMark,
    /// A number is missing.
    ExpectedNumber,
    /// A number is too large for its place, and cut to the bits that fit, as Mesa does.
    NumberTooLarge,
    /// A write mask is empty or out of order.
    WriteMask,
    /// A swizzle has not four channels.
    Swizzle,
    /// The number of an immediate is not the next one.
    ImmediateOrder,
    /// An instruction has too many texture offsets.
    TooManyOffsets,
    /// An instruction has too many operands.
    TooManyOperands,
    /// A property has too many values.
    TooManyValues,
    /// A comment has no end.
    UnclosedComment,
    /// A range whose size depends on a property that is not there.
    UnknownRange,
    /// An immediate of fewer words than Mesa's text has.
    ShortImmediate,
    /// An immediate that the end of the text cuts short.
    CutShort,
    /// Several return types, of which Mesa takes the first for all channels.
    ViewTypes,
    /// The text states a dialect that does not exist.
    UnknownDialect,
    /// The text is larger than a limit, and was not read further.
    Limit,
    /// Mesa's reader refuses the text; the message is its own.
    RefusedByMesa,
}

/// How bad a mistake is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// What stands there has no meaning, and is left out.
    Error,
    /// It has a meaning, which is probably not what was meant.
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

    /// How bad it is.
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

/// A place with a few words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// Where.
    pub span: Span,
    /// What is there.
    pub text: String,
}

/// One mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Its kind.
    pub code: Code,
    /// What is wrong, in lower case and without a final stop.
    pub message: String,
    /// Where, with the offending word.
    pub primary: Label,
    /// Other places that matter.
    pub related: Vec<Label>,
    /// What helps.
    pub help: Option<String>,
}

impl Diagnostic {
    /// How bad it is.
    pub const fn severity(&self) -> Severity {
        self.code.severity()
    }
}
