//! The search for the best schedule.
//!
//! Code length and register count depend on each other in ways that no order of priorities foresees. So
//! each function is scheduled several times, each with another number of values from which on ending a value
//! comes before starting one. The schedule that is cheapest with its registers is taken.

mod fit;
mod frequency;
mod restarts;

use std::ops::Range;

use r600_mir::{Function, Op, OpId};
use r600_sched::{
    GroupLimit, Options, Order, SchedError, Schedule, Scheduler, Urgency, fewest_by_slots,
};

use crate::alloc::{Allocation, allocate};
use crate::reductions::with_reductions;

pub(super) use self::fit::fit;
use self::frequency::Frequencies;
use super::stopwatch::Stopwatch;
use crate::emit::flow_of;
use crate::error::Stop;
use crate::internal::Broken;

/// An attempt for code in which values end before new ones begin, from `pressure` values in one channel on.
const fn limited(pressure: u32, urgency: Urgency) -> Options {
    Options::SHORT.pressure(Some(pressure)).urgency(urgency)
}

/// Further attempts where one without a limit was made. Most shaders are small, and find their fewest registers under
/// the lowest limits.
const LIMITED: [Options; 5] = [
    limited(1, Urgency::Height),
    limited(3, Urgency::Height),
    limited(8, Urgency::Height),
    limited(2, Urgency::ScarceFirst),
    limited(4, Urgency::ScarceFirst),
];

/// The first attempt for a large function, where an attempt takes long: one without a limit is hardly ever best.
const FIRST_OF_LARGE: Options = limited(12, Urgency::Height);

/// Further attempts for large functions that are not huge.
const OTHERS_OF_LARGE: [Options; 1] = [limited(6, Urgency::Height)];

/// Operations from which on a function is large.
const LARGE: usize = 300;

/// Operations from which on a function is huge. A few such shaders take most of the time of a shader library.
const HUGE: usize = 1500;

/// How many times the fewest groups a schedule of a large function may have before one without a limit is tried.
const ACCEPTABLE: f64 = 1.2;

/// Clause temporaries hold some values beside the registers that count.
const TEMPORARIES: u32 = 2;

/// Registers below which clause temporaries matter little.
const FEW_REGISTERS: u32 = 6;

/// Registers below which a program that computes anything does not get.
const FEWEST_REGISTERS: u8 = 1;

/// What a tenth more registers may cost, in tenths more groups: fewer registers let more waves run, which
/// hides what fetches take, but each group is time spent for certain.
const REGISTER_WEIGHT: f64 = 0.17;

/// What a tenth more words may cost, likewise: the instruction cache sees them.
const SIZE_WEIGHT: f64 = 0.2;

/// A schedule and its registers, with the number of groups that none can be below.
pub(super) struct Found {
    /// The form of the function that is scheduled; `None` for the one that was given.
    pub(super) form: Option<Function>,
    pub(super) schedule: Schedule,
    /// `None` where values find no register.
    pub(super) allocation: Option<Allocation>,
    pub(super) lower_bound: usize,
}

/// What the search may do.
#[derive(Clone, Copy, Debug)]
pub(super) struct Freedom {
    /// Whether operations share groups.
    pub(super) packs: bool,
    /// Whether sums may be formed in another order.
    pub(super) reorders_sums: bool,
    /// How often an attempt may be made again with noise.
    pub(super) restarts: u32,
}

/// The cheapest schedule found for a program of which `delivered` registers are filled before it begins. Registers are
/// found while `allocating` runs.
pub(super) fn best_schedule(
    machine: &Function,
    freedom: Freedom,
    delivered: u8,
    allocating: &Stopwatch,
) -> Result<Found, Stop> {
    let given = Search::new(machine, delivered, allocating);
    if !freedom.packs {
        let Choice { schedule, allocation, .. } = given.attempt(&Options::SHORT.pack(false))?;
        return Ok(Found { form: None, schedule, allocation, lower_bound: given.lower_bound });
    }
    let mut others = if freedom.reorders_sums { with_reductions(machine) } else { Vec::new() };
    let mut first = given.attempt(given.first_options())?;
    let mut best = (None, given);
    for (n, other) in others.iter().enumerate() {
        // Most that are in vain are so for their slots alone, which need no graph.
        let num_run = best.1.num_run(&first.schedule);
        if best.1.frequencies.total(|block| fewest_by_slots(other, block)) >= num_run {
            continue;
        }
        let search = Search::new(other, delivered, allocating);
        if search.fewest_run >= num_run {
            continue;
        }
        if let Some(choice) = search.possible(search.first_options(), first.cost)? {
            first = choice;
            best = (Some(n), search);
        }
    }
    let (form, search) = best;
    let best = search.cheapest(first)?;
    let best = search.sunk(restarts::search(&search, best, freedom.restarts)?);
    let Choice { schedule, allocation, .. } = best;
    let lower_bound = search.lower_bound;
    let form = form.map(|n| others.swap_remove(n));
    Ok(Found { form, schedule, allocation, lower_bound })
}

