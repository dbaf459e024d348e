//! What a run did.

use std::time::Duration;

use crate::{Changed, PassId};

/// What one run did, pass by pass, in the order of execution.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// One entry a pass, also for skipped ones.
    pub passes: Vec<PassReport>,
}

impl Report {
    /// The time that all passes took together.
    pub fn total(&self) -> Duration {
        self.passes.iter().map(|pass| pass.time).sum()
    }

    /// How many passes changed the unit.
    pub fn num_changes(&self) -> usize {
        self.passes.iter().filter(|pass| pass.outcome == Outcome::Ran(Changed::Yes)).count()
    }
}

/// What one pass did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassReport {
    /// The pass.
    pub id: PassId,
    /// Wall time of the pass alone, without dump and verification.
    pub time: Duration,
    /// [`Unit::size`](crate::Unit::size) before.
    pub before: usize,
    /// [`Unit::size`](crate::Unit::size) after.
    pub after: usize,
    /// Whether it ran and changed anything.
    pub outcome: Outcome,
}

/// How a pass ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It ran.
    Ran(Changed),
    /// It is optional and the run's fuel was spent.
    OutOfFuel,
}
