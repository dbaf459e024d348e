//! Runs many cases in parallel, and watches for panics, hangs and memory.
//!
//! A case's time is its processor time if the system reports it, since a busy machine slows down everything. A case
//! that takes longer than [`SLOW`] is repeated, and its best time counts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Maximum time of a case. Work that grows too fast with its input takes minutes. Debug builds may take four times as
/// long.
pub const SLOW: Duration = Duration::from_secs(if cfg!(debug_assertions) { 4 } else { 1 });
/// Number of times that a slow case is repeated.
const RETRIES: usize = 3;
/// Number of findings after which the campaign stops.
const MAX_FINDINGS: usize = 20;

/// A case that failed.
#[derive(Clone, Debug)]
pub struct Finding {
    /// Number of the case.
    pub case: u64,
    /// What went wrong.
    pub why: String,
}

/// The result of a campaign.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Number of cases that ran.
    pub cases: u64,
    /// The cases that failed.
    pub findings: Vec<Finding>,
    /// The time of the slowest case.
    pub longest: Duration,
}

/// Runs the cases `0..count` on `threads` threads. `run` returns a description of the failure, if any.
pub fn run(count: u64, threads: usize, run: impl Fn(u64) -> Option<String> + Sync) -> Outcome {
    run_within(SLOW, (count, threads), run)
}

/// The same, where a case may take at most `slow`.
fn run_within(
    slow: Duration,
    (count, threads): (u64, usize),
    run: impl Fn(u64) -> Option<String> + Sync,
) -> Outcome {
    let next = AtomicU64::new(0);
    let outcome = Mutex::new(Outcome::default());
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                loop {
                    let case = next.fetch_add(1, Ordering::Relaxed);
                    if case >= count || !record(&outcome, case, attempt(slow, case, &run)) {
                        break;
                    }
                }
            });
        }
    });
    outcome.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)
}

/// Records a result. Returns false once there are enough findings.
fn record(outcome: &Mutex<Outcome>, case: u64, (why, took): (Option<String>, Duration)) -> bool {
    let mut outcome = outcome.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    outcome.cases += 1;
    outcome.longest = outcome.longest.max(took);
    outcome.findings.extend(why.map(|why| Finding { case, why }));
    outcome.findings.len() < MAX_FINDINGS
}

fn attempt(
    slow: Duration,
    case: u64,
    run: &(impl Fn(u64) -> Option<String> + Sync),
) -> (Option<String>, Duration) {
    let (why, mut took) = timed(case, run);
    for _ in 0..RETRIES {
        if took <= slow {
            break;
        }
        took = took.min(timed(case, run).1);
    }
    let slow = (took > slow).then(|| format!("takes {took:.1?}"));
    (why.or(slow), took)
}

fn timed(case: u64, run: &(impl Fn(u64) -> Option<String> + Sync)) -> (Option<String>, Duration) {
    let start = Clock::start();
    let why = match catch_unwind(AssertUnwindSafe(|| run(case))) {
        Ok(why) => why,
        Err(cause) => Some(format!("panics: {}", message(&*cause))),
    };
    (why, start.elapsed())
}

/// Measures the processor time of this thread, or the elapsed time if the system does not report it.
struct Clock {
    wall: Instant,
    busy: Option<Duration>,
}

impl Clock {
    fn start() -> Self {
        Self { wall: Instant::now(), busy: busy_time() }
    }

    fn elapsed(&self) -> Duration {
        let busy = self.busy.zip(busy_time()).map(|(before, now)| now.saturating_sub(before));
        busy.unwrap_or_else(|| self.wall.elapsed())
    }
}

/// The processor time of this thread so far.
fn busy_time() -> Option<Duration> {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    statistics.split_whitespace().next()?.parse().ok().map(Duration::from_nanos)
}

fn message(cause: &(dyn std::any::Any + Send)) -> String {
    let text = cause.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| cause.downcast_ref::<String>().cloned()).unwrap_or_default()
}

/// The peak memory of the process in bytes; `None` if the system does not report it.
#[must_use]
pub fn peak_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kilobytes * 1024)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::panic, reason = "the panic is what is tested")]

    use super::*;

    #[test]
    fn panics_faults_and_slow_cases_are_found() {
        let slow = Duration::from_millis(100);
        let outcome = run_within(slow, (4, 2), |case| match case {
            0 => panic!("on purpose"),
            1 => Some("wrong".to_owned()),
            2 => {
                let start = Clock::start();
                while start.elapsed() < slow + Duration::from_millis(10) {}
                None
            }
            _ => None,
        });
        let mut findings = outcome.findings;
        findings.sort_by_key(|finding| finding.case);
        assert_eq!((outcome.cases, findings.len()), (4, 3));
        assert_eq!(findings[0].why, "panics: on purpose");
        assert_eq!(findings[1].why, "wrong");
        assert!(
            findings[2].why.starts_with("takes 1") && findings[2].why.ends_with("ms"),
            "{}",
            findings[2].why
        );
    }
}