/// One attempt.
struct Choice {
    schedule: Schedule,
    allocation: Option<Allocation>,
    cost: f64,
}

impl Choice {
    /// The limits on values under which another attempt could give something better: none changes anything from
    /// `unreached` on, and none above the registers saves one. Clause temporaries hold values beside the registers, but
    /// where registers are few, what they hold is hardly ever what a limit would save: of 1,000 attempts with limits
    /// above these, 6 were better.
    fn useful_limits(&self, unreached: u32) -> Range<u32> {
        let above = self.allocation.as_ref().map_or(u32::MAX, |found| {
            let gprs = u32::from(found.num_gprs);
            gprs + if gprs < FEW_REGISTERS { 0 } else { TEMPORARIES } + 1
        });
        0..unreached.min(above)
    }
}

/// How long a schedule is.
#[derive(Clone, Copy)]
struct Length {
    /// Groups that run.
    num_run: usize,
    num_units: usize,
}

/// The search for one function.
struct Search<'a> {
    machine: &'a Function,
    scheduler: Scheduler<'a>,
    lower_bound: usize,
    /// How often each block runs.
    frequencies: Frequencies,
    /// Groups that run at the least.
    fewest_run: usize,
    /// [Units](Schedule::num_units) at the least.
    fewest_units: usize,
    /// Registers that the program has in any case.
    delivered: u8,
    allocating: &'a Stopwatch,
}

impl<'a> Search<'a> {
    fn new(machine: &'a Function, delivered: u8, allocating: &'a Stopwatch) -> Self {
        let scheduler = Scheduler::new(machine);
        let lower_bound = scheduler.lower_bound();
        let frequencies = Frequencies::of(machine);
        let fewest_run = frequencies.total(|block| scheduler.lower_bound_of(block));
        let ops = machine.blocks.values().flatten();
        let fewest_units = ops.map(|&op| fewest_units(&machine.ops[op])).sum();
        Self {
            machine,
            scheduler,
            lower_bound,
            frequencies,
            fewest_run,
            fewest_units,
            delivered,
            allocating,
        }
    }

    fn attempt(&self, options: &Options) -> Result<Choice, Stop> {
        Ok(self.with_registers(self.scheduler.run(options).map_err(unscheduled)?))
    }

    fn with_registers(&self, schedule: Schedule) -> Choice {
        let length = self.length(&schedule);
        self.allocated(schedule, length)
    }

    fn allocated(&self, schedule: Schedule, length: Length) -> Choice {
        let allocation = self.allocating.time(|| allocation_of(self.machine, &schedule));
        // A schedule that needs more registers than there are is worst.
        let cost = allocation.as_ref().map(|found| self.cost(length, found.num_gprs));
        Choice { schedule, allocation, cost: cost.unwrap_or(f64::INFINITY) }
    }

    /// The better of `best` and another schedule, which gets registers only where it could be better with the fewest.
    fn better(&self, best: Choice, schedule: Schedule) -> Choice {
        let length = self.length(&schedule);
        if self.cost(length, 0) >= best.cost {
            return best;
        }
        let next = self.allocated(schedule, length);
        if next.cost < best.cost { next } else { best }
    }

    /// Groups of a schedule that run.
    fn num_run(&self, schedule: &Schedule) -> usize {
        self.frequencies.total(|block| schedule.num_groups_of(block))
    }

    fn length(&self, schedule: &Schedule) -> Length {
        Length { num_run: self.num_run(schedule), num_units: schedule.num_units() }
    }

    /// What a schedule costs that takes `num_gprs` registers.
    fn cost(&self, length: Length, num_gprs: u8) -> f64 {
        let log = |count: usize| ((count + 1) as f64).ln();
        log(length.num_run)
            + REGISTER_WEIGHT * log(usize::from(num_gprs.max(self.delivered)))
            + SIZE_WEIGHT * log(length.num_units)
    }

    /// Whether no schedule has fewer groups, or registers that count.
    fn is_best(&self, choice: &Choice) -> bool {
        self.is_shortest(choice) && self.has_fewest_registers(choice)
    }

    /// Whether no schedule has fewer groups that run.
    fn is_shortest(&self, choice: &Choice) -> bool {
        self.num_run(&choice.schedule) <= self.fewest_run
    }

    fn has_fewest_registers(&self, choice: &Choice) -> bool {
        let has_fewest =
            |found: &Allocation| found.num_gprs <= self.delivered.max(FEWEST_REGISTERS);
        choice.allocation.as_ref().is_some_and(has_fewest)
    }

    /// An attempt for which another may stand in: `None` unless it costs less than `cost`.
    fn possible(&self, options: &Options, cost: f64) -> Result<Option<Choice>, Stop> {
        let limit = self.limit(self.most_run(cost));
        let schedule = self.unless_impossible(self.scheduler.run_within(limit, None, options))?;
        let choice = schedule.map(|schedule| self.with_registers(schedule));
        Ok(choice.filter(|choice| choice.cost < cost))
    }

