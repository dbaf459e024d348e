//! How a command ends, and its exit code.

use std::io;
use std::process::ExitCode;

use crate::problem::Problems;

/// The outcome of a command that did its work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// Every input was good.
    Good,
    /// At least one input was bad and has been reported.
    Bad,
}

impl Outcome {
    /// [`Outcome::Good`] when `good`.
    pub(crate) fn when(good: bool) -> Self {
        if good { Self::Good } else { Self::Bad }
    }
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> Self {
        match outcome {
            Outcome::Good => Self::SUCCESS,
            Outcome::Bad => Self::from(1),
        }
    }
}

/// An error that ends a command early.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input is bad: exit code 1.
    Input(Problems),
    /// The command line is bad in a way that the parser does not detect: exit code 2.
    Usage(String),
    /// The reader of the output closed it, which is not an error: exit code 0.
    Closed,
}

impl Failure {
    /// A failed write to `name`.
    pub(crate) fn write(name: &str, error: &io::Error) -> Self {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return Self::Closed;
        }
        let why = match error.kind() {
            io::ErrorKind::NotFound => "there is no such folder".to_owned(),
            io::ErrorKind::IsADirectory => "is a directory".to_owned(),
            io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
                "is a file, not a folder".to_owned()
            }
            _ => error.to_string(),
        };
        Self::Input(Problems::whole(name, format!("cannot be written: {why}")))
    }
}

impl From<Problems> for Failure {
    fn from(problems: Problems) -> Self {
        Self::Input(problems)
    }
}
