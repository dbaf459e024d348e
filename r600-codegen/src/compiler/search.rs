//! The search for the best schedule.
//!
//! Code length and register count affect each other in ways that no fixed priority foresees. So each function is
//! scheduled several times, each time with a different register pressure at which ending a value takes priority over
//! starting one. The schedule with the lowest cost, registers included, is taken.

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

/// An attempt that ends values before starting new ones once `pressure` values are live in one channel.
const fn limited(pressure: u32, urgency: Urgency) -> Options {
    Options::SHORT.pressure(Some(pressure)).urgency(urgency)
}

/// Further attempts after one without a limit. Most shaders are small and need the fewest registers under the lowest
/// limits.
const LIMITED: [Options; 5] = [
    limited(1, Urgency::Height),
    limited(3, Urgency::Height),
    limited(8, Urgency::Height),
    limited(2, Urgency::ScarceFirst),
    limited(4, Urgency::ScarceFirst),
];

/// The first attempt for a large function, where attempts are slow. One without a limit is hardly ever best.
const FIRST_OF_LARGE: Options = limited(12, Urgency::Height);

/// Further attempts for functions that are large but not huge.
const OTHERS_OF_LARGE: [Options; 1] = [limited(6, Urgency::Height)];

/// Number of operations from which a function is large.
const LARGE: usize = 300;

/// Number of operations from which a function is huge. A few such shaders take most of the time of a shader library.
const HUGE: usize = 1500;

/// A large function is tried without a limit if its schedule exceeds this multiple of the fewest groups.
const ACCEPTABLE: f64 = 1.2;

/// Values that clause temporaries hold in addition to counted registers.
const TEMPORARIES: u32 = 2;

/// Number of registers below which clause temporaries matter little.
const FEW_REGISTERS: u32 = 6;

/// The fewest registers of any program that computes something.
const FEWEST_REGISTERS: u8 = 1;

/// The cost of a tenth more registers, in tenths more groups. Fewer registers let more waves run, which hides fetch
/// latency, but each group is certain to take time.
const REGISTER_WEIGHT: f64 = 0.17;

/// The cost of a tenth more words, likewise: they fill the instruction cache.
const SIZE_WEIGHT: f64 = 0.2;

/// A schedule, its registers and the lower bound on its groups.
pub(super) struct Found {
    /// The form of the function that was scheduled; `None` for the original.
    pub(super) form: Option<Function>,
    pub(super) schedule: Schedule,
    /// `None` if the values do not fit in the registers.
    pub(super) allocation: Option<Allocation>,
    pub(super) lower_bound: usize,
}

/// Freedoms of the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Freedom {
    /// Whether operations may share groups.
    pub(super) packs: bool,
    /// Whether sums may be formed in another order.
    pub(super) reorders_sums: bool,
    /// The most randomised attempts.
    pub(super) restarts: u32,
}

/// The cheapest schedule found for a program with `delivered` preloaded registers. `allocating` measures the time of
/// register allocation.
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
        // Most useless attempts are ruled out by their slots alone, without building a graph.
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
    /// The limits under which another attempt could improve the result. From `unreached` on a limit changes nothing,
    /// and above the registers it saves none. Clause temporaries hold further values, but where registers are few,
    /// these rarely are what a limit would save: of 1,000 attempts with limits above this range, 6 were better.
    fn useful_limits(&self, unreached: u32) -> Range<u32> {
        let above = self.allocation.as_ref().map_or(u32::MAX, |found| {
            let gprs = u32::from(found.num_gprs);
            gprs + if gprs < FEW_REGISTERS { 0 } else { TEMPORARIES } + 1
        });
        0..unreached.min(above)
    }
}

