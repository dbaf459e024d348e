//! Reading spec files, and errors that point at the row at fault.

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use thiserror::Error;

/// An error in a spec. Nothing is generated while one exists.
#[derive(Debug, Error)]
pub(crate) enum SpecError {
    /// The file cannot be read.
    #[error("{path}: {source}")]
    Io {
        /// The file, relative to the workspace.
        path: String,
        /// The reason.
        source: std::io::Error,
    },
    /// The file is not the RON that the generator expects: a typing error or an unknown key.
    #[error("{path}:{line}:{column}: {message}")]
    Syntax {
        /// The file, relative to the workspace.
        path: String,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The message of the RON reader.
        message: String,
    },
    /// A row contradicts another row or a rule of the table.
    #[error("{path}:{line}: row `{row}`: {message}")]
    Row {
        /// The file, relative to the workspace.
        path: String,
        /// Line of the row, from 1; 0 if unknown.
        line: usize,
        /// The row's name.
        row: String,
        /// The error.
        message: String,
    },
}

/// One spec file with its text, so that errors can name lines.
pub(crate) struct SpecFile<T> {
    /// The file, relative to the workspace, with `/` on every system.
    pub(crate) path: String,
    text: String,
    /// The parsed table.
    pub(crate) table: T,
}

impl<T: DeserializeOwned> SpecFile<T> {
    /// Reads and parses `<root>/<path>`.
    pub(crate) fn read(root: &Path, path: &str) -> Result<Self, SpecError> {
        let full: PathBuf = root.join(path);
        let text = fs::read_to_string(&full)
            .map_err(|source| SpecError::Io { path: path.to_owned(), source })?;
        Self::parse(path, text)
    }

    /// Parses `text` as the contents of the spec file `path`.
    pub(crate) fn parse(path: &str, text: String) -> Result<Self, SpecError> {
        let options = ron::Options::default()
            .with_default_extension(ron::extensions::Extensions::IMPLICIT_SOME);
        let table = options.from_str(&text).map_err(|error| SpecError::Syntax {
            path: path.to_owned(),
            line: error.span.start.line,
            column: error.span.start.col,
            message: error.code.to_string(),
        })?;
        Ok(Self { path: path.to_owned(), text, table })
    }
}

impl<T> SpecFile<T> {
    /// The line of the row whose `name` is `row`, from 1; 0 if there is none.
    pub(crate) fn line_of(&self, row: &str) -> usize {
        let needle = format!("name: \"{row}\"");
        self.text.lines().position(|line| line.contains(&needle)).map_or(0, |at| at + 1)
    }

    /// An error about the row whose `name` is `row`.
    pub(crate) fn row_error(&self, row: &str, message: impl Into<String>) -> SpecError {
        SpecError::Row {
            path: self.path.clone(),
            line: self.line_of(row),
            row: row.to_owned(),
            message: message.into(),
        }
    }
}
