//! What a run did.

use std::time::Duration;

use crate::{AnalysisId, PassId};

/// What one run did.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// One entry for each planned run of a pass, also for skipped ones, in the order of execution.
    pub passes: Vec<PassReport>,
    /// The analyses that were asked for, in the order in which they first were.
    pub analyses: Vec<AnalysisReport>,
}

impl Report {
    /// The time that all passes and analyses took together.
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
    /// Time of the pass alone: without dump and verification, without analyses, and without what it charged to other
    /// passes; with what others charged to it.
    pub time: Duration,
    /// [`Form::size`](crate::Form::size) before.
    pub before: usize,
    /// The size after, of the next form where the pass makes one.
    pub after: usize,
    /// Rewrites that it made.
    pub rewrites: u64,
    /// How it ended.
    pub outcome: Outcome,
    /// What the passes of a fixpoint did, all rounds together.
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

/// What became of requests for an analysis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnalysisReport {
    /// The analysis.
    pub id: AnalysisId,
    /// How often it was computed.
    pub num_computed: u32,
    /// How often it was known already.
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
    /// It was not run, since nothing has changed since it ran last.
    Fresh,
    /// It is optional and fuel was spent before it.
    OutOfFuel,
}
