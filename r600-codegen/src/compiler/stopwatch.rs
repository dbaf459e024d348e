//! Time that a pass spends on the work of another.

use std::cell::Cell;
use std::time::{Duration, Instant};

/// Sums the time of what it is asked to run.
#[derive(Debug, Default)]
pub(super) struct Stopwatch(Cell<Duration>);

impl Stopwatch {
    /// Runs `work`.
    pub(super) fn time<T>(&self, work: impl FnOnce() -> T) -> T {
        let start = Instant::now();
        let result = work();
        self.0.set(self.0.get() + start.elapsed());
        result
    }

    /// The sum.
    pub(super) fn elapsed(&self) -> Duration {
        self.0.get()
    }
}
