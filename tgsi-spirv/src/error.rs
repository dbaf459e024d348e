//! Errors of the translation.

use std::fmt;
use std::sync::Arc;

/// An error in a module, with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The kind of error.
    pub kind: ErrorKind,
    /// The message.
    pub message: String,
    /// The place.
    pub place: Box<Place>,
}

/// The kinds of errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The module breaks a rule of SPIR-V.
    Invalid,
    /// The module is valid, but the hardware or TGSI lacks a feature that it uses.
    Unsupported,
    /// The module exceeds the limits.
    Limit,
    /// The requested entry point does not exist.
    EntryPoint,
    /// The given value does not fit the type of its specialisation constant.
    Specialization,
    /// The resulting shader is invalid. Either the module has an undetected error, or the translation has a bug.
    Broken,
}

/// A place in a module.
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
    /// The source line, from `OpLine`.
    pub line: Option<SourceLine>,
}

/// A line of a source text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceLine {
    /// The file.
    pub file: Arc<str>,
    /// The line, counted from 1.
    pub line: u32,
    /// The column, counted from 1; 0 if unknown.
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

/// An error without a place yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) kind: ErrorKind,
    pub(crate) message: String,
}

/// The module breaks a rule.
pub(crate) fn invalid(message: impl Into<String>) -> Fault {
    Fault { kind: ErrorKind::Invalid, message: message.into() }
}

/// The module uses an unsupported feature.
pub(crate) fn unsupported(message: impl Into<String>) -> Fault {
    Fault { kind: ErrorKind::Unsupported, message: message.into() }
}

/// The module exceeds a limit.
pub(crate) fn too_large(message: impl Into<String>) -> Fault {
    Fault { kind: ErrorKind::Limit, message: message.into() }
}

/// The translation is inconsistent.
pub(crate) fn broken(message: impl Into<String>) -> Fault {
    Fault { kind: ErrorKind::Broken, message: message.into() }
}
