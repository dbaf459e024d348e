#![doc = include_str!("../README.md")]
//!
//! # Invariants
//! - A group keeps every rule of the hardware already here: two registers of one channel that are read
//!   together are live together, so they will be two GPRs, and read ports can be checked without numbers.
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

/// Which of the operations come first that could come next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Urgency {
    /// Those with the longest way to the end of their block; while registers are short, the first of the program.
    #[default]
    Height,
    /// Those that only the trans slot takes, and then those with the longest way to the end of their block; also
    /// while registers are short.
    ScarceFirst,
}

/// How to schedule; by default for short code, whatever registers it takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Whether operations share groups; otherwise each has its own.
    pub pack: bool,
    /// Values in one channel from which on values end before new ones begin; `None` for short code whatever
    /// registers it takes.
    pub pressure: Option<u32>,
    /// How many operations from the first that is not scheduled are looked at; `None` is the whole block. A
    /// small window keeps values from living much longer than in program order.
    pub window: Option<u32>,
    /// What comes first. While registers are short, what ends values comes before all others.
    pub urgency: Urgency,
    /// Where noise on the order of urgency begins; `None` for none. What is nearly as urgent then comes in another
    /// order with each number.
    pub noise: Option<u32>,
}

impl Options {
    /// For short code, whatever registers it takes.
    pub const SHORT: Self =
        Self { pack: true, pressure: None, window: None, urgency: Urgency::Height, noise: None };

    /// The same with operations that share groups, or that have one each.
    #[must_use]
    pub const fn pack(mut self, pack: bool) -> Self {
        self.pack = pack;
        self
    }

    /// The same with another number of values from which on registers are short.
    #[must_use]
    pub const fn pressure(mut self, pressure: Option<u32>) -> Self {
        self.pressure = pressure;
        self
    }

    /// The same with another window.
    #[must_use]
    pub const fn window(mut self, window: Option<u32>) -> Self {
        self.window = window;
        self
    }

    /// The same with another order of urgency.
    #[must_use]
    pub const fn urgency(mut self, urgency: Urgency) -> Self {
        self.urgency = urgency;
        self
    }

    /// The same with other noise.
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

/// Why code cannot be scheduled: a mistake in the machine IR.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SchedError {
    /// The generation lacks an operation.
    #[error("the chip has no {}", .0.name())]
    Unsupported(r600_isa::AluOp),
    /// An operation fits no group, not even alone.
    #[error("{0} fits no group")]
    Impossible(r600_mir::OpId),
    /// Operations are left of which none is ready.
    #[error("no remaining operation of {0} is ready")]
    Stuck(r600_mir::Block),
    /// The schedule comes to more groups than its limit.
    #[error("the schedule has more groups than it may")]
    TooLong,
    /// The other members of its vector take all channels.
    #[error("{0} finds no free channel in its vector")]
    NoChannel(r600_mir::VReg),
    /// A register is read, or counted as live, before anything settles its channel.
    #[error("{0} is read before its channel is settled")]
    Unsettled(r600_mir::VReg),
    /// A register is read more often than its reads were counted.
    #[error("{0} has more reads than were counted")]
    Miscounted(r600_mir::VReg),
}

/// Schedules `function`.
///
/// # Errors
/// When an operation does not exist on the chip or cannot be placed.
pub fn schedule(function: &r600_mir::Function, options: &Options) -> Result<Schedule, SchedError> {
    Scheduler::new(function).run(options)
}
