//! Cancels a compilation that takes too long or whose answer is no longer wanted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pass_manager::{Clock, Observer, PassId};
use r600_codegen::{Compilation, Snapshot};

/// A deadline with cancellation; clones share it.
#[derive(Clone, Debug)]
pub(crate) struct Deadline {
    clock: Clock,
    end: Duration,
    is_cancelled: Arc<AtomicBool>,
}

impl Deadline {
    /// A deadline `time` from now on `clock`.
    pub(crate) fn after(time: Duration, clock: Clock) -> Self {
        Self { clock, end: clock.now() + time, is_cancelled: Arc::default() }
    }

    /// The remaining time.
    pub(crate) fn left(&self) -> Duration {
        self.end.saturating_sub(self.clock.now())
    }

    /// The clock in use.
    pub(crate) fn clock(&self) -> Clock {
        self.clock
    }

    /// Whether to give up.
    pub(crate) fn has_passed(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed) || self.clock.now() >= self.end
    }

    /// A guard that cancels the work when dropped, for example with an abandoned request.
    #[cfg(feature = "server")]
    pub(crate) fn guard(&self) -> CancelOnDrop {
        CancelOnDrop(Arc::clone(&self.is_cancelled))
    }
}

/// Cancels the work when dropped.
#[cfg(feature = "server")]
pub(crate) struct CancelOnDrop(Arc<AtomicBool>);

#[cfg(feature = "server")]
impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Collects the requested dump, and checks the clock between passes.
pub(crate) struct Watch {
    pub(crate) deadline: Deadline,
    pub(crate) dump: String,
}

impl Observer<Compilation> for Watch {
    fn dump(&mut self, _pass: PassId, form: Snapshot<'_>) {
        self.dump = form.to_string();
    }

    fn verify(&mut self, _pass: PassId, _form: Snapshot<'_>) -> Result<(), String> {
        if self.deadline.has_passed() { Err("the time is up".to_owned()) } else { Ok(()) }
    }
}
