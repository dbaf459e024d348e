//! Facts about registers that are known before scheduling and do not change.

use cranelift_entity::{EntitySet, SecondaryMap};

use crate::accesses::Accesses;
use crate::sums::Sums;
use r600_mir::{Block, Function, Node, OpId, Region, VReg};

/// Facts about a register's reads and writes in the whole program.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    reads: u32,
    /// The operations that read it.
    readers: Readers,
    writes: u32,
    /// Whether it is read before any write: it is live on entry, or its value does not matter.
    is_read_first: bool,
    /// The block of all its reads and writes, if there is just one.
    block: BlockUse,
    /// Whether it stays live to the end, as loop-carried values do.
    is_pinned: bool,
}

/// A set of operations, kept as the xor of their numbers. It can only name a sole member.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Readers(u32);

impl Readers {
    /// Inserts `op`, or removes it if it is a member.
    pub(crate) fn toggle(&mut self, op: OpId) {
        self.0 ^= op.as_u32();
    }

    /// The sole member. With any other number of members, an arbitrary id that may belong to no operation.
    pub(crate) fn only(self) -> OpId {
        OpId::from_u32(self.0)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum BlockUse {
    #[default]
    None,
    One(Block),
    Many,
}

/// Facts about registers that scheduling does not change.
#[derive(Debug)]
pub(crate) struct RegisterFacts {
    uses: SecondaryMap<VReg, Uses>,
    pub(crate) accesses: Accesses,
    pub(crate) sums: Sums,
}

impl RegisterFacts {
    /// The facts about `function`.
    pub(crate) fn of(function: &Function) -> Self {
        let accesses = Accesses::of(function);
        let mut in_loop = EntitySet::new();
        blocks_in_loops(&function.body, false, &mut in_loop);
        let mut uses: SecondaryMap<VReg, Uses> = of_all(function);
        for &vreg in &function.live_in {
            uses[vreg].block = BlockUse::Many;
        }
        for (block, ops) in &function.blocks {
            let seen = |uses: &mut Uses| {
                uses.block = match uses.block {
                    BlockUse::None => BlockUse::One(block),
                    BlockUse::One(other) if other == block => BlockUse::One(block),
                    BlockUse::One(_) | BlockUse::Many => BlockUse::Many,
                };
                uses.is_pinned |= in_loop.contains(block);
            };
            for &op in ops {
                for read in accesses.reads(op) {
                    uses[read.vreg].reads += read.count;
                    uses[read.vreg].readers.toggle(op);
                    uses[read.vreg].is_read_first |= uses[read.vreg].writes == 0;
                    seen(&mut uses[read.vreg]);
                }
                for &vreg in accesses.writes(op) {
                    uses[vreg].writes += 1;
                    seen(&mut uses[vreg]);
                }
            }
        }
        for vreg in function.vregs.keys() {
            uses[vreg].is_pinned &= uses[vreg].block == BlockUse::Many;
        }
        Self { uses, accesses, sums: Sums::of(function) }
    }

    /// Whether all reads and writes of a register are in one block.
    pub(crate) fn is_in_one_block(&self, vreg: VReg) -> bool {
        self.uses[vreg].block != BlockUse::Many
    }

    /// How often a register is read.
    pub(crate) fn num_reads(&self, vreg: VReg) -> u32 {
        self.uses[vreg].reads
    }

    /// The operations that read a register.
    pub(crate) fn readers(&self, vreg: VReg) -> Readers {
        self.uses[vreg].readers
    }

    /// Whether a register is read before anything writes it.
    pub(crate) fn is_read_first(&self, vreg: VReg) -> bool {
        self.uses[vreg].is_read_first
    }

    /// Whether a register keeps its value to the end.
    pub(crate) fn is_pinned(&self, vreg: VReg) -> bool {
        self.uses[vreg].is_pinned
    }

    /// Whether one write and all reads of a register are in `block`.
    pub(crate) fn is_local(&self, vreg: VReg, block: Block) -> bool {
        self.uses[vreg].writes == 1 && self.uses[vreg].block == BlockUse::One(block)
    }
}

/// A map with room for all registers of `function`. Growing one by one would take longer.
pub(crate) fn of_all<V: Clone + Default>(function: &Function) -> SecondaryMap<VReg, V> {
    let mut map = SecondaryMap::new();
    map.resize(function.vregs.len());
    map
}

fn blocks_in_loops(region: &Region, in_loop: bool, out: &mut EntitySet<Block>) {
    for node in &region.nodes {
        match node {
            Node::Block(block) if in_loop => {
                out.insert(*block);
            }
            Node::If { then, otherwise } => {
                blocks_in_loops(then, in_loop, out);
                blocks_in_loops(otherwise, in_loop, out);
            }
            Node::Loop { body } => blocks_in_loops(body, true, out),
            Node::Block(_) | Node::Break | Node::Continue => {}
        }
    }
}
