//! The dependence graph of a block.
//!
//! Groups read before they write. An operation may share its group with a later one that overwrites its operand
//! (distance 0), but not with one that reads its result (distance 1). The scheduler handles further hazards of some
//! chips when it fills a group.

mod arrays;

use std::collections::BTreeMap;

use cranelift_entity::SecondaryMap;
use r600_isa::Slots;

use crate::Urgency;
use crate::facts::of_all;
use crate::group::GroupRules;
use crate::ranks::{Ranks, sorted, starts};
use crate::slots::SlotNeed;
use arrays::Accesses;
use r600_mir::{
    Array, Dst, Function, Op, OpId, SrcKind, Storage, VReg, for_each_read, for_each_write,
    storages_of,
};

/// An edge to an operation that must come later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    /// Position of the earlier operation in its block.
    from: u32,
    /// Position of the later operation.
    pub(crate) to: u32,
    /// Minimum distance in groups; 0 allows the same group.
    pub(crate) distance: u32,
}

/// Dependences among the operations of a block, by position in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    /// Edges, sorted by start.
    edges: Vec<Edge>,
    /// First edge of each operation, and the number of edges at the end.
    first_edge: Vec<u32>,
    /// Starts of edges, sorted by end.
    predecessors: Vec<u32>,
    first_predecessor: Vec<u32>,
    /// Number of predecessors of each operation.
    num_predecessors: Vec<u32>,
    /// Number of operations that occupy groups.
    num_alu: usize,
    /// Whether any operation is a fetch.
    has_fetches: bool,
    /// Groups from an operation to the end of the block, weighted for priority.
    pub(crate) height: Vec<u32>,
    /// Groups in the longest chain that begins with each operation, including its own if it occupies one.
    pub(crate) chain: Vec<u32>,
    /// Operations by chain length, longest first.
    pub(crate) by_chain: Ranks,
    /// Operations by height.
    by_height: Ranks,
    /// Operations by height, those that only the trans slot can execute first; `None` if the order is the same.
    scarce_first: Option<Ranks>,
}

/// Fetch latency in groups, for heights.
const FETCH_DISTANCE: u32 = 6;

impl Graph {
    /// The dependences of `ops`.
    pub(crate) fn build(function: &Function, ops: &[OpId], last: &mut LastAccesses) -> Self {
        let mut builder = Builder {
            function,
            edges: Vec::with_capacity(3 * ops.len()),
            last_edge: vec![None; ops.len()],
            last,
            reads: Vec::with_capacity(3 * ops.len()),
            elements: BTreeMap::new(),
            storages: BTreeMap::new(),
            last_effect: None,
            last_local: None,
            derivatives: Vec::new(),
        };
        for (at, &op) in ops.iter().enumerate() {
            builder.add(at as u32, &function.ops[op]);
        }
        builder.end_with_predicate(ops);
        builder.last.forget(function, ops);
        let mut graph = Self::index(&builder.edges, ops.len());
        graph.measure(function, ops);
        graph
    }

    /// Edges that start at `at`.
    pub(crate) fn successors(&self, at: u32) -> &[Edge] {
        let at = at as usize;
        &self.edges[self.first_edge[at] as usize..self.first_edge[at + 1] as usize]
    }

    /// Operations with an edge to `at`.
    pub(crate) fn predecessors(&self, at: u32) -> &[u32] {
        let (first, at) = (&self.first_predecessor, at as usize);
        &self.predecessors[first[at] as usize..first[at + 1] as usize]
    }

    /// Number of edges into each operation.
    pub(crate) fn num_predecessors(&self) -> &[u32] {
        &self.num_predecessors
    }

    /// Number of operations that occupy groups.
    pub(crate) fn num_alu(&self) -> usize {
        self.num_alu
    }

    /// Whether any operation is a fetch.
    pub(crate) fn has_fetches(&self) -> bool {
        self.has_fetches
    }

    fn index(edges: &[Edge], num_ops: usize) -> Self {
        // Edges to an operation were added when it was reached, so they are sorted by their ends.
        let first_predecessor = starts(edges.iter().map(|edge| edge.to), num_ops);
        let predecessors = edges.iter().map(|edge| edge.from).collect();
        let first_edge = starts(edges.iter().map(|edge| edge.from), num_ops);
        let edges = sorted(edges, &first_edge, |edge| edge.from);
        Self {
            edges,
            first_edge,
            predecessors,
            num_predecessors: first_predecessor.windows(2).map(|pair| pair[1] - pair[0]).collect(),
            first_predecessor,
            height: vec![0; num_ops],
            chain: vec![0; num_ops],
            ..Self::default()
        }
    }

