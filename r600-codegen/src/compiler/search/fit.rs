//! Schedules for functions that do not fit in the registers.

use r600_mir::Function;
use r600_sched::{Options, Schedule, Scheduler, Urgency};

use crate::alloc::{AllocError, Allocation};
use crate::error::Stop;
use crate::spill::{Limits, Places, spill};

use super::super::stopwatch::Stopwatch;
use super::{allocation_of, unscheduled};

/// A function with values in memory, its schedule and the places of the rest.
pub(in super::super) struct Fitted {
    pub(in super::super) machine: Function,
    /// `None` where all values stay in registers.
    pub(in super::super) places: Option<Places>,
    pub(in super::super) schedule: Schedule,
    pub(in super::super) allocation: Allocation,
}

/// GPRs that values may take in program order, and the window in which the scheduler may change that order.
/// Schedules need more registers than program order does, the more the wider the window is: each attempt
/// leaves less to chance than the one before.
const ATTEMPTS: [(u32, u32); 7] =
    [(116, 48), (104, 48), (88, 32), (64, 16), (40, 8), (24, 4), (12, 1)];

/// Operations for which values in memory are kept in registers, too.
const REUSE: u32 = 12;

/// Spills values of a function that does not fit in the registers. It is scheduled while `scheduling` runs, and gets
/// registers while `allocating` does.
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
