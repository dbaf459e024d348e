//! Channels of registers that one reduction reads together.
//!
//! A group reads each channel in three cycles, one register per cycle. A reduction reads eight operands at once, so it
//! fits no group if more than three are in one channel. So the channels of its registers are chosen to be spread. With
//! at most three per channel, read cycles always exist: slots and channels form a bipartite graph with the operands as
//! edges, which is 3-edge-colourable.

use cranelift_entity::EntitySet;
use r600_isa::Chan;
use r600_mir::{Function, Op, OpId, Reduction, SrcKind, VReg};

/// The most operands per channel that a reduction can read.
pub(crate) const MAX_IN_CHANNEL: usize = 3;

/// Which reductions read each register.
#[derive(Debug)]
pub(crate) struct Sums {
    /// Sorted by register.
    readers: Vec<(VReg, OpId)>,
    read: EntitySet<VReg>,
}

impl Sums {
    /// The reductions of `function`.
    pub(crate) fn of(function: &Function) -> Self {
        let mut readers = Vec::new();
        for &id in function.blocks.values().flatten() {
            if let Op::Reduction(reduction) = &function.ops[id] {
                readers.extend(registers_of(reduction).map(|vreg| (vreg, id)));
            }
        }
        readers.sort_unstable();
        readers.dedup();
        let mut read = EntitySet::new();
        for &(vreg, _) in &readers {
            read.insert(vreg);
        }
        Self { readers, read }
    }

    /// The largest number of operands in `chan` that any reduction would read if `vreg` were in it.
    pub(crate) fn crowd(
        &self,
        function: &Function,
        chan_of: impl Fn(VReg) -> Option<Chan>,
        vreg: VReg,
        chan: Chan,
    ) -> usize {
        let first = self.readers.partition_point(|(other, _)| *other < vreg);
        let own = self.readers[first..].iter().take_while(|(other, _)| *other == vreg);
        let reductions = own.filter_map(|(_, id)| match &function.ops[*id] {
            Op::Reduction(reduction) => Some(reduction),
            _ => None,
        });
        let is_there = |other: &VReg| *other == vreg || chan_of(*other) == Some(chan);
        reductions.map(|r| registers_of(r).filter(is_there).count()).max().unwrap_or(0)
    }

    /// Whether a reduction reads `vreg`.
    pub(crate) fn reads(&self, vreg: VReg) -> bool {
        self.read.contains(vreg)
    }
}

/// The registers among the operands, with duplicates.
fn registers_of(reduction: &Reduction) -> impl Iterator<Item = VReg> {
    reduction.pairs.iter().flatten().filter_map(|src| match src.kind {
        SrcKind::VReg(vreg) => Some(vreg),
        _ => None,
    })
}
