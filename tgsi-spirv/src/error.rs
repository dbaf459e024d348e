//! Why a module is not translated.

use std::fmt;
use std::sync::Arc;

/// What is wrong with a module, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// Whether the module or the hardware is to blame.
    pub kind: ErrorKind,
    /// What is wrong, in words.
    pub message: String,
    /// Where.
    pub place: Box<Place>,
}

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The module breaks a rule of SPIR-V.
    Invalid,
    /// The module is as it should be, and the hardware or TGSI has nothing for it.
    Unsupported,
    /// The module asks for more than the limits allow.
    Limit,
    /// The caller asks for an entry point that the module does not have.
    EntryPoint,
    /// The caller gives a specialisation constant a value that its type does not have.
    Specialization,
    /// The shader that comes of it is invalid: so is the module, unnoticed, or the translation is at fault.
    Broken,
}

/// Where in a module.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// The instruction's first word, counted from 0.
    pub word: Option<usize>,
    /// The instruction's name, with `Op`.
    pub instruction: Option<String>,
    /// The instruction's result.
    pub id: Option<u32>,
    /// The function around it, as `OpName` calls it.
    pub function: Option<String>,
    /// The line of the source, as `OpLine` has it.
    pub line: Option<SourceLine>,
}

/// A line of a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// The file.
    pub file: Arc<str>,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1; 0 where it is unknown.
    pub column: u32,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Place { word, instruction, id, function, line } = &*self.place;
        if let Some(SourceLine { file, line, column }) = line {
            write!(f, "{file}:{line}:{column}: ")?;
        }
        match self.kind {
            ErrorKind::Invalid => write!(f, "invalid SPIR-V: {}", self.message)?,
            ErrorKind::Unsupported => write!(f, "unsupported: {}", self.message)?,
            ErrorKind::Limit
            | ErrorKind::EntryPoint
            | ErrorKind::Specialization
            | ErrorKind::Broken => write!(f, "{}", self.message)?,
        }
        if let Some(instruction) = instruction {
            write!(f, ", in {instruction}")?;
            if let Some(id) = id {
                write!(f, " %{id}")?;
            }
        }
        if let Some(word) = word {
            write!(f, " at word {word}")?;
        }
        match function {
            Some(function) => write!(f, " of function `{function}`"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Error {}

/// An error whose place is not known yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) kind: ErrorKind,
    pub(crate) message: String,
}

/// The module breaks a rule.
pub(crate) fn invalid(message: impl Into<String>) -> Fault {
    Fault { kind: ErrorKind::Invalid, message: message.into() }
}

/// The module asks for what there is not.
pub(crate) fn unsupported(message: impl Into<String>) -> Fault {
    Fault { kind: ErrorKind::Unsupported, message: message.into() }
}

/// The module asks for too much.
pub(crate) fn too_large(message: impl Into<String>) -> Fault {
    Fault { kind: ErrorKind::Limit, message: message.into() }
}

/// The translation makes no sense.
pub(crate) fn broken(message: impl Into<String>) -> Fault {
    Fault { kind: ErrorKind::Broken, message: message.into() }
}