    /// At the most so many groups that run.
    fn limit(&self, most: usize) -> GroupLimit<'_> {
        GroupLimit { times: self.frequencies.times(), most }
    }

    /// No schedule that costs less than `cost` has more groups that run.
    fn most_run(&self, cost: f64) -> usize {
        let fewest = Length { num_run: 0, num_units: self.fewest_units };
        // The logarithm of that many and one more, which rounding shall not make too few.
        (cost - self.cost(fewest, FEWEST_REGISTERS)).exp().ceil() as usize
    }

    /// A schedule for which another may stand in: `None` where it is too long, or where the registers of a reduction came
    /// to lie in channels that no group reads together.
    fn unless_impossible(
        &self,
        schedule: Result<Schedule, SchedError>,
    ) -> Result<Option<Schedule>, Stop> {
        match schedule {
            Ok(schedule) => Ok(Some(schedule)),
            Err(SchedError::TooLong) => Ok(None),
            Err(SchedError::Impossible(op)) if is_reduction(self.machine, op) => Ok(None),
            Err(why) => Err(unscheduled(why).into()),
        }
    }

    /// `best`, or what it becomes where operations come later, if that is cheaper.
    fn sunk(&self, best: Choice) -> Choice {
        if self.has_fewest_registers(&best) {
            return best;
        }
        let mut schedule = best.schedule.clone();
        if !self.scheduler.sink(&mut schedule) {
            return best;
        }
        self.better(best, schedule)
    }

    /// The better of `best` and another attempt.
    fn improve(&self, best: Choice, options: &Options) -> Result<Choice, Stop> {
        let most = self.most_run(best.cost);
        self.improve_within(most, best, None, options)
    }

    /// The better of `best` and another attempt, which shall have fewer groups that run.
    fn shorten(
        &self,
        best: Choice,
        order: Option<&Order>,
        options: &Options,
    ) -> Result<Choice, Stop> {
        let most = self.num_run(&best.schedule).saturating_sub(1);
        self.improve_within(most, best, order, options)
    }

    fn improve_within(
        &self,
        most: usize,
        best: Choice,
        order: Option<&Order>,
        options: &Options,
    ) -> Result<Choice, Stop> {
        let next = self.scheduler.run_within(self.limit(most), order, options);
        Ok(match self.unless_impossible(next)? {
            Some(next) => self.better(best, next),
            None => best,
        })
    }

    /// How the first attempt is made.
    fn first_options(&self) -> &'static Options {
        if self.machine.ops.len() < LARGE { &Options::SHORT } else { &FIRST_OF_LARGE }
    }

    /// The cheapest of the `first` attempt and others.
    fn cheapest(&self, first: Choice) -> Result<Choice, Stop> {
        match self.machine.ops.len() {
            HUGE.. => self.cheapest_of_large(first, &[]),
            LARGE.. => self.cheapest_of_large(first, &OTHERS_OF_LARGE),
            _ => self.cheapest_of_small(first),
        }
    }

    fn cheapest_of_small(&self, first: Choice) -> Result<Choice, Stop> {
        let best = self.cheapest_with(self.refined(first)?, &LIMITED)?;
        restarts::shorten(self, best)
    }

    /// The better of `first` and an attempt in the order that follows from it.
    fn refined(&self, first: Choice) -> Result<Choice, Stop> {
        if self.is_shortest(&first) {
            return Ok(first);
        }
        let order = self.scheduler.order_after(&first.schedule);
        self.shorten(first, Some(&order), &Options::SHORT)
    }

    fn cheapest_of_large(&self, first: Choice, others: &[Options]) -> Result<Choice, Stop> {
        let mut best = self.cheapest_with(first, others)?;
        if self.frequencies.has_loops() {
            // What an iteration saves is saved often: it is worth an attempt more.
            best = self.refined(best)?;
        }
        if self.num_run(&best.schedule) as f64 > ACCEPTABLE * self.fewest_run as f64 {
            return self.improve(best, &Options::SHORT);
        }
        Ok(best)
    }

    /// The best of `first` and those of `others` whose limits could make a difference.
    fn cheapest_with(&self, first: Choice, others: &[Options]) -> Result<Choice, Stop> {
        let unreached = first.schedule.unreached_limit;
        others.iter().try_fold(first, |best, options| {
            let useful = best.useful_limits(unreached);
            let could_help = options.pressure.is_some_and(|limit| useful.contains(&limit));
            if could_help && !self.is_best(&best) { self.improve(best, options) } else { Ok(best) }
        })
    }
}

/// [Units](Schedule::num_units) that an operation takes at the least.
fn fewest_units(op: &Op) -> usize {
    match op {
        Op::Fetch(_) => 2,
        Op::Export(_) | Op::Memory(_) | Op::Event(_) => 0,
        _ => 1,
    }
}

fn is_reduction(machine: &Function, op: OpId) -> bool {
    matches!(machine.ops[op], Op::Reduction(_))
}

fn unscheduled(why: SchedError) -> Broken {
    Broken::new("machine IR", why)
}

fn allocation_of(machine: &Function, schedule: &Schedule) -> Option<Allocation> {
    allocate(machine, &flow_of(machine, schedule), &schedule.chans).ok()
}
