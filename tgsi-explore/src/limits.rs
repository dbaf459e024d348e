//! How much a request may ask for.

use std::time::Duration;

/// What a request may take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a request.
    pub body: usize,
    /// Maximum number of instructions in a shader.
    pub instructions: usize,
    /// Time to an answer.
    pub time: Duration,
    /// Time that a connection may be idle, and time from the first byte of a request to its answer.
    pub patience: Duration,
    /// Answers that are worked on at the same time.
    pub parallel: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let [time, patience] = [5, 10].map(Duration::from_secs);
        Self { body: 1 << 20, instructions: 8_000, time, patience, parallel: 2 }
    }
}
