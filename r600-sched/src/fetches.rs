//! Which fetches go in the next fetch clause.
//!
//! Fetches go together, so that they wait together: the next clause takes those that depend on no other
//! fetch still to come, in program order. Operations that feed them come before all others.

use crate::machine::{FetchTemplate, Op};
use crate::progress::Progress;
use r600_isa::Generation;

/// The plan for the next fetch clause.
#[derive(Clone, Debug, Default)]
pub(crate) struct FetchPlan {
    /// The fetches of the clause, in order.
    pub(crate) wanted: Vec<u32>,
    /// For each operation, whether one of them needs it.
    feeds: Vec<bool>,
}

impl FetchPlan {
    /// The plan from here on, for a clause of at most `budget` fetches.
    pub(crate) fn make(progress: &Progress<'_>, generation: Generation, budget: usize) -> Self {
        let blocked = blocked_by_fetches(progress);
        let candidates = (0..progress.num_ops()).filter(|&at| {
            !progress.is_done(at)
                && matches!(progress.op(at), Op::Fetch(_))
                && !blocked[at as usize]
        });
        let mut plan = Self { wanted: Vec::new(), feeds: vec![false; blocked.len()] };
        let limit = clause_limit(generation);
        let mut steps = 0;
        let mut kind = None;
        for at in candidates.take(budget.max(1)) {
            let Op::Fetch(fetch) = progress.op(at) else { continue };
            let own = fetch.steps.first().map(|step| is_vertex(&step.template));
            let mixes = generation != Generation::Cayman && kind.is_some() && kind != own;
            if mixes || steps + fetch.steps.len() > limit {
                continue;
            }
            kind = own;
            steps += fetch.steps.len();
            plan.wanted.push(at);
        }
        plan.mark_feeders(progress);
        plan
    }

    fn mark_feeders(&mut self, progress: &Progress<'_>) {
        let mut work = self.wanted.clone();
        while let Some(at) = work.pop() {
            for &feeder in progress.graph().predecessors(at) {
                if !progress.is_done(feeder)
                    && !std::mem::replace(&mut self.feeds[feeder as usize], true)
                {
                    work.push(feeder);
                }
            }
        }
    }

    /// Whether a fetch of the plan needs operation `at`.
    pub(crate) fn needs(&self, at: u32) -> bool {
        self.feeds[at as usize]
    }

    /// Whether every fetch of the plan is ready.
    pub(crate) fn is_ready(&self, progress: &Progress<'_>) -> bool {
        !self.wanted.is_empty() && self.wanted.iter().all(|at| progress.fetches.contains(at))
    }
}

/// Fetch instructions of a clause.
pub(crate) fn clause_limit(generation: Generation) -> usize {
    match generation {
        Generation::R600 => 8,
        Generation::R700 | Generation::Evergreen | Generation::Cayman => 16,
    }
}

/// Clauses of the older chips hold either texture or vertex fetches.
pub(crate) fn is_vertex(template: &FetchTemplate) -> bool {
    matches!(template, FetchTemplate::Vtx(_))
}

/// For each operation, whether a fetch that is still to come must come before it.
fn blocked_by_fetches(progress: &Progress<'_>) -> Vec<bool> {
    let mut blocked = vec![false; progress.num_ops() as usize];
    for at in 0..progress.num_ops() {
        if progress.is_done(at) {
            continue;
        }
        let is_fetch = matches!(progress.op(at), Op::Fetch(_));
        for edge in progress.graph().successors(at) {
            blocked[edge.to as usize] |= is_fetch || blocked[at as usize];
        }
    }
    blocked
}
