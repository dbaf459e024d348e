//! Virtual registers while code is scheduled: their channels, and which of them hold values still wanted.

use arrayvec::ArrayVec;
use cranelift_entity::{EntitySet, SecondaryMap};
use r600_isa::Chan;

use crate::deps::{for_each_read, for_each_write};
use crate::machine::{Block, Function, Node, Op, Region, VReg};

/// What is known of a register's reads and writes in the whole program.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    reads: u32,
    writes: u32,
    /// The block of its reads and writes, while there is only one.
    block: BlockUse,
    /// Whether it keeps its value to the end: what loops carry does.
    is_pinned: bool,
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
}

impl RegisterFacts {
    /// The facts about `function`.
    pub(crate) fn of(function: &Function) -> Self {
        let mut in_loop = EntitySet::new();
        blocks_in_loops(&function.body, false, &mut in_loop);
        let mut uses: SecondaryMap<VReg, Uses> = SecondaryMap::with_capacity(function.vregs.len());
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
                for_each_read(&function.ops[op], |vreg| {
                    uses[vreg].reads += 1;
                    seen(&mut uses[vreg]);
                });
                for_each_write(&function.ops[op], |vreg| {
                    uses[vreg].writes += 1;
                    seen(&mut uses[vreg]);
                });
            }
        }
        for vreg in function.vregs.keys() {
            uses[vreg].is_pinned &= uses[vreg].block == BlockUse::Many;
        }
        Self { uses }
    }

    /// Whether one write and all reads of a register are in `block`.
    pub(crate) fn is_local(&self, vreg: VReg, block: Block) -> bool {
        self.uses[vreg].writes == 1 && self.uses[vreg].block == BlockUse::One(block)
    }
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

/// Registers in the course of scheduling.
#[derive(Debug)]
pub(crate) struct Registers<'a> {
    function: &'a Function,
    facts: &'a RegisterFacts,
    chans: SecondaryMap<VReg, Option<Chan>>,
    reads_left: SecondaryMap<VReg, u32>,
    is_live: EntitySet<VReg>,
    /// Registers of each channel that hold a value still wanted.
    live: [u32; 4],
    /// Registers that were given each channel so far.
    given: [u32; 4],
}

impl<'a> Registers<'a> {
    pub(crate) fn new(function: &'a Function, facts: &'a RegisterFacts) -> Self {
        let mut registers = Self {
            function,
            facts,
            chans: SecondaryMap::with_capacity(function.vregs.len()),
            reads_left: SecondaryMap::with_capacity(function.vregs.len()),
            is_live: EntitySet::with_capacity(function.vregs.len()),
            live: [0; 4],
            given: [0; 4],
        };
        for (vreg, info) in &function.vregs {
            registers.reads_left[vreg] = facts.uses[vreg].reads;
            if let Some(chan) = info.chan {
                registers.settle(vreg, chan);
            }
        }
        function.live_in.iter().for_each(|&vreg| registers.write(vreg));
        registers
    }

    /// The channel of a register, where it is settled.
    pub(crate) fn chan(&self, vreg: VReg) -> Option<Chan> {
        self.chans[vreg]
    }

    /// Gives a register its channel.
    pub(crate) fn settle(&mut self, vreg: VReg, chan: Chan) {
        if self.chans[vreg].replace(chan).is_none() {
            self.given[chan as usize] += 1;
            // Until now it counted where a register without a channel does.
            if self.is_live.contains(vreg) {
                self.live[Chan::default() as usize] -= 1;
                self.live[chan as usize] += 1;
            }
        }
    }

    /// The channels of all registers.
    pub(crate) fn into_chans(self) -> SecondaryMap<VReg, Chan> {
        let mut chans = SecondaryMap::with_capacity(self.function.vregs.len());
        for vreg in self.function.vregs.keys() {
            chans[vreg] = self.chans[vreg].unwrap_or_default();
        }
        chans
    }

    /// Whether a register may take `chan`: no other member of its vector has it.
    pub(crate) fn may_take(&self, vreg: VReg, chan: Chan) -> bool {
        let Some(vector) = self.function.vregs[vreg].vector else { return true };
        self.function.vectors[vector]
            .members
            .iter()
            .all(|&member| member == vreg || self.chan(member) != Some(chan))
    }

    /// The channels that a register may get: those with the fewest values first.
    pub(crate) fn channel_choices(&self, vreg: VReg) -> ArrayVec<Chan, 4> {
        if let Some(chan) = self.chan(vreg) {
            return [chan].into_iter().collect();
        }
        let mut choices: ArrayVec<Chan, 4> =
            Chan::ALL.into_iter().filter(|&chan| self.may_take(vreg, chan)).collect();
        choices.sort_by_key(|&chan| (self.live[chan as usize], self.given[chan as usize]));
        choices
    }

    /// Values in the channel that holds most.
    pub(crate) fn pressure(&self) -> u32 {
        self.live.into_iter().max().unwrap_or(0)
    }

    /// By how much `op` changes the number of values to keep.
    pub(crate) fn effect_of(&self, op: &Op) -> i32 {
        let mut effect = 0;
        for_each_write(op, |vreg| {
            effect += i32::from(!self.is_live.contains(vreg) && self.facts.uses[vreg].reads > 0);
        });
        let mut reads: ArrayVec<VReg, 24> = ArrayVec::new();
        for_each_read(op, |vreg| {
            let _ = reads.try_push(vreg);
        });
        for (n, vreg) in reads.iter().enumerate() {
            let own = reads.iter().filter(|other| *other == vreg).count() as u32;
            let ends = self.reads_left[*vreg] == own && !self.facts.uses[*vreg].is_pinned;
            effect -= i32::from(ends && !reads[..n].contains(vreg));
        }
        effect
    }

    /// Notes that `op` was scheduled: its registers' channels are settled.
    pub(crate) fn account(&mut self, op: &Op) {
        for_each_read(op, |vreg| self.read(vreg));
        for_each_write(op, |vreg| self.write(vreg));
    }

    fn read(&mut self, vreg: VReg) {
        self.reads_left[vreg] = self.reads_left[vreg].saturating_sub(1);
        let ends = self.reads_left[vreg] == 0 && !self.facts.uses[vreg].is_pinned;
        if ends && self.is_live.remove(vreg) {
            self.live[self.chan(vreg).unwrap_or_default() as usize] -= 1;
        }
    }

    fn write(&mut self, vreg: VReg) {
        if self.reads_left[vreg] > 0 && self.is_live.insert(vreg) {
            self.live[self.chan(vreg).unwrap_or_default() as usize] += 1;
        }
    }
}
