//! How much a request may ask for.

use std::time::Duration;

/// What a request may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a request.
    pub body: usize,
    /// Instructions of a shader.
    pub instructions: usize,
    /// Time to an answer.
    pub time: Duration,
    /// Answers that are worked on at the same time.
    pub parallel: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { body: 1 << 20, instructions: 8_000, time: Duration::from_secs(5), parallel: 2 }
    }
}
