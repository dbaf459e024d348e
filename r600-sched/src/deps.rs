//! The dependence graph of a block.
//!
//! Groups read before they write: an operation may share its group with a later one that overwrites what it
//! reads (distance 0), but not with one that reads what it writes (distance 1).

use std::collections::HashMap;

use cranelift_entity::SecondaryMap;

use crate::machine::{Array, Dst, Function, Op, OpId, Src, SrcKind, VReg};

/// An edge to an operation that must come later.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edge {
    /// Position of the later operation in its block.
    pub(crate) to: u32,
    /// Groups that it must come later; 0 allows the same group.
    pub(crate) distance: u32,
}

/// Dependences among the operations of a block, by their positions in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Graph {
    /// Edges to later operations.
    pub(crate) successors: Vec<Vec<Edge>>,
    /// Number of edges from earlier operations.
    pub(crate) num_predecessors: Vec<u32>,
    /// Groups from an operation to the end of the block, at the least.
    pub(crate) height: Vec<u32>,
}

/// Groups that a fetch is worth in heights: its results are long in coming.
const FETCH_DISTANCE: u32 = 6;

impl Graph {
    /// The dependences of `ops`.
    pub(crate) fn build(function: &Function, ops: &[OpId]) -> Self {
        let mut builder = Builder {
            function,
            graph: Self {
                successors: vec![Vec::new(); ops.len()],
                num_predecessors: vec![0; ops.len()],
                height: vec![0; ops.len()],
            },
            last_write: SecondaryMap::new(),
            reads: SecondaryMap::new(),
            elements: HashMap::new(),
            last_effect: None,
        };
        for (at, &op) in ops.iter().enumerate() {
            builder.add(at as u32, &function.ops[op]);
        }
        builder.end_with_predicate(ops);
        let mut graph = builder.graph;
        graph.measure(function, ops);
        graph
    }

    fn measure(&mut self, function: &Function, ops: &[OpId]) {
        for at in (0..ops.len()).rev() {
            let own = match function.ops[ops[at]] {
                Op::Fetch(_) => FETCH_DISTANCE,
                _ => 1,
            };
            let below = self.successors[at]
                .iter()
                .map(|edge| {
                    let distance = if edge.distance == 0 { 0 } else { own.max(edge.distance) };
                    self.height[edge.to as usize] + distance
                })
                .max();
            self.height[at] = below.unwrap_or(1).max(1);
        }
    }
}

/// Accesses to an indexed array.
#[derive(Default)]
struct Accesses {
    last_store: Option<u32>,
    loads: Vec<u32>,
}

struct Builder<'a> {
    function: &'a Function,
    graph: Graph,
    last_write: SecondaryMap<VReg, Option<u32>>,
    reads: SecondaryMap<VReg, Vec<u32>>,
    elements: HashMap<Array, Accesses>,
    last_effect: Option<u32>,
}

