//! Schedules for functions that do not fit in the registers.

use r600_mir::Function;
use r600_sched::{Options, Schedule, Scheduler, Urgency};

use crate::alloc::{AllocError, Allocation};
use crate::error::Stop;
use crate::spill::{Limits, Places, spill};

use super::super::stopwatch::Stopwatch;
use super::{allocation_of, unscheduled};

/// A function that fits in the registers, with its schedule and allocation.
pub(in super::super) struct Fitted {
    pub(in super::super) machine: Function,
    /// The spill slots; `None` if all values stay in registers.
    pub(in super::super) places: Option<Places>,
    pub(in super::super) schedule: Schedule,
    pub(in super::super) allocation: Allocation,
}

/// Attempts: the number of GPRs that values may take in program order, and the window in which the scheduler may change
/// that order. A schedule needs more registers than program order does, and more so with a wider window. So each
/// attempt is safer than the previous one.
const ATTEMPTS: [(u32, u32); 7] =
    [(116, 48), (104, 48), (88, 32), (64, 16), (40, 8), (24, 4), (12, 1)];

/// The most operations for which a spilled value may also stay in a register.
const REUSE: u32 = 12;

/// Spills values of a function that does not fit in the registers. `scheduling` and `allocating` measure the time of
/// the two.
pub(in super::super) fn fit(
    machine: &Function,
    pack: bool,
    scheduling: &Stopwatch,
    allocating: &Stopwatch,
) -> Result<Fitted, Stop> {
    for (gprs, window) in ATTEMPTS {
        let limits = Limits { gprs, reuse: window.min(REUSE) };
        let spilled = spill(machine, limits)?;
        let (machine, places) = match spilled {
            Some(spilled) => (spilled.machine, Some(spilled.places)),
            None => (machine.clone(), None),
        };
        let urgency = Urgency::default();
        let options =
            Options::SHORT.pack(pack).pressure(Some(gprs)).window(Some(window)).urgency(urgency);
        let schedule = scheduling.time(|| Scheduler::new(&machine).run(&options));
        let schedule = schedule.map_err(unscheduled)?;
        if let Some(allocation) = allocating.time(|| allocation_of(&machine, &schedule)) {
            return Ok(Fitted { machine, places, schedule, allocation });
        }
    }
    Err(AllocError::OutOfRegisters.into())
}
