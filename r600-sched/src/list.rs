//! Schedules the blocks of a function one after the other.

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

/// A function with what is known of it before scheduling.
#[derive(Debug)]
pub struct Scheduler<'a> {
    function: &'a Function,
    facts: RegisterFacts,
    /// The registers before anything is scheduled.
    start: Result<RegisterState, SchedError>,
    graphs: SecondaryMap<Block, Graph>,
}

/// An order of urgency for a function.
#[derive(Debug)]
pub struct Order {
    ranks: SecondaryMap<Block, Ranks>,
}

impl<'a> Scheduler<'a> {
    /// Finds the dependences of `function`.
    pub fn new(function: &'a Function) -> Self {
        let mut last = LastAccesses::none(function);
        let mut graphs = SecondaryMap::with_capacity(function.blocks.len());
        for (block, ops) in &function.blocks {
            graphs[block] = Graph::build(function, ops, &mut last);
        }
        let facts = RegisterFacts::of(function);
        let start = RegisterState::at_start(function, &facts);
        Self { function, facts, start, graphs }
    }

    /// Groups that the function needs at the least: for each block, as many as its slots fill or as its
    /// longest chain of dependent operations has.
    pub fn lower_bound(&self) -> usize {
        self.function.blocks.keys().map(|block| self.lower_bound_of(block)).sum()
    }

    /// Groups that a block needs at the least.
    pub fn lower_bound_of(&self, block: Block) -> usize {
        lower_bound(self.function, &self.function.blocks[block], &self.graphs[block])
    }

    /// The order of urgency in which the operations of `schedule` come as late as they can, each as late as there is
    /// room for it. What a schedule by this order does with the room is often better.
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

    /// Lets operations of a schedule of the function come later where that saves registers; says whether any does.
    pub fn sink(&self, schedule: &mut Schedule) -> bool {
        sink(self.function, &self.facts, schedule)
    }

    /// Schedules the function.
    ///
    /// # Errors
    /// When an operation does not exist on the chip or cannot be placed.
    pub fn run(&self, options: &Options) -> Result<Schedule, SchedError> {
        self.run_by(options, None)
    }

    /// As [`run`](Self::run), in another order of urgency than the options say.
    ///
    /// # Errors
    /// As [`run`](Self::run).
    pub fn run_in(&self, order: &Order, options: &Options) -> Result<Schedule, SchedError> {
        self.run_by(options, Some(order))
    }

    fn run_by(&self, options: &Options, order: Option<&Order>) -> Result<Schedule, SchedError> {
        let cx = Context {
            function: self.function,
            facts: &self.facts,
            options,
            generation: self.function.chip.generation(),
            rules: GroupRules::of(self.function),
        };
        let mut registers = Registers::new(self.function, &self.facts, self.start.clone()?);
        let mut unforwarded = of_all(self.function);
        let mut blocks: SecondaryMap<Block, Vec<Clause>> =
            SecondaryMap::with_capacity(self.function.blocks.len());
        for block in self.function.blocks.keys() {
            let graph = &self.graphs[block];
            let noisy = options.noise.map(|seed| graph.noisy_ranks(seed));
            let own = noisy.as_ref().unwrap_or_else(|| graph.ranks(options.urgency));
            let ranks = order.map_or(own, |order| &order.ranks[block]);
            let scheduler =
                BlockScheduler::new(&cx, &mut registers, &mut unforwarded, block, (graph, ranks));
            blocks[block] = scheduler.run()?;
        }
        let unreached_limit = registers.unreached_limit();
        Ok(Schedule { blocks, chans: registers.into_chans()?, unreached_limit })
    }
}
