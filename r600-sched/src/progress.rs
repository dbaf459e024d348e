//! Scheduling progress in a block: which operations are ready, and from which group on.

use crate::Options;
use crate::bits::BitSet;
use crate::deps::{Graph, is_alu};
use crate::ranks::Ranks;
use crate::ready::Ready;
use r600_mir::{Function, Op, OpId};

/// Progress through the dependence graph of a block.
#[derive(Debug)]
pub(crate) struct Progress<'a> {
    function: &'a Function,
    ops: &'a [OpId],
    graph: &'a Graph,
    /// Number of edges from unscheduled operations.
    waiting: Vec<u32>,
    /// The first group in which an operation may be.
    earliest: Vec<u32>,
    is_done: Vec<bool>,
    /// The first unscheduled operation.
    first: u32,
    /// Number of operations considered from there; `None` for the whole block.
    window: Option<u32>,
    /// Number of the next group.
    pub(crate) time: u32,
    /// ALU operations that can go in the next group.
    pub(crate) alu: Ready<'a>,
    /// ALU operations that are ready from the next group on.
    soon: Vec<u32>,
    /// Fetches that can go in the next clause.
    pub(crate) fetches: BitSet,
    /// Exports and memory instructions that are ready, except reads.
    pub(crate) exports: Vec<u32>,
    /// Memory reads other than fetches that are ready.
    pub(crate) reads: Vec<u32>,
    /// ALU operations left.
    pub(crate) num_alu: usize,
}

impl<'a> Progress<'a> {
    pub(crate) fn new(
        function: &'a Function,
        ops: &'a [OpId],
        graph: &'a Graph,
        ranks: &'a Ranks,
        options: &Options,
    ) -> Self {
        let mut progress = Self {
            function,
            ops,
            graph,
            waiting: graph.num_predecessors().to_vec(),
            earliest: vec![0; ops.len()],
            is_done: vec![false; ops.len()],
            first: 0,
            window: options.window,
            time: 0,
            alu: Ready::new(ranks, options.pressure.is_some(), graph.has_fetches()),
            soon: Vec::new(),
            fetches: BitSet::new(ops.len()),
            exports: Vec::new(),
            reads: Vec::new(),
            num_alu: graph.num_alu(),
        };
        for at in 0..ops.len() as u32 {
            if progress.waiting[at as usize] == 0 {
                progress.becomes_ready(at);
            }
        }
        progress
    }

    pub(crate) fn op(&self, at: u32) -> &'a Op {
        &self.function.ops[self.ops[at as usize]]
    }

    pub(crate) fn id(&self, at: u32) -> OpId {
        self.ops[at as usize]
    }

    pub(crate) fn graph(&self) -> &'a Graph {
        self.graph
    }

    pub(crate) fn num_ops(&self) -> u32 {
        self.ops.len() as u32
    }

    pub(crate) fn is_done(&self, at: u32) -> bool {
        self.is_done[at as usize]
    }

    /// The end of the window of operations considered.
    pub(crate) fn horizon(&self) -> Option<u32> {
        self.window.map(|window| self.first.saturating_add(window))
    }

    /// Whether an operation is within the window.
    pub(crate) fn is_near(&self, at: u32) -> bool {
        self.horizon().is_none_or(|horizon| at < horizon)
    }

    /// The position of the operation `id` in this block, if it is a ready ALU operation here. `place` is its position
    /// in its own block.
    pub(crate) fn ready_at(&self, id: OpId, place: u32) -> Option<u32> {
        let is_here = self.ops.get(place as usize) == Some(&id);
        (is_here && self.alu.contains(place)).then_some(place)
    }

    /// The first ALU operation of the program that can go in the next group.
    pub(crate) fn next_alu(&self) -> Option<u32> {
        self.alu.in_order().next().filter(|&at| self.is_near(at))
    }

    /// Whether an ALU operation can go in the next group.
    pub(crate) fn has_alu(&self) -> bool {
        self.next_alu().is_some()
    }

    /// Whether operations wait only for a later group.
    pub(crate) fn has_waiting(&self) -> bool {
        !self.soon.is_empty()
    }

    fn becomes_ready(&mut self, at: u32) {
        match self.op(at) {
            Op::Fetch(_) => self.fetches.insert(at),
            Op::Memory(memory) if memory.is_read() => self.reads.push(at),
            Op::Export(_) | Op::Memory(_) | Op::Event(_) => self.exports.push(at),
            _ if self.earliest[at as usize] > self.time => self.soon.push(at),
            _ => self.alu.insert(at),
        }
    }

    /// Advances to the next group.
    pub(crate) fn advance(&mut self) {
        self.time += 1;
        let mut waited = std::mem::take(&mut self.soon);
        for at in waited.drain(..) {
            self.becomes_ready(at);
        }
        // Reuses the allocation: `waited` is empty, and takes the operations that still wait.
        waited.append(&mut self.soon);
        self.soon = waited;
    }

    /// Records that `at` was scheduled in the current group. It must have been removed from the ready lists.
    pub(crate) fn done(&mut self, at: u32) {
        self.is_done[at as usize] = true;
        self.num_alu -= usize::from(is_alu(self.op(at)));
        while self.is_done.get(self.first as usize) == Some(&true) {
            self.first += 1;
        }
        let graph = self.graph;
        for edge in graph.successors(at) {
            let to = edge.to as usize;
            self.earliest[to] = self.earliest[to].max(self.time + edge.distance);
            self.waiting[to] -= 1;
            if self.waiting[to] == 0 {
                self.becomes_ready(edge.to);
            }
        }
    }
}
