//! What can be wrong with a listing.

use std::ops::Range;

/// A stable name of what is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Code {
    /// No instruction has this name.
    UnknownInstruction,
}

impl Code {
    /// Its name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::UnknownInstruction => "unknown-instruction",
        }
    }
}

/// Something that is wrong with a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind of mistake it is.
    pub code: Code,
    /// What is wrong.
    pub message: String,
    /// Where, in bytes of the text.
    pub span: Range<usize>,
    /// What to do about it.
    pub help: Option<String>,
}
