//! Virtual registers while code is scheduled: their channels, and which of them hold values still wanted.

use arrayvec::ArrayVec;
use cranelift_entity::{EntitySet, SecondaryMap};
use r600_isa::Chan;

use crate::SchedError;
use crate::accesses::{Accesses, Reads};
use crate::sums::{MAX_IN_CHANNEL, Sums};
use r600_mir::{Block, Function, Node, OpId, Region, VReg};

/// What is known of a register's reads and writes in the whole program.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    reads: u32,
    writes: u32,
    /// Whether it is read before anything writes it: it is there on entry, or its value does not matter.
    is_read_first: bool,
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
    pub(crate) accesses: Accesses,
    sums: Sums,
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

    /// Whether a register keeps its value to the end.
    pub(crate) fn is_pinned(&self, vreg: VReg) -> bool {
        self.uses[vreg].is_pinned
    }

    /// Whether one write and all reads of a register are in `block`.
    pub(crate) fn is_local(&self, vreg: VReg, block: Block) -> bool {
        self.uses[vreg].writes == 1 && self.uses[vreg].block == BlockUse::One(block)
    }
}

/// A map that has room for all registers of `function`: growing one by one takes longer.
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
    /// All channels, those with the fewest values first.
    order: [Chan; 4],
    unreached_limit: u32,
}

impl<'a> Registers<'a> {
    pub(crate) fn new(
        function: &'a Function,
        facts: &'a RegisterFacts,
    ) -> Result<Self, SchedError> {
        let mut registers = Self {
            function,
            facts,
            chans: of_all(function),
            reads_left: of_all(function),
            is_live: EntitySet::with_capacity(function.vregs.len()),
            live: [0; 4],
            given: [0; 4],
            order: Chan::ALL,
            unreached_limit: 0,
        };
        for (vreg, info) in &function.vregs {
            registers.reads_left[vreg] = facts.uses[vreg].reads;
            if let Some(chan) = info.chan {
                registers.settle(vreg, chan);
            }
        }
        registers.settle_early()?;
        for &vreg in &function.live_in {
            registers.write(vreg)?;
        }
        registers.sort_channels();
        Ok(registers)
    }

    /// Settles what no write settles before it is read: what is there on entry, and what has no value, as after a
    /// loop without end.
    fn settle_early(&mut self) -> Result<(), SchedError> {
        let (function, facts) = (self.function, self.facts);
        let early = function.vregs.keys().filter(|&vreg| facts.uses[vreg].is_read_first);
        for vreg in function.live_in.iter().copied().chain(early) {
            if self.chans[vreg].is_none() {
                let mut free = Chan::ALL.into_iter().filter(|&chan| self.may_take(vreg, chan));
                let chan = free.next().ok_or(SchedError::NoChannel(vreg))?;
                self.settle(vreg, chan);
            }
        }
        Ok(())
    }

    /// The channel of a register, where it is settled.
    pub(crate) fn chan(&self, vreg: VReg) -> Option<Chan> {
        self.chans[vreg]
    }

    /// The channel of a register that is read or holds a value.
    pub(crate) fn settled(&self, vreg: VReg) -> Result<Chan, SchedError> {
        self.chans[vreg].ok_or(SchedError::Unsettled(vreg))
    }

    /// Gives a register its channel.
    pub(crate) fn settle(&mut self, vreg: VReg, chan: Chan) {
        if self.chans[vreg].replace(chan).is_none() {
            self.given[chan as usize] += 1;
            self.sort_channels();
        }
    }

    fn sort_channels(&mut self) {
        self.order = sorted(self.order, self.live, self.given);
    }

    /// The channels of all registers. What nothing reads or writes takes any channel that its vector has left.
    pub(crate) fn into_chans(mut self) -> Result<SecondaryMap<VReg, Chan>, SchedError> {
        let mut chans = of_all(self.function);
        for vreg in self.function.vregs.keys() {
            let settled = self.chans[vreg];
            let free = || Chan::ALL.into_iter().find(|&chan| self.may_take(vreg, chan));
            let chan = settled.or_else(free).ok_or(SchedError::NoChannel(vreg))?;
            if settled.is_none() {
                self.settle(vreg, chan);
            }
            chans[vreg] = chan;
        }
        Ok(chans)
    }

    /// Whether a register may take `chan`: no other member of its vector has it.
    pub(crate) fn may_take(&self, vreg: VReg, chan: Chan) -> bool {
        let Some(vector) = self.function.vregs[vreg].vector else { return true };
        self.function.vectors[vector]
            .members
            .iter()
            .all(|&member| member == vreg || self.chan(member) != Some(chan))
    }

    /// The channels that a register written by `op` may get: those with the fewest values first.
    pub(crate) fn channel_choices(&self, vreg: VReg, op: OpId) -> ArrayVec<Chan, 4> {
        if let Some(chan) = self.chan(vreg) {
            return [chan].into_iter().collect();
        }
        let order = self.order_after(op);
        if self.function.vregs[vreg].vector.is_none() && self.facts.sums.is_empty() {
            return order.into();
        }
        let free = order.into_iter().filter(|&chan| self.may_take(vreg, chan)).collect();
        self.apart(vreg, free)
    }

    /// The channel for component `own` of what `op` fetches: its own where no other holds fewer values, so that results
    /// of several fetches share registers.
    pub(crate) fn fetched_channel(&self, vreg: VReg, op: OpId, own: Chan) -> Option<Chan> {
        let live = self.live_after(op);
        let choices = self.channel_choices(vreg, op);
        let best = *choices.first()?;
        let is_as_good = choices.contains(&own) && live[own as usize] <= live[best as usize];
        Some(if is_as_good { own } else { best })
    }