    fn measure(&mut self, function: &Function, ops: &[OpId]) {
        let ops_of = || ops.iter().map(|&op| &function.ops[op]);
        self.num_alu = ops_of().filter(|op| is_alu(op)).count();
        self.has_fetches = ops_of().any(|op| matches!(op, Op::Fetch(_)));
        for at in (0..ops.len()).rev() {
            let op = &function.ops[ops[at]];
            let is_group = u32::from(is_alu(op));
            let (mut height, mut chain) = (1, is_group);
            for edge in self.successors(at as u32) {
                let to = edge.to as usize;
                height = height.max(self.height[to] + groups_between(op, edge.distance));
                // A successor that may share the group adds no group. A longer distance still counts as one group,
                // since the others may be empty.
                chain = chain.max(self.chain[to] + if edge.distance > 0 { is_group } else { 0 });
            }
            (self.height[at], self.chain[at]) = (height, chain);
        }
        self.by_chain = Ranks::by_urgency(&self.chain, |_| false);
        let is_flexible = |at: usize| is_flexible(function, &function.ops[ops[at]]);
        self.by_height = Ranks::by_urgency(&self.height, is_flexible);
        let is_common = |op: OpId| !is_scarce(function, op);
        if ops.iter().filter(|&&op| !is_common(op)).nth(1).is_some() {
            let after_scarce = self.height.iter().copied().max().unwrap_or(0) + 1;
            let keys = self
                .height
                .iter()
                .zip(ops)
                .map(|(height, &op)| height + if is_common(op) { 0 } else { after_scarce });
            self.scarce_first = Some(Ranks::by_urgency(&keys.collect::<Vec<u32>>(), is_flexible));
        }
    }

    /// Operations in the order that `urgency` selects.
    pub(crate) fn ranks(&self, urgency: Urgency) -> &Ranks {
        match (urgency, &self.scarce_first) {
            (Urgency::ScarceFirst, Some(ranks)) => ranks,
            _ => &self.by_height,
        }
    }

    /// Operations by height plus noise drawn from `seed`.
    pub(crate) fn noisy_ranks(&self, seed: u32) -> Ranks {
        Ranks::by_noisy_height(&self.height, seed)
    }
}

/// The latest accesses to each register in a block. One instance serves all blocks in turn.
pub(crate) struct LastAccesses {
    write: SecondaryMap<VReg, Option<u32>>,
    /// The number of the latest read since the register was written.
    read: SecondaryMap<VReg, Option<u32>>,
}

impl LastAccesses {
    /// No accesses to the registers of `function`.
    pub(crate) fn none(function: &Function) -> Self {
        Self { write: of_all(function), read: of_all(function) }
    }

    /// Forgets the accesses of `ops`.
    fn forget(&mut self, function: &Function, ops: &[OpId]) {
        for &op in ops {
            let op = &function.ops[op];
            for_each_read(op, |vreg| self.read[vreg] = None);
            for_each_write(op, |vreg| self.write[vreg] = None);
        }
    }
}

/// Minimum number of groups from `op` to an operation that must come `distance` later.
pub(crate) fn groups_between(op: &Op, distance: u32) -> u32 {
    match op {
        _ if distance == 0 => 0,
        Op::Fetch(_) => FETCH_DISTANCE.max(distance),
        // Exports follow all groups, so the operands of the first are no more urgent than those of the last.
        Op::Export(_) => 0,
        _ => distance,
    }
}

/// Whether an operation can take the trans slot as well as others.
pub(crate) fn is_flexible(function: &Function, op: &Op) -> bool {
    function.chip.generation().has_trans_slot()
        && SlotNeed::of(op, GroupRules::of(function)).has_trans()
}

/// Whether an operation can take only the trans slot.
fn is_scarce(function: &Function, op: OpId) -> bool {
    let Op::Alu(alu) = &function.ops[op] else { return false };
    alu.op.slots(function.chip.generation()) == Some(Slots::Trans)
}

/// Accesses to memory since its last write.
#[derive(Default)]
struct Touched {
    write: Option<u32>,
    reads: Vec<u32>,
}

/// A read of a register, linked to the previous one.
struct Read {
    at: u32,
    before: Option<u32>,
}

struct Builder<'a> {
    function: &'a Function,
    edges: Vec<Edge>,
    /// The latest edge out of each operation; an edge can only repeat this one.
    last_edge: Vec<Option<u32>>,
    last: &'a mut LastAccesses,
    reads: Vec<Read>,
    elements: BTreeMap<Array, Accesses>,
    storages: BTreeMap<Storage, Touched>,
    last_effect: Option<u32>,
    /// The last LDS operation.
    last_local: Option<u32>,
    /// Fetches with derivatives since the last kill.
    derivatives: Vec<u32>,
}

