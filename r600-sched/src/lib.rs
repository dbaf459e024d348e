#![doc = include_str!("../README.md")]
//!
//! # Invariants
//! - Groups obey every hardware rule before allocation. Registers of one channel that are read together are live
//!   together, so they get distinct GPRs, and read ports can be checked without GPR numbers.
//! - Nothing here knows TGSI.

mod accesses;
mod backwards;
mod bits;
mod block;
mod bound;
mod candidates;
mod check;
mod clause;
mod demand;
mod dependences;
mod deps;
mod facts;
mod fetches;
mod group;
mod kcache;
mod list;
mod print;
mod priority;
mod progress;
mod ranks;
mod ready;
mod registers;
mod schedule;
mod sink;
mod slots;
mod sums;

use thiserror::Error;

pub use bound::fewest_by_slots;
pub use check::{CheckError, check};
pub use dependences::{Dependence, Dependences};
pub use fetches::FetchUnit;
pub use list::{GroupLimit, Order, Scheduler};
pub use print::ScheduleText;
pub use schedule::{
    AluClause, Clause, Group, Placed, PlacedDst, PlacedSel, PlacedSrc, Schedule, inline_constant,
    literal,
};

/// The priority among operations that are ready.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Urgency {
    /// Longest path to the end of the block first; under register pressure, program order.
    #[default]
    Height,
    /// Operations that only the trans slot can execute first, then the longest path to the end of the block, also under
    /// register pressure.
    ScarceFirst,
}

/// How to schedule. The default minimises code length and ignores registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Whether operations share groups; if not, each gets its own.
    pub pack: bool,
    /// Number of live values in one channel from which ending values takes priority over starting new ones; `None` to
    /// minimise code length and ignore registers.
    pub pressure: Option<u32>,
    /// Number of operations considered, from the first unscheduled one; `None` for the whole block. A small window
    /// keeps live ranges close to those of program order.
    pub window: Option<u32>,
    /// The priority of operations. Under register pressure, operations that end values come first.
    pub urgency: Urgency,
    /// Seed of the noise added to priorities; `None` for no noise. Each seed orders operations of similar priority
    /// differently.
    pub noise: Option<u32>,
}

impl Options {
    /// Minimises code length and ignores registers.
    pub const SHORT: Self =
        Self { pack: true, pressure: None, window: None, urgency: Urgency::Height, noise: None };

    /// The same options, with several operations or one per group.
    #[must_use]
    pub const fn pack(mut self, pack: bool) -> Self {
        self.pack = pack;
        self
    }

    /// The same options, with another pressure limit.
    #[must_use]
    pub const fn pressure(mut self, pressure: Option<u32>) -> Self {
        self.pressure = pressure;
        self
    }

    /// The same options, with another window.
    #[must_use]
    pub const fn window(mut self, window: Option<u32>) -> Self {
        self.window = window;
        self
    }

    /// The same options, with another priority.
    #[must_use]
    pub const fn urgency(mut self, urgency: Urgency) -> Self {
        self.urgency = urgency;
        self
    }

    /// The same options, with another noise seed.
    #[must_use]
    pub const fn noise(mut self, noise: Option<u32>) -> Self {
        self.noise = noise;
        self
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::SHORT
    }
}

/// Why code cannot be scheduled: an error in the machine IR.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SchedError {
    /// The chip lacks an operation.
    #[error("the chip has no {}", .0.name())]
    Unsupported(r600_isa::AluOp),
    /// An operation does not fit into a group even alone.
    #[error("{0} fits no group")]
    Impossible(r600_mir::OpId),
    /// No remaining operation is ready.
    #[error("no remaining operation of {0} is ready")]
    Stuck(r600_mir::Block),
    /// The schedule exceeds its limit of groups.
    #[error("the schedule has more groups than it may")]
    TooLong,
    /// The other members of its vector occupy all channels.
    #[error("{0} finds no free channel in its vector")]
    NoChannel(r600_mir::VReg),
    /// A register is read, or counted as live, before its channel is known.
    #[error("{0} is read before its channel is settled")]
    Unsettled(r600_mir::VReg),
    /// A register has more reads than were counted.
    #[error("{0} has more reads than were counted")]
    Miscounted(r600_mir::VReg),
}

/// Schedules `function`.
///
/// # Errors
/// An operation that the chip lacks or that cannot be placed.
pub fn schedule(function: &r600_mir::Function, options: &Options) -> Result<Schedule, SchedError> {
    Scheduler::new(function).run(options)
}