impl Builder<'_> {
    fn edge(&mut self, from: u32, to: u32, distance: u32) {
        if from == to {
            return;
        }
        let edges = &mut self.graph.successors[from as usize];
        if let Some(known) = edges.iter_mut().find(|edge| edge.to == to) {
            known.distance = known.distance.max(distance);
            return;
        }
        edges.push(Edge { to, distance });
        self.graph.num_predecessors[to as usize] += 1;
    }

    fn add(&mut self, at: u32, op: &Op) {
        let mut reads = Vec::new();
        for_each_read(op, |vreg| reads.push(vreg));
        for vreg in reads {
            if let Some(write) = self.last_write[vreg] {
                self.edge(write, at, 1);
            }
            self.reads[vreg].push(at);
        }
        let mut writes = Vec::new();
        for_each_write(op, |vreg| writes.push(vreg));
        for vreg in writes {
            for read in std::mem::take(&mut self.reads[vreg]) {
                self.edge(read, at, 0);
            }
            if let Some(write) = self.last_write[vreg] {
                self.edge(write, at, 1);
            }
            self.last_write[vreg] = Some(at);
        }
        self.array_accesses(at, op);
        if has_effect(op) {
            if let Some(effect) = self.last_effect {
                let apart = u32::from(matches!(op, Op::Export(_)));
                self.edge(effect, at, apart);
            }
            self.last_effect = Some(at);
        }
    }

    fn array_accesses(&mut self, at: u32, op: &Op) {
        let Op::Alu(alu) = op else { return };
        for src in &alu.src {
            if let SrcKind::Element(element) = src.kind {
                let store = self.elements.entry(element.array).or_default().last_store;
                if let Some(store) = store {
                    self.edge(store, at, 1);
                }
                self.elements.entry(element.array).or_default().loads.push(at);
            }
        }
        if let Dst::Element(element) = alu.dst {
            let accesses = std::mem::take(self.elements.entry(element.array).or_default());
            for load in accesses.loads {
                self.edge(load, at, 0);
            }
            if let Some(store) = accesses.last_store {
                self.edge(store, at, 1);
            }
            self.elements.entry(element.array).or_default().last_store = Some(at);
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
                Op::Fetch(_) | Op::Export(_) => 1,
                // A group has one operation that sets the predicate or kills.
                Op::Alu(alu) if alu.op.is_kill() => 1,
                _ => 0,
            };
            if distance > 0 || self.graph.successors[n].is_empty() {
                self.edge(n as u32, at, distance);
            }
        }
    }
}

fn has_effect(op: &Op) -> bool {
    match op {
        Op::Alu(alu) => alu.op.is_kill(),
        Op::Export(_) => true,
        Op::Reduction(_) | Op::Replicated(_) | Op::FixedSlots(_) | Op::Fetch(_) => false,
    }
}

fn read_sources(src: &[Src], visit: &mut impl FnMut(VReg)) {
    for src in src {
        if let SrcKind::VReg(vreg) = src.kind {
            visit(vreg);
        }
    }
}

/// Calls `visit` for each register that `op` reads.
pub fn for_each_read(op: &Op, mut visit: impl FnMut(VReg)) {
    match op {
        Op::Alu(alu) => {
            read_sources(&alu.src, &mut visit);
            alu.index.into_iter().for_each(visit);
        }
        Op::Reduction(reduction) => {
            reduction.pairs.iter().for_each(|pair| read_sources(pair, &mut visit));
        }
        Op::Replicated(replicated) => read_sources(&replicated.src, &mut visit),
        Op::FixedSlots(fixed) => {
            fixed.slots.iter().for_each(|(_, alu)| read_sources(&alu.src, &mut visit));
        }
        Op::Fetch(fetch) => {
            fetch
                .steps
                .iter()
                .flat_map(|step| step.src)
                .for_each(|c| read_component(c, &mut visit));
        }
        Op::Export(export) => export.src.into_iter().for_each(|c| read_component(c, &mut visit)),
    }
}

fn read_component(component: crate::machine::Component, visit: &mut impl FnMut(VReg)) {
    if let crate::machine::Component::VReg(vreg) = component {
        visit(vreg);
    }
}

/// Calls `visit` for each register that `op` writes.
pub fn for_each_write(op: &Op, mut visit: impl FnMut(VReg)) {
    match op {
        Op::Alu(alu) => {
            if let Dst::VReg(vreg) = alu.dst {
                visit(vreg);
            }
        }
        Op::Reduction(reduction) => visit(reduction.dst),
        Op::Replicated(replicated) => visit(replicated.dst),
        Op::FixedSlots(fixed) => {
            for (_, alu) in &fixed.slots {
                if let Dst::VReg(vreg) = alu.dst {
                    visit(vreg);
                }
            }
        }
        Op::Fetch(fetch) => fetch.steps.iter().flat_map(|s| s.dst).flatten().for_each(visit),
        Op::Export(_) => {}
    }
}
