//! How few groups a block can have, whatever the schedule.
//!
//! Two things limit it: the slots that its operations take, and its longest chain of dependent operations.
//! Read ports, constants and clauses are left out, so that the bound may be out of reach.

use r600_isa::{Chip, Slots};

use crate::deps::{Graph, is_alu};
use r600_mir::{Alu, Function, Op, OpId};

/// Slots that operations take, by what they may share.
#[derive(Clone, Copy, Debug, Default)]
struct SlotDemand {
    /// All slots.
    all: usize,
    /// Slots that only x, y, z and w can be.
    vector: usize,
    /// Slots that only t can be.
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

    /// Groups that hold so many slots.
    fn num_groups(self, chip: Chip) -> usize {
        let width = if chip.generation().has_trans_slot() { 5 } else { 4 };
        self.all.div_ceil(width).max(self.vector.div_ceil(4)).max(self.trans)
    }
}

/// Slots of an operation that must be vector slots, must be t, or may be any.
fn demand_of(alu: &Alu, chip: Chip) -> (usize, usize, usize) {
    match alu.op.slots(chip.generation()) {
        Some(Slots::Trans) => (0, 1, 0),
        Some(Slots::Any) => (0, 0, 1),
        _ => (1, 0, 0),
    }
}

/// Groups that the operations of a block need at the least.
pub(crate) fn lower_bound(function: &Function, ops: &[OpId], graph: &Graph) -> usize {
    let mut demand = SlotDemand::default();
    ops.iter().for_each(|&op| demand.add(&function.ops[op], function.chip));
    demand.num_groups(function.chip).max(longest_chain(function, ops, graph))
}

/// Groups of the longest chain of dependent operations.
fn longest_chain(function: &Function, ops: &[OpId], graph: &Graph) -> usize {
    let is_group = |at: usize| is_alu(&function.ops[ops[at]]);
    let mut longest = vec![0; ops.len()];
    for at in (0..ops.len()).rev() {
        let below = graph.successors(at as u32).iter().map(|edge| {
            let to = edge.to as usize;
            // What may share the group counts with it; a wait for more than the next group is none of groups.
            longest[to] + usize::from(edge.distance > 0 && is_group(at))
        });
        longest[at] = below.max().unwrap_or(0).max(usize::from(is_group(at)));
    }
    longest.into_iter().max().unwrap_or(0)
}
