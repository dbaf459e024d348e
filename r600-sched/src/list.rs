//! Schedules the blocks of a function in order.

use cranelift_entity::SecondaryMap;

use crate::backwards;
use crate::block::{BlockScheduler, Context};
use crate::bound::lower_bound;
use crate::deps::{Graph, LastAccesses};
use crate::facts::{RegisterFacts, of_all};
use crate::group::GroupRules;
use crate::ranks::Ranks;
use crate::registers::{RegisterState, Registers};
use crate::schedule::{Clause, Schedule};
use crate::sink::sink;
use crate::{Options, SchedError};
use r600_mir::{Block, Function, OpId};

/// A function with its analyses for scheduling.
#[derive(Debug)]
pub struct Scheduler<'a> {
    function: &'a Function,
    facts: RegisterFacts,
    /// The registers' state before scheduling.
    start: Result<RegisterState, SchedError>,
    graphs: SecondaryMap<Block, Graph>,
    /// Lower bound on the groups of each block.
    bounds: SecondaryMap<Block, usize>,
}

/// A limit on the groups of a schedule.
#[derive(Clone, Copy, Debug)]
pub struct GroupLimit<'a> {
    /// Weight of each block's groups, such as the number of times it runs.
    pub times: &'a SecondaryMap<Block, usize>,
    /// The largest weighted number of groups.
    pub most: usize,
}

/// The remaining part of a limit.
struct Room<'a> {
    limit: GroupLimit<'a>,
    /// Weighted number of groups of scheduled blocks, plus the lower bounds of the others.
    taken: usize,
}

impl<'a> Room<'a> {
    fn new(limit: GroupLimit<'a>, bounds: &SecondaryMap<Block, usize>) -> Self {
        let taken = bounds.iter().map(|(block, bound)| limit.times[block] * bound).sum();
        Self { limit, taken }
    }

    /// The most groups that `block` may have; its lower bound is `bound`.
    fn of_block(&self, block: Block, bound: usize) -> Result<usize, SchedError> {
        let times = self.limit.times[block];
        let others = self.taken - times * bound;
        let left = self.limit.most.checked_sub(others).ok_or(SchedError::TooLong)?;
        Ok(left.checked_div(times).unwrap_or(usize::MAX))
    }

    /// Records that `block` has `num_groups` instead of `bound`.
    fn note(&mut self, block: Block, bound: usize, num_groups: usize) {
        let times = self.limit.times[block];
        self.taken = self.taken - times * bound + times * num_groups;
    }
}

/// An order of urgency for a function.
#[derive(Debug)]
pub struct Order {
    ranks: SecondaryMap<Block, Ranks>,
}

impl<'a> Scheduler<'a> {
    /// Analyses the dependences of `function`.
    pub fn new(function: &'a Function) -> Self {
        let mut last = LastAccesses::none(function);
        let mut graphs = SecondaryMap::with_capacity(function.blocks.len());
        let mut bounds = SecondaryMap::with_capacity(function.blocks.len());
        for (block, ops) in &function.blocks {
            graphs[block] = Graph::build(function, ops, &mut last);
            bounds[block] = lower_bound(function, block, &graphs[block]);
        }
        let facts = RegisterFacts::of(function);
        let start = RegisterState::at_start(function, &facts);
        Self { function, facts, start, graphs, bounds }
    }

    /// Lower bound on the function's groups: for each block, the larger bound from its slots and from its longest chain
    /// of dependent operations.
    pub fn lower_bound(&self) -> usize {
        self.function.blocks.keys().map(|block| self.lower_bound_of(block)).sum()
    }

    /// Lower bound on the groups of a block.
    pub fn lower_bound_of(&self, block: Block) -> usize {
        self.bounds[block]
    }

    /// The order of urgency in which each operation of `schedule` is as late as room allows. Scheduling in this order
    /// often yields a better schedule.
    pub fn order_after(&self, schedule: &Schedule) -> Order {
        let function = self.function;
        let mut ranks = SecondaryMap::with_capacity(function.blocks.len());
        let mut time_of: SecondaryMap<OpId, u32> = SecondaryMap::with_capacity(function.ops.len());
        for (block, ops) in &function.blocks {
            backwards::note_times(&schedule.blocks[block], &mut time_of);
            let times: Vec<u32> = ops.iter().map(|&op| time_of[op]).collect();
            ranks[block] = backwards::ranks(function, ops, &self.graphs[block], &times);
        }
        Order { ranks }
    }

    /// Sinks operations of a schedule to save registers; true if any moved.
    pub fn sink(&self, schedule: &mut Schedule) -> bool {
        sink(self.function, &self.facts, schedule)
    }

    /// Schedules the function.
    ///
    /// # Errors
    /// An operation that the chip lacks or that cannot be placed.
    pub fn run(&self, options: &Options) -> Result<Schedule, SchedError> {
        self.run_by(options, None, None)
    }

    /// As [`run`](Self::run), but with `order` replacing the options' order of urgency if given, and failing if the
    /// schedule exceeds `limit`.
    ///
    /// # Errors
    /// As [`run`](Self::run), and [`SchedError::TooLong`].
    pub fn run_within(
        &self,
        limit: GroupLimit<'_>,
        order: Option<&Order>,
        options: &Options,
    ) -> Result<Schedule, SchedError> {
        self.run_by(options, order, Some(Room::new(limit, &self.bounds)))
    }

    fn run_by(
        &self,
        options: &Options,
        order: Option<&Order>,
        mut room: Option<Room<'_>>,
    ) -> Result<Schedule, SchedError> {
        let cx = Context {
            function: self.function,
            facts: &self.facts,
            options,
            generation: self.function.chip.generation(),
            rules: GroupRules::of(self.function),
        };
        let mut registers = Registers::new(self.function, &self.facts, self.start.clone()?);
        registers.count_ends(options.pressure.is_some());
        let mut unforwarded = of_all(self.function);
        let mut blocks: SecondaryMap<Block, Vec<Clause>> =
            SecondaryMap::with_capacity(self.function.blocks.len());
        for block in self.function.blocks.keys() {
            let graph = &self.graphs[block];
            let noisy = options.noise.map(|seed| graph.noisy_ranks(seed));
            let own = noisy.as_ref().unwrap_or_else(|| graph.ranks(options.urgency));
            let ranks = order.map_or(own, |order| &order.ranks[block]);
            let bound = self.bounds[block];
            let most = room.as_ref().map(|room| room.of_block(block, bound)).transpose()?;
            let mut scheduler =
                BlockScheduler::new(&cx, &mut registers, &mut unforwarded, block, (graph, ranks));
            if let Some(most) = most {
                scheduler.keep_within(most);
            }
            let clauses = scheduler.run()?;
            if let Some(room) = &mut room {
                room.note(block, bound, clauses.iter().map(Clause::num_groups).sum());
            }
            blocks[block] = clauses;
        }
        let unreached_limit = registers.unreached_limit();
        Ok(Schedule { blocks, chans: registers.into_chans()?, unreached_limit })
    }
}
