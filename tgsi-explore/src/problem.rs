//! What is wrong with a shader, as the page shows it.

use serde::Serialize;

/// Something wrong with the shader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The rule, where there is one.
    pub code: Option<&'static str>,
    /// What is wrong.
    pub message: String,
    /// What helps.
    pub help: Option<String>,
    /// Line and column, from 0, of its beginning.
    pub start: (usize, usize),
    /// Line and column after its end.
    pub end: (usize, usize),
}
