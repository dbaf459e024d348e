//! Chooses the fetches of the next fetch clause.
//!
//! Fetches are grouped so that their latencies overlap. The next clause takes those that depend on no other remaining
//! fetch, in program order. Operations that feed them take priority over all others.

use std::collections::BTreeSet;

use crate::progress::Progress;
use crate::ready::First;
use r600_isa::{Generation, Hazard};
use r600_mir::{Fetch, FetchTemplate, Function, Op};

/// The most fetches considered for one clause.
const MAX_TRIED: usize = 64;

/// The fetches that depend on no other remaining fetch, updated as fetches are issued.
#[derive(Clone, Debug)]
pub(crate) struct FetchOrder {
    /// For each operation, the number of edges to it from remaining fetches and from operations that depend on them;
    /// empty if there are no fetches.
    waiting: Vec<u32>,
    /// The fetches without such edges, in program order.
    free: BTreeSet<u32>,
}

impl FetchOrder {
    /// The order at the start of a block.
    pub(crate) fn new(progress: &Progress<'_>) -> Self {
        let mut free = BTreeSet::new();
        if !progress.graph().has_fetches() {
            return Self { waiting: Vec::new(), free };
        }
        let mut waiting = vec![0_u32; progress.num_ops() as usize];
        // Edges lead forward, so all dependences of an operation are known when it is reached.
        for at in 0..progress.num_ops() {
            let is_fetch = matches!(progress.op(at), Op::Fetch(_));
            if is_fetch && waiting[at as usize] == 0 {
                free.insert(at);
            }
            if is_fetch || waiting[at as usize] > 0 {
                progress.graph().successors(at).iter().for_each(|e| waiting[e.to as usize] += 1);
            }
        }
        Self { waiting, free }
    }

    /// Number of fetches that a clause may choose from.
    pub(crate) fn num_choices(&self) -> usize {
        self.free.len().min(MAX_TRIED)
    }

    /// Records that fetch `at` is issued.
    pub(crate) fn made(&mut self, progress: &Progress<'_>, at: u32) {
        self.free.remove(&at);
        let mut work = vec![at];
        while let Some(at) = work.pop() {
            for edge in progress.graph().successors(at) {
                let waiting = &mut self.waiting[edge.to as usize];
                *waiting -= 1;
                if *waiting > 0 {
                    continue;
                }
                if matches!(progress.op(edge.to), Op::Fetch(_)) {
                    self.free.insert(edge.to);
                } else {
                    work.push(edge.to);
                }
            }
        }
    }
}

/// The plan for the next fetch clause.
#[derive(Clone, Debug, Default)]
pub(crate) struct FetchPlan {
    /// The fetches of the clause, in order.
    pub(crate) wanted: Vec<u32>,
    /// For each operation, the last plan with a fetch that needs it; empty if there are no fetches.
    feeds: Vec<u32>,
    /// Number of the current plan, from 1.
    number: u32,
}

impl FetchPlan {
    /// Makes a new plan for a clause of at most `budget` fetches.
    pub(crate) fn renew(
        &mut self,
        progress: &mut Progress<'_>,
        order: &FetchOrder,
        function: &Function,
        budget: usize,
    ) {
        self.wanted.clear();
        progress.alu.forget_needed();
        if !progress.graph().has_fetches() {
            return;
        }
        self.feeds.resize(progress.num_ops() as usize, 0);
        self.number += 1;
        let limit = function.chip.generation().max_fetches();
        let mut steps = 0;
        let mut kind = None;
        let near = order.free.iter().take_while(|&&at| progress.is_near(at));
        for &at in near.take(budget) {
            let Op::Fetch(fetch) = progress.op(at) else { continue };
            let own = Some(FetchUnit::of(fetch, function));
            let mixes = kind.is_some() && kind != own;
            if mixes || steps + fetch.steps.len() > limit {
                continue;
            }
            kind = own;
            steps += fetch.steps.len();
            self.wanted.push(at);
        }
        self.mark_feeders(progress);
    }

    fn mark_feeders(&mut self, progress: &mut Progress<'_>) {
        let mut work = self.wanted.clone();
        while let Some(at) = work.pop() {
            for &feeder in progress.graph().predecessors(at) {
                let last = std::mem::replace(&mut self.feeds[feeder as usize], self.number);
                if progress.is_done(feeder) || last == self.number {
                    continue;
                }
                work.push(feeder);
                if progress.alu.contains(feeder) {
                    progress.alu.prefer(First::Needed, feeder);
                }
            }
        }
    }

    /// Whether a planned fetch needs operation `at`.
    pub(crate) fn needs(&self, at: u32) -> bool {
        // Without fetches there is no plan.
        self.feeds.get(at as usize).is_some_and(|&plan| plan == self.number)
    }

    /// Whether no fetch is planned.
    pub(crate) fn is_empty(&self) -> bool {
        self.wanted.is_empty()
    }

    /// Whether every fetch of the plan is ready.
    pub(crate) fn is_ready(&self, progress: &Progress<'_>) -> bool {
        !self.wanted.is_empty() && self.wanted.iter().all(|&at| progress.fetches.contains(at))
    }
}

/// The unit that executes the fetches of a clause; it is the same for all of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FetchUnit {
    /// The texture unit. On Cayman it executes everything but global data share operations, and on some chips also
    /// reads of memory that programs write.
    Texture,
    /// The vertex unit.
    Vertex,
    /// The global data share.
    Share,
    /// The texture unit, only for lanes that cover a pixel.
    Covering,
}

impl FetchUnit {
    /// The unit that executes all steps of a fetch.
    pub fn of(fetch: &Fetch, function: &Function) -> Self {
        let goes_past =
            function.avoids(Hazard::StaleVertexCache) && fetch.reads_what_programs_write();
        let is_shared = function.chip.generation() == Generation::Cayman || goes_past;
        let is = |wanted: fn(&FetchTemplate) -> bool| {
            fetch.steps.iter().any(|step| wanted(&step.template))
        };
        if is(|template| matches!(template, FetchTemplate::Gds(_))) {
            Self::Share
        } else if is(|template| matches!(template, FetchTemplate::Covering(_))) {
            Self::Covering
        } else if is_shared || is(|template| matches!(template, FetchTemplate::Tex(_))) {
            Self::Texture
        } else {
            Self::Vertex
        }
    }
}
