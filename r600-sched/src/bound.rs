//! Lower bound on the number of groups of a block.
//!
//! It is derived from the slots that operations take and from the longest chain of dependent operations. Read ports,
//! constants and clauses are ignored, so no schedule may reach the bound.

use r600_isa::{Chip, Slots};

use crate::deps::Graph;
use crate::progress::Progress;
use r600_mir::{Alu, Block, Function, Op};

/// The slots that operations take, by the slots that they may use.
#[derive(Clone, Copy, Debug, Default)]
struct SlotDemand {
    /// All slots.
    all: usize,
    /// Those that must be x, y, z or w.
    vector: usize,
    /// Those that must be t.
    trans: usize,
}

impl SlotDemand {
    fn add(&mut self, op: &Op, chip: Chip) {
        let (vector, trans, any) = match op {
            Op::Alu(alu) => demand_of(alu, chip),
            Op::Reduction(_) => (4, 0, 0),
            Op::Replicated(replicated) if replicated.all_slots => (4, 0, 0),
            Op::Replicated(_) => (3, 0, 0),
            Op::FixedSlots(fixed) => (fixed.slots.len(), 0, 0),
            Op::Local(_) | Op::Barrier => (1, 0, 0),
            Op::Fetch(_) | Op::Export(_) | Op::Memory(_) | Op::Event(_) => (0, 0, 0),
        };
        self.all += vector + trans + any;
        self.vector += vector;
        self.trans += trans;
    }

    /// Number of groups needed for these slots.
    fn num_groups(self, chip: Chip) -> usize {
        self.all.div_ceil(width(chip)).max(self.vector.div_ceil(4)).max(self.trans)
    }
}

/// Number of slots in a group.
fn width(chip: Chip) -> usize {
    if chip.generation().has_trans_slot() { 5 } else { 4 }
}

/// Slots of an operation: those that must be vector slots, those that must be t, and those that may be any.
fn demand_of(alu: &Alu, chip: Chip) -> (usize, usize, usize) {
    match alu.op.slots(chip.generation()) {
        Some(Slots::Trans) => (0, 1, 0),
        Some(Slots::Any) => (0, 0, 1),
        _ => (1, 0, 0),
    }
}

/// Lower bound on the groups of a block, derived from slots alone.
pub fn fewest_by_slots(function: &Function, block: Block) -> usize {
    let mut demand = SlotDemand::default();
    function.blocks[block].iter().for_each(|&op| demand.add(&function.ops[op], function.chip));
    demand.num_groups(function.chip)
}

/// Lower bound on the groups of a block.
pub(crate) fn lower_bound(function: &Function, block: Block, graph: &Graph) -> usize {
    let longest_chain = graph.chain.iter().copied().max().unwrap_or(0);
    fewest_by_slots(function, block).max(longest_chain as usize)
}

/// The unscheduled part of a block.
#[derive(Debug)]
pub(crate) struct Rest<'a> {
    graph: &'a Graph,
    /// Number of slots in a group.
    width: usize,
    /// In order of decreasing chain length, all operations before this one are scheduled.
    first: usize,
}

impl<'a> Rest<'a> {
    /// A whole block.
    pub(crate) fn all(graph: &'a Graph, chip: Chip) -> Self {
        Self { graph, width: width(chip), first: 0 }
    }

    /// Lower bound on its groups.
    pub(crate) fn num_groups(&mut self, progress: &Progress<'_>) -> usize {
        let by_chain = &self.graph.by_chain.order;
        self.first += by_chain[self.first..].iter().take_while(|&&at| progress.is_done(at)).count();
        let longest = by_chain.get(self.first).map_or(0, |&at| self.graph.chain[at as usize]);
        progress.num_alu.div_ceil(self.width).max(longest as usize)
    }
}
