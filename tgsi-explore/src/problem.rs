//! Problems with a shader, as the page shows them.

use serde::Serialize;

/// A problem with the shader.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The rule, if any.
    pub code: Option<&'static str>,
    /// The message.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
    /// Line and column of its start, from 0.
    pub start: (usize, usize),
    /// Line and column just after its end.
    pub end: (usize, usize),
}
