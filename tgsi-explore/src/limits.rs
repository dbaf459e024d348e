//! Limits on requests.

use std::time::Duration;

/// Limits on a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Maximum size of a request in bytes.
    pub body: usize,
    /// Maximum number of instructions in a shader.
    pub instructions: usize,
    /// Maximum time to an answer.
    pub time: Duration,
    /// Maximum idle time of a connection, and maximum time from the first byte of a request to its answer.
    pub patience: Duration,
    /// Maximum number of answers computed at the same time.
    pub parallel: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let [time, patience] = [5, 10].map(Duration::from_secs);
        Self { body: 1 << 20, instructions: 8_000, time, patience, parallel: 2 }
    }
}