impl Builder<'_> {
    fn edge(&mut self, from: u32, to: u32, distance: u32) {
        if from == to {
            return;
        }
        if let Some(last) = self.last_edge[from as usize] {
            let last = &mut self.edges[last as usize];
            if last.to == to {
                last.distance = last.distance.max(distance);
                return;
            }
        }
        self.last_edge[from as usize] = Some(self.edges.len() as u32);
        self.edges.push(Edge { from, to, distance });
    }

    fn add(&mut self, at: u32, op: &Op) {
        for_each_read(op, |vreg| {
            if let Some(write) = self.last.write[vreg] {
                self.edge(write, at, 1);
            }
            self.reads.push(Read { at, before: self.last.read[vreg] });
            self.last.read[vreg] = Some(self.reads.len() as u32 - 1);
        });
        for_each_write(op, |vreg| {
            let mut read = self.last.read[vreg].take();
            while let Some(number) = read {
                let Read { at: reader, before } = self.reads[number as usize];
                self.edge(reader, at, 0);
                read = before;
            }
            if let Some(write) = self.last.write[vreg] {
                self.edge(write, at, 1);
            }
            self.last.write[vreg] = Some(at);
        });
        self.array_accesses(at, op);
        self.memory_accesses(at, op);
        if has_effect(op) {
            if let Some(effect) = self.last_effect {
                let apart = u32::from(!is_alu(op) || matches!(op, Op::Barrier));
                self.edge(effect, at, apart);
            }
            self.last_effect = Some(at);
        }
        self.derivative(at, op);
        if is_local(op) {
            if let Some(local) = self.last_local {
                self.edge(local, at, 1);
            }
            self.last_local = Some(at);
        }
    }

    /// A killed lane continues as a helper and keeps its active state (R700-family instruction set, 3.6.1). So
    /// coordinates may be computed after a kill, and fetches that follow it in program order rely on that wherever they
    /// are computed. Derivatives before a kill do not rely on it.
    fn derivative(&mut self, at: u32, op: &Op) {
        match op {
            Op::Fetch(fetch) if fetch.takes_derivatives() => self.derivatives.push(at),
            Op::Alu(alu) if alu.op.is_kill() => {
                let fetches = std::mem::take(&mut self.derivatives);
                fetches.into_iter().for_each(|fetch| self.edge(fetch, at, 1));
            }
            _ => {}
        }
    }

    fn memory_accesses(&mut self, at: u32, op: &Op) {
        for (storage, writes) in storages_of(op) {
            self.memory_access(at, storage, writes);
        }
    }

    fn memory_access(&mut self, at: u32, storage: Storage, writes: bool) {
        let mut touched = self.storages.remove(&storage).unwrap_or_default();
        if let Some(write) = touched.write {
            self.edge(write, at, 1);
        }
        if writes {
            touched.reads.drain(..).for_each(|read| self.edge(read, at, 1));
            touched.write = Some(at);
        } else {
            touched.reads.push(at);
        }
        self.storages.insert(storage, touched);
    }

    fn array_accesses(&mut self, at: u32, op: &Op) {
        let Op::Alu(alu) = op else { return };
        for src in &alu.src {
            let SrcKind::Element(element) = src.kind else { continue };
            let mut accesses = self.elements.remove(&element.array).unwrap_or_default();
            accesses.load(at, element, |from, distance| self.edge(from, at, distance));
            self.elements.insert(element.array, accesses);
        }
        if let Dst::Element(element) = alu.dst {
            let mut accesses = self.elements.remove(&element.array).unwrap_or_default();
            accesses.store(at, element, |from, distance| self.edge(from, at, distance));
            self.elements.insert(element.array, accesses);
        }
    }

    /// The predicate operation that ends a block comes after all others.
    fn end_with_predicate(&mut self, ops: &[OpId]) {
        let Some((&last, others)) = ops.split_last() else { return };
        if !matches!(&self.function.ops[last], Op::Alu(alu) if alu.update_exec_mask) {
            return;
        }
        let at = others.len() as u32;
        for (n, &op) in others.iter().enumerate() {
            let distance = match &self.function.ops[op] {
                op if !is_alu(op) => 1,
                Op::Local(_) | Op::Barrier => 1,
                // A group can hold only one operation that sets the predicate or kills.
                Op::Alu(alu) if alu.op.is_kill() => 1,
                _ => 0,
            };
            if distance > 0 || self.last_edge[n].is_none() {
                self.edge(n as u32, at, distance);
            }
        }
    }
}

fn has_effect(op: &Op) -> bool {
    match op {
        Op::Alu(alu) => alu.op.is_kill(),
        Op::Export(_) | Op::Event(_) | Op::Barrier => true,
        // Scratch memory is private to the lane.
        Op::Memory(memory) => !matches!(memory.storage, Storage::Scratch(_)),
        // Killed lanes do not change the LDS, and count as helpers.
        Op::Fetch(fetch) => fetch.is_change() || fetch.is_covering(),
        Op::Reduction(_) | Op::Replicated(_) | Op::FixedSlots(_) | Op::Local(_) => false,
    }
}

/// Whether accesses to the LDS keep their order with an operation. Barriers and clock reads, which separate memory
/// accesses, separate these as well.
fn is_local(op: &Op) -> bool {
    matches!(op, Op::Local(_)) || op.is_queue_pop() || is_alu(op) && !storages_of(op).is_empty()
}

/// Whether an operation takes slots of groups.
pub(crate) fn is_alu(op: &Op) -> bool {
    !matches!(op, Op::Fetch(_) | Op::Export(_) | Op::Memory(_) | Op::Event(_))
}
