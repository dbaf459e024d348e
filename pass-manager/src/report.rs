//! Reports of runs.

use std::time::Duration;

use crate::{AnalysisId, PassId};

/// What one run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// One entry for each planned run of a pass, skipped ones included, in execution order.
    pub passes: Vec<PassReport>,
    /// The requested analyses, in the order of their first request.
    pub analyses: Vec<AnalysisReport>,
}

impl Report {
    /// The total time of all passes and analyses.
    pub fn total(&self) -> Duration {
        let passes = self.passes.iter().map(|pass| pass.time);
        passes.chain(self.analyses.iter().map(|analysis| analysis.time)).sum()
    }

    /// How many runs changed their form.
    pub fn num_changes(&self) -> usize {
        self.passes.iter().filter(|pass| pass.outcome == Outcome::Changed).count()
    }
}

/// What one run of a pass did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PassReport {
    /// The pass.
    pub id: PassId,
    /// Time of the pass alone: it excludes dumps, verification, analyses and time charged to other passes, and includes
    /// time that others charged to it.
    pub time: Duration,
    /// [`Form::size`](crate::Form::size) before.
    pub before: usize,
    /// The size after; for a step, the size of the next form.
    pub after: usize,
    /// Rewrites that it made.
    pub rewrites: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// The passes of a fixpoint, all rounds together.
    pub members: Vec<MemberReport>,
}

/// What a pass did in all rounds of a fixpoint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MemberReport {
    /// The pass.
    pub id: PassId,
    /// How often it ran.
    pub runs: u32,
    /// Time that it took.
    pub time: Duration,
    /// Rewrites that it made.
    pub rewrites: u64,
}

/// The requests for one analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysisReport {
    /// The analysis.
    pub id: AnalysisId,
    /// How often it was computed.
    pub num_computed: u32,
    /// How often a cached result was used.
    pub num_reused: u32,
    /// Time that it took.
    pub time: Duration,
}

impl AnalysisReport {
    pub(crate) fn new(id: AnalysisId) -> Self {
        Self { id, num_computed: 0, num_reused: 0, time: Duration::ZERO }
    }
}

/// How the run of a pass ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It changed its form, or made the next.
    Changed,
    /// It found nothing to change.
    Unchanged,
    /// It was skipped: nothing has changed since its last run.
    Fresh,
    /// It is optional and fuel had run out.
    OutOfFuel,
}