    /// All channels, those first that hold the fewest values once `op` has read its operands: a result may take the
    /// place of what is read for the last time.
    fn order_after(&self, op: OpId) -> [Chan; 4] {
        let live = self.live_after(op);
        if live == self.live { self.order } else { sorted(self.order, live, self.given) }
    }

    /// Values that each channel holds once `op` has read its operands.
    fn live_after(&self, op: OpId) -> [u32; 4] {
        let mut live = self.live;
        for &read in self.facts.accesses.reads(op) {
            if self.ends_with(read)
                && self.is_live.contains(read.vreg)
                && let Some(chan) = self.chan(read.vreg)
            {
                live[chan as usize] -= 1;
            }
        }
        live
    }

    /// Of the channels `choices` for a register those where reductions can read it beside their other operands, the
    /// least crowded first; all where there are none such.
    fn apart(&self, vreg: VReg, choices: ArrayVec<Chan, 4>) -> ArrayVec<Chan, 4> {
        let sums = &self.facts.sums;
        if sums.is_empty() {
            return choices;
        }
        let crowd = |chan: Chan| sums.crowd(self.function, &self.chans, vreg, chan);
        let readable: ArrayVec<(usize, Chan), 4> = choices
            .iter()
            .map(|&chan| (crowd(chan), chan))
            .filter(|(crowd, _)| *crowd <= MAX_IN_CHANNEL)
            .collect();
        if readable.is_empty() {
            return choices;
        }
        // Two in a channel are as good as one.
        let (crowded, free): (ArrayVec<_, 4>, ArrayVec<_, 4>) =
            readable.into_iter().partition(|(crowd, _)| *crowd > 2);
        free.into_iter().chain(crowded).map(|(_, chan)| chan).collect()
    }

    /// Whether a register may get `chan`.
    pub(crate) fn may_get(&self, vreg: VReg, chan: Chan) -> bool {
        self.chan(vreg).map_or_else(|| self.may_take(vreg, chan), |settled| settled == chan)
    }

    /// Values in the channel that holds most.
    fn pressure(&self) -> u32 {
        self.live.into_iter().max().unwrap_or(0)
    }

    /// Whether as many values are live as `limit` allows.
    pub(crate) fn is_pressed(&mut self, limit: Option<u32>) -> bool {
        let pressure = self.pressure();
        self.unreached_limit = self.unreached_limit.max(pressure + 1);
        limit.is_some_and(|limit| pressure >= limit)
    }

    /// How many of `wanted` more values may become live before `limit` is reached.
    pub(crate) fn budget(&mut self, limit: Option<u32>, wanted: usize) -> usize {
        let pressure = self.pressure();
        self.unreached_limit = self.unreached_limit.max(pressure + wanted as u32);
        limit.map_or(wanted, |limit| wanted.min(limit.saturating_sub(pressure) as usize))
    }

    /// The least limit that would have given the same answers as none at all.
    pub(crate) fn unreached_limit(&self) -> u32 {
        self.unreached_limit
    }

    /// By how much `op` changes the number of values to keep.
    pub(crate) fn effect_of(&self, op: OpId) -> i32 {
        let accesses = &self.facts.accesses;
        let begins = accesses
            .writes(op)
            .iter()
            .filter(|&&vreg| !self.is_live.contains(vreg) && self.facts.uses[vreg].reads > 0);
        let ends = accesses.reads(op).iter().filter(|read| self.ends_with(**read));
        begins.count() as i32 - ends.count() as i32
    }

    /// Whether a register is not wanted after a read that comes next.
    fn ends_with(&self, Reads { vreg, count }: Reads) -> bool {
        self.reads_left[vreg] == count && !self.facts.uses[vreg].is_pinned
    }

    /// Notes that `op` was scheduled: its registers' channels are settled.
    pub(crate) fn account(&mut self, op: OpId) -> Result<(), SchedError> {
        let facts = self.facts;
        for &read in facts.accesses.reads(op) {
            self.read(read)?;
        }
        for &vreg in facts.accesses.writes(op) {
            self.write(vreg)?;
        }
        self.sort_channels();
        Ok(())
    }

    fn read(&mut self, Reads { vreg, count }: Reads) -> Result<(), SchedError> {
        let left = self.reads_left[vreg].checked_sub(count);
        self.reads_left[vreg] = left.ok_or(SchedError::Miscounted(vreg))?;
        let ends = self.reads_left[vreg] == 0 && !self.facts.uses[vreg].is_pinned;
        if ends && self.is_live.remove(vreg) {
            self.live[self.settled(vreg)? as usize] -= 1;
        }
        Ok(())
    }

    fn write(&mut self, vreg: VReg) -> Result<(), SchedError> {
        if self.reads_left[vreg] > 0 && self.is_live.insert(vreg) {
            self.live[self.settled(vreg)? as usize] += 1;
        }
        Ok(())
    }
}

/// The channels of `order` by the values that are `live` in each, then by the registers that each was `given`.
fn sorted(mut order: [Chan; 4], live: [u32; 4], given: [u32; 4]) -> [Chan; 4] {
    let key = |chan: Chan| (live[chan as usize], given[chan as usize], chan as usize);
    let mut in_order = |a: usize, b: usize| {
        if key(order[b]) < key(order[a]) {
            order.swap(a, b);
        }
    };
    // The shortest network that sorts four.
    [(0, 1), (2, 3), (0, 2), (1, 3), (1, 2)].into_iter().for_each(|(a, b)| in_order(a, b));
    order
}
