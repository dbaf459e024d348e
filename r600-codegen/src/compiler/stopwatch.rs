//! Measures the time that a pass spends on another pass's work.

use std::cell::Cell;
use std::time::Duration;

use pass_manager::Clock;

/// Sums the time of what it is asked to run.
#[derive(Debug)]
pub(super) struct Stopwatch {
    clock: Clock,
    sum: Cell<Duration>,
}

impl Stopwatch {
    /// A stopwatch at zero.
    pub(super) fn new(clock: Clock) -> Self {
        Self { clock, sum: Cell::default() }
    }

    /// Runs `work`.
    pub(super) fn time<T>(&self, work: impl FnOnce() -> T) -> T {
        let start = self.clock.now();
        let result = work();
        self.sum.set(self.sum.get() + self.clock.since(start));
        result
    }

    /// The sum.
    pub(super) fn elapsed(&self) -> Duration {
        self.sum.get()
    }
}
