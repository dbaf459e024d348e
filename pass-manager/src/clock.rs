//! The clock behind the times in reports.

use std::fmt;
use std::ptr;
use std::time::Duration;

/// Tells the time since a fixed moment.
///
/// The default is the system clock. WebAssembly without a system has none: there the default stands still, and the
/// embedder must pass in its own clock.
#[derive(Clone, Copy)]
pub struct Clock(fn() -> Duration);

impl Clock {
    /// A clock that calls `now`, which must never go back.
    pub const fn new(now: fn() -> Duration) -> Self {
        Self(now)
    }

    /// The time since the clock's moment.
    pub fn now(self) -> Duration {
        (self.0)()
    }

    /// The time since `start`, a reading of this clock.
    pub fn since(self, start: Duration) -> Duration {
        self.now().saturating_sub(start)
    }
}

impl Default for Clock {
    fn default() -> Self {
        Self(system)
    }
}

impl PartialEq for Clock {
    fn eq(&self, other: &Self) -> bool {
        ptr::fn_addr_eq(self.0, other.0)
    }
}

impl Eq for Clock {}

impl fmt::Debug for Clock {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Clock")
    }
}

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
fn system() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;

    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
fn system() -> Duration {
    Duration::ZERO
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::Clock;

    #[test]
    fn the_system_clock_advances() {
        let clock = Clock::default();
        let start = clock.now();
        while clock.since(start) == Duration::ZERO {
            std::hint::spin_loop();
        }
    }

    #[test]
    fn a_clock_that_goes_backwards_gives_zero() {
        let clock = Clock::new(|| Duration::from_secs(1));
        assert_eq!(clock.since(Duration::from_secs(2)), Duration::ZERO);
    }
}
