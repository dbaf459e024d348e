//! The search for the best schedule.
//!
//! How short code can be and how few registers it needs depend on each other in ways that no order of
//! priorities foresees. So each function is scheduled several times, with values ending before new ones
//! begin from different numbers of values on, and the schedule is taken that is cheapest with its registers.

use r600_sched::{Options, Schedule, Scheduler, Urgency, machine};

use crate::alloc::{AllocError, Allocation, allocate};
use crate::spill::{Limits, spill};

use super::CompileError;
use super::passes::flow_of;

/// Values in one channel from which on registers count as short, in one attempt each.
const PRESSURES: [u32; 4] = [4, 6, 8, 12];

/// The same for large functions, where an attempt takes long.
const PRESSURES_OF_LARGE: [u32; 2] = [6, 12];

/// The same for huge functions.
const PRESSURES_OF_HUGE: [u32; 1] = [6];

/// Operations from which on a function is large.
const LARGE: usize = 300;

/// Operations from which on a function is huge. A few such shaders take most of the time of a shader library.
const HUGE: usize = 1500;

/// Clause temporaries hold some values beside the registers that count.
const TEMPORARIES: u32 = 4;

/// What a tenth more registers may cost, in tenths more groups: fewer registers let more waves run, which
/// hides what fetches take, but each group is time spent for certain.
const REGISTER_WEIGHT: f64 = 0.4;

/// The same for the size of the program, which the instruction cache sees.
const SIZE_WEIGHT: f64 = 0.2;

/// A schedule and its registers, with the number of groups that none can be below.
pub(super) struct Found {
    pub(super) schedule: Schedule,
    /// `None` where values find no register.
    pub(super) allocation: Option<Allocation>,
    pub(super) lower_bound: usize,
}

/// The cheapest schedule found.
pub(super) fn best_schedule(
    machine: &machine::Function,
    pack: bool,
) -> Result<Found, CompileError> {
    let scheduler = Scheduler::new(machine);
    let (schedule, allocation) = cheapest(machine, &scheduler, pack)?;
    Ok(Found { schedule, allocation, lower_bound: scheduler.lower_bound() })
}

type Choice = (Schedule, Option<Allocation>);

fn cheapest(
    machine: &machine::Function,
    scheduler: &Scheduler<'_>,
    pack: bool,
) -> Result<Choice, CompileError> {
    let attempt = |pressure, urgency| -> Result<Choice, CompileError> {
        let options = Options { pack, pressure, window: None, urgency };
        let schedule = scheduler.run(&options)?;
        let allocation = allocation_of(machine, &schedule);
        Ok((schedule, allocation))
    };
    let mut best = attempt(None, Urgency::Height)?;
    if !pack {
        return Ok(best);
    }
    let mut least = cost(&best);
    let num_gprs = best.1.as_ref().map_or(u32::MAX, |found| u32::from(found.num_gprs));
    // A limit that was never reached without one changes nothing.
    let unreached = best.0.unreached_limit;
    let is_large = machine.ops.len() >= LARGE;
    let pressures = match machine.ops.len() {
        HUGE.. => &PRESSURES_OF_HUGE[..],
        LARGE.. => &PRESSURES_OF_LARGE,
        _ => &PRESSURES,
    };
    for &pressure in pressures {
        if pressure >= unreached || pressure > num_gprs.saturating_add(TEMPORARIES) {
            break;
        }
        let next = attempt(Some(pressure), Urgency::Height)?;
        let cost = cost(&next);
        if cost < least {
            (least, best) = (cost, next);
        }
    }
    if scheduler.has_scarce() && !is_large && best.0.num_groups() > scheduler.lower_bound() {
        let next = attempt(None, Urgency::ScarceFirst)?;
        if cost(&next) < least {
            best = next;
        }
    }
    Ok(best)
}

/// A function with values in memory, its schedule and the places of the rest.
pub(super) struct Fitted {
    pub(super) machine: machine::Function,
    pub(super) schedule: Schedule,
    pub(super) allocation: Allocation,
}

/// GPRs that values may take in program order, and the window in which the scheduler may change that order.
/// Schedules need more registers than program order does, the more the wider the window is: each attempt
/// leaves less to chance than the one before.
const ATTEMPTS: [(u32, u32); 7] =
    [(116, 48), (104, 48), (88, 32), (64, 16), (40, 8), (24, 4), (12, 1)];

/// Operations for which values in memory are kept in registers, too.
const REUSE: u32 = 12;

/// Spills values of a function that does not fit in the registers.
pub(super) fn fit(machine: &machine::Function, pack: bool) -> Result<Fitted, CompileError> {
    for (gprs, window) in ATTEMPTS {
        let limits = Limits { gprs, reuse: window.min(REUSE) };
        let spilled = spill(machine, limits)?;
        let machine = spilled.map_or_else(|| machine.clone(), |spilled| spilled.machine);
        let urgency = Urgency::default();
        let options = Options { pack, pressure: Some(gprs), window: Some(window), urgency };
        let schedule = Scheduler::new(&machine).run(&options)?;
        if let Some(allocation) = allocation_of(&machine, &schedule) {
            return Ok(Fitted { machine, schedule, allocation });
        }
    }
    Err(AllocError::OutOfRegisters.into())
}

fn allocation_of(machine: &machine::Function, schedule: &Schedule) -> Option<Allocation> {
    allocate(machine, &flow_of(machine, schedule), &schedule.chans).ok()
}

/// What a schedule costs with its registers; one that needs more than there are is worst.
fn cost((schedule, allocation): &Choice) -> f64 {
    let Some(allocation) = allocation else { return f64::INFINITY };
    let log = |count: usize| ((count + 1) as f64).ln();
    log(schedule.num_groups())
        + REGISTER_WEIGHT * log(usize::from(allocation.num_gprs))
        + SIZE_WEIGHT * log(schedule.num_units())
}