/// The length of a schedule.
#[derive(Clone, Copy)]
struct Length {
    /// Groups executed.
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
    /// Lower bound on the groups executed.
    fewest_run: usize,
    /// Lower bound on [units](Schedule::num_units).
    fewest_units: usize,
    /// Number of preloaded registers.
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
        // A schedule that does not fit in the registers is worst.
        let cost = allocation.as_ref().map(|found| self.cost(length, found.num_gprs));
        Choice { schedule, allocation, cost: cost.unwrap_or(f64::INFINITY) }
    }

    /// The better of `best` and another schedule. Registers are allocated only if it could win with the fewest.
    fn better(&self, best: Choice, schedule: Schedule) -> Choice {
        let length = self.length(&schedule);
        if self.cost(length, 0) >= best.cost {
            return best;
        }
        let next = self.allocated(schedule, length);
        if next.cost < best.cost { next } else { best }
    }

    /// Groups of a schedule that are executed.
    fn num_run(&self, schedule: &Schedule) -> usize {
        self.frequencies.total(|block| schedule.num_groups_of(block))
    }

    fn length(&self, schedule: &Schedule) -> Length {
        Length { num_run: self.num_run(schedule), num_units: schedule.num_units() }
    }

    /// The cost of a schedule with `num_gprs` registers.
    fn cost(&self, length: Length, num_gprs: u8) -> f64 {
        let log = |count: usize| ((count + 1) as f64).ln();
        log(length.num_run)
            + REGISTER_WEIGHT * log(usize::from(num_gprs.max(self.delivered)))
            + SIZE_WEIGHT * log(length.num_units)
    }

    /// Whether no schedule has fewer groups or fewer counted registers.
    fn is_best(&self, choice: &Choice) -> bool {
        self.is_shortest(choice) && self.has_fewest_registers(choice)
    }

    /// Whether no schedule executes fewer groups.
    fn is_shortest(&self, choice: &Choice) -> bool {
        self.num_run(&choice.schedule) <= self.fewest_run
    }

    fn has_fewest_registers(&self, choice: &Choice) -> bool {
        let has_fewest =
            |found: &Allocation| found.num_gprs <= self.delivered.max(FEWEST_REGISTERS);
        choice.allocation.as_ref().is_some_and(has_fewest)
    }

    /// An optional attempt: `None` unless it costs less than `cost`.
    fn possible(&self, options: &Options, cost: f64) -> Result<Option<Choice>, Stop> {
        let limit = self.limit(self.most_run(cost));
        let schedule = self.unless_impossible(self.scheduler.run_within(limit, None, options))?;
        let choice = schedule.map(|schedule| self.with_registers(schedule));
        Ok(choice.filter(|choice| choice.cost < cost))
    }

    /// A limit of `most` executed groups.
    fn limit(&self, most: usize) -> GroupLimit<'_> {
        GroupLimit { times: self.frequencies.times(), most }
    }

    /// Upper bound on the groups executed by schedules that cost less than `cost`.
    fn most_run(&self, cost: f64) -> usize {
        let fewest = Length { num_run: 0, num_units: self.fewest_units };
        // The cost is the logarithm of the count plus one. That one is not subtracted here, so rounding loses no group.
        (cost - self.cost(fewest, FEWEST_REGISTERS)).exp().ceil() as usize
    }

    /// The schedule of an optional attempt: `None` if it is too long, or if the registers of a reduction lie in
    /// channels that no group can read together.
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

    /// `best`, or the result of sinking its operations, if that is cheaper.
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

    /// The better of `best` and another attempt that must execute fewer groups.
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

    /// The cheapest of the `first` attempt and further ones.
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

    /// The better of `first` and an attempt whose order is derived from it.
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
            // A group saved in a loop is saved in every iteration, so another attempt is worth it.
            best = self.refined(best)?;
        }
        if self.num_run(&best.schedule) as f64 > ACCEPTABLE * self.fewest_run as f64 {
            return self.improve(best, &Options::SHORT);
        }
        Ok(best)
    }

    /// The best of `first` and of those in `others` whose limits could make a difference.
    fn cheapest_with(&self, first: Choice, others: &[Options]) -> Result<Choice, Stop> {
        let unreached = first.schedule.unreached_limit;
        others.iter().try_fold(first, |best, options| {
            let useful = best.useful_limits(unreached);
            let could_help = options.pressure.is_some_and(|limit| useful.contains(&limit));
            if could_help && !self.is_best(&best) { self.improve(best, options) } else { Ok(best) }
        })
    }
}

/// Lower bound on the [units](Schedule::num_units) of an operation.
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
