//! List scheduling: fills groups from the operations that are ready, most urgent first.

use std::collections::BTreeSet;

use arrayvec::ArrayVec;
use cranelift_entity::SecondaryMap;
use r600_isa::{AluOp, Chan, Generation, IndexMode, Omod, Slot, Slots};

use crate::deps::{Graph, for_each_read, for_each_write};
use crate::group::{Candidate, GroupBuilder};
use crate::kcache::Windows;
use crate::machine::{
    Alu, Block, Dst, Fetch, FixedSlots, Function, Op, OpId, Reduction, Replicated, Src, SrcKind,
    VReg,
};
use crate::schedule::{
    AluClause, Clause, Group, Placed, PlacedDst, PlacedSel, PlacedSrc, Schedule,
};
use crate::{Options, SchedError};

/// 64-bit units of an ALU clause.
const MAX_CLAUSE_UNITS: usize = 128;

/// Units that must be left in a clause when an address is loaded for use in it.
const ADDRESS_ROOM: usize = 16;

/// Ready operations looked at for one group.
const MAX_TRIED: usize = 40;

/// Schedules every block of `function`.
pub(crate) fn schedule(function: &Function, options: &Options) -> Result<Schedule, SchedError> {
    let mut cx = Scheduler::new(function, options);
    for (block, ops) in &function.blocks {
        let clauses = BlockScheduler::new(&mut cx, block, ops).run()?;
        cx.schedule.blocks[block] = clauses;
    }
    Ok(cx.schedule)
}

/// What blocks share.
struct Scheduler<'a> {
    function: &'a Function,
    options: &'a Options,
    generation: Generation,
    schedule: Schedule,
    /// Registers whose channel is settled.
    settled: SecondaryMap<VReg, bool>,
    /// The only block that reads a register; `None` where several do, or none.
    reading_block: SecondaryMap<VReg, Readers>,
    num_writes: SecondaryMap<VReg, u32>,
    /// Registers settled in each channel so far, to keep channels even.
    load: [u32; 4],
}

/// Which blocks read a register.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Readers {
    #[default]
    None,
    One(Block),
    Many,
}

impl<'a> Scheduler<'a> {
    fn new(function: &'a Function, options: &'a Options) -> Self {
        let mut cx = Self {
            function,
            options,
            generation: function.chip.generation(),
            schedule: Schedule::default(),
            settled: SecondaryMap::with_capacity(function.vregs.len()),
            reading_block: SecondaryMap::with_capacity(function.vregs.len()),
            num_writes: SecondaryMap::with_capacity(function.vregs.len()),
            load: [0; 4],
        };
        for (vreg, info) in &function.vregs {
            if let Some(chan) = info.chan {
                cx.settle(vreg, chan);
            }
        }
        for (block, ops) in &function.blocks {
            for &op in ops {
                for_each_read(&function.ops[op], |vreg| {
                    cx.reading_block[vreg] = match cx.reading_block[vreg] {
                        Readers::None => Readers::One(block),
                        Readers::One(other) if other == block => Readers::One(block),
                        Readers::One(_) | Readers::Many => Readers::Many,
                    };
                });
                for_each_write(&function.ops[op], |vreg| cx.num_writes[vreg] += 1);
            }
        }
        cx
    }

    fn settle(&mut self, vreg: VReg, chan: Chan) {
        if !std::mem::replace(&mut self.settled[vreg], true) {
            self.load[chan as usize] += 1;
        }
        self.schedule.chans[vreg] = chan;
    }

    /// The channel of a register, where it is settled.
    fn chan(&self, vreg: VReg) -> Option<Chan> {
        self.settled[vreg].then(|| self.schedule.chans[vreg])
    }

    /// Whether a register may take `chan`: no other member of its vector has it.
    fn may_take(&self, vreg: VReg, chan: Chan) -> bool {
        let Some(vector) = self.function.vregs[vreg].vector else { return true };
        self.function.vectors[vector]
            .members
            .iter()
            .all(|&member| member == vreg || self.chan(member) != Some(chan))
    }

    /// The channels that a register may get, best first.
    fn channel_choices(&self, vreg: VReg) -> ArrayVec<Chan, 4> {
        if let Some(chan) = self.chan(vreg) {
            return [chan].into_iter().collect();
        }
        let mut choices: ArrayVec<Chan, 4> =
            Chan::ALL.into_iter().filter(|&chan| self.may_take(vreg, chan)).collect();
        choices.sort_by_key(|&chan| self.load[chan as usize]);
        choices
    }
}

/// Where the last group of the clause left a result.
#[derive(Clone, Copy)]
enum Forward {
    Pv(Chan),
    Ps,
}

/// The state of scheduling one block.
struct BlockScheduler<'s, 'a> {
    cx: &'s mut Scheduler<'a>,
    block: Block,
    ops: &'a [OpId],
    graph: Graph,
    /// Edges from operations not scheduled yet.
    waiting: Vec<u32>,
    /// First group an operation may be in.
    earliest: Vec<u32>,
    ready_alu: BTreeSet<(std::cmp::Reverse<u32>, u32)>,
    /// Operations that wait for the next group only.
    soon: Vec<u32>,
    ready_fetch: Vec<u32>,
    ready_export: Vec<u32>,
    /// For each operation, whether it feeds a fetch that no other fetch feeds.
    feeds_fetch: Vec<bool>,
    left_alu: usize,
    time: u32,
    clauses: Vec<Clause>,
    open: Option<OpenClause>,
    /// Reads of each register in this block still to come, and those that were forwarded.
    unforwarded: SecondaryMap<VReg, u32>,
}

/// An ALU clause being filled.
struct OpenClause {
    groups: Vec<Group>,
    windows: Windows,
    units: usize,
    /// Results of the last group.
    forward: Vec<(VReg, Forward)>,
    /// What the address register holds.
    address: Option<VReg>,
}

impl<'s, 'a> BlockScheduler<'s, 'a> {
    fn new(cx: &'s mut Scheduler<'a>, block: Block, ops: &'a [OpId]) -> Self {
        let graph = Graph::build(cx.function, ops);
        let waiting = graph.num_predecessors.clone();
        let feeds_fetch = feeds_fetch(cx.function, ops, &graph);
        let left_alu = ops.iter().filter(|&&op| is_alu(&cx.function.ops[op])).count();
        Self {
            cx,
            block,
            ops,
            waiting,
            earliest: vec![0; ops.len()],
            graph,
            ready_alu: BTreeSet::new(),
            soon: Vec::new(),
            ready_fetch: Vec::new(),
            ready_export: Vec::new(),
            feeds_fetch,
            left_alu,
            time: 0,
            clauses: Vec::new(),
            open: None,
            unforwarded: SecondaryMap::new(),
        }
    }

    fn op(&self, at: u32) -> &'a Op {
        &self.cx.function.ops[self.ops[at as usize]]
    }

    fn run(mut self) -> Result<Vec<Clause>, SchedError> {
        for at in 0..self.ops.len() as u32 {
            if self.waiting[at as usize] == 0 {
                self.becomes_ready(at);
            }
        }
        loop {
            self.wake();
            if self.fetches_first() {
                self.close_clause();
                self.fetch_clause()?;
            } else if !self.ready_alu.is_empty() {
                self.fill_group()?;
            } else if !self.ready_export.is_empty() && self.left_alu == 0 {
                self.close_clause();
                self.exports();
            } else if !self.soon.is_empty() {
                // Nothing can go in this group: the next one comes.
                self.time += 1;
            } else {
                break;
            }
        }
        self.close_clause();
        self.drop_forwarded_writes();
        Ok(self.clauses)
    }

    fn becomes_ready(&mut self, at: u32) {
        match self.op(at) {
            Op::Fetch(_) => self.ready_fetch.push(at),
            Op::Export(_) => self.ready_export.push(at),
            _ if self.earliest[at as usize] > self.time => self.soon.push(at),
            _ => {
                self.ready_alu.insert((std::cmp::Reverse(self.urgency(at)), at));
            }
        }
    }

    fn urgency(&self, at: u32) -> u32 {
        let boost = if self.feeds_fetch[at as usize] { 1 << 20 } else { 0 };
        self.graph.height[at as usize] + boost
    }

    /// Makes operations ready that waited for a group to pass.
    fn wake(&mut self) {
        let soon = std::mem::take(&mut self.soon);
        for at in soon {
            self.becomes_ready(at);
        }
    }

    /// An operation was scheduled in the group at the current time.
    fn done(&mut self, at: u32) {
        let edges = std::mem::take(&mut self.graph.successors[at as usize]);
        for edge in edges {
            let to = edge.to as usize;
            self.earliest[to] = self.earliest[to].max(self.time + edge.distance);
            self.waiting[to] -= 1;
            if self.waiting[to] == 0 {
                self.becomes_ready(edge.to);
            }
        }
    }

    /// Whether a fetch clause comes before more ALU operations: some fetch is ready, and nothing left feeds
    /// another that could go with it.
    fn fetches_first(&self) -> bool {
        if self.ready_fetch.is_empty() {
            return false;
        }
        let feeder = |at: u32| self.feeds_fetch[at as usize];
        !self.ready_alu.iter().any(|&(_, at)| feeder(at)) && !self.soon.iter().any(|&at| feeder(at))
    }

    fn fetch_clause(&mut self) -> Result<(), SchedError> {
        let limit = match self.cx.generation {
            Generation::R600 => 8,
            Generation::R700 | Generation::Evergreen | Generation::Cayman => 16,
        };
        let mut clause = Vec::new();
        let mut steps = 0;
        let ready = std::mem::take(&mut self.ready_fetch);
        for at in ready {
            let Op::Fetch(fetch) = self.op(at) else { continue };
            if steps + fetch.steps.len() > limit {
                self.ready_fetch.push(at);
                continue;
            }
            steps += fetch.steps.len();
            self.settle_fetch(fetch)?;
            clause.push(at);
        }
        self.clauses.push(Clause::Fetch(clause.iter().map(|&at| self.ops[at as usize]).collect()));
        self.time += 1;
        for at in clause {
            self.done(at);
        }
        Ok(())
    }

    /// Results of a fetch can go to any channels: those of the components where they are free.
    fn settle_fetch(&mut self, fetch: &Fetch) -> Result<(), SchedError> {
        for step in &fetch.steps {
            for (chan, dst) in Chan::ALL.into_iter().zip(step.dst) {
                let Some(vreg) = dst else { continue };
                if self.cx.chan(vreg).is_some() {
                    continue;
                }
                let chosen = if self.cx.may_take(vreg, chan) {
                    chan
                } else {
                    *self.cx.channel_choices(vreg).first().ok_or(SchedError::NoChannel(vreg))?
                };
                self.cx.settle(vreg, chosen);
            }
        }
        Ok(())
    }

    fn exports(&mut self) {
        let mut ready = std::mem::take(&mut self.ready_export);
        ready.sort_unstable();
        for at in ready {
            self.clauses.push(Clause::Export(self.ops[at as usize]));
            self.time += 1;
            self.done(at);
        }
    }

    fn open_clause(&mut self) -> &mut OpenClause {
        let generation = self.cx.generation;
        self.open.get_or_insert_with(|| OpenClause {
            groups: Vec::new(),
            windows: Windows::new(generation),
            units: 0,
            forward: Vec::new(),
            address: None,
        })
    }

    /// Ends the open clause: numbers its constants.
    fn close_clause(&mut self) {
        let Some(mut clause) = self.open.take() else { return };
        for placed in clause.groups.iter_mut().flat_map(|g| &mut g.slots).flatten() {
            for src in &mut placed.src {
                if let PlacedSel::Uniform { bank, index, chan } = src.sel
                    && let Some((set, within)) = clause.windows.select(bank, index)
                {
                    src.sel = PlacedSel::Kcache { set, index: within, chan };
                }
            }
        }
        let kcache = clause.windows.finish();
        self.clauses.push(Clause::Alu(AluClause { groups: clause.groups, kcache }));
    }

    /// Fills one group and closes it.
    fn fill_group(&mut self) -> Result<(), SchedError> {
        if self.needs_address()? {
            return Ok(());
        }
        self.open_clause();
        let mut builder = GroupBuilder::new(self.cx.generation);
        let mut placed = Vec::new();
        let first_pass: Vec<u32> =
            self.ready_alu.iter().take(MAX_TRIED).map(|&(_, at)| at).collect();
        self.try_all(&first_pass, false, &mut builder, &mut placed)?;
        let rest: Vec<u32> = first_pass.into_iter().filter(|at| !placed.contains(at)).collect();
        if self.cx.options.pack || placed.is_empty() {
            self.try_all(&rest, true, &mut builder, &mut placed)?;
        }
        if placed.is_empty() {
            return self.nothing_fits();
        }
        self.close_group(builder);
        Ok(())
    }

    /// A group stays empty only for want of constant windows or of room: a new clause has both.
    fn nothing_fits(&mut self) -> Result<(), SchedError> {
        // A fresh clause may hold the load of an address, which is no operation of the block.
        let fresh = self.open.as_ref().is_none_or(|open| {
            open.groups.iter().flat_map(Group::iter).all(|(_, placed)| placed.node.is_none())
        });
        if fresh {
            let stuck = self.ready_alu.first().map(|&(_, at)| self.ops[at as usize]);
            return Err(SchedError::Impossible(stuck.unwrap_or(self.ops[0])));
        }
        self.close_clause();
        Ok(())
    }

    fn try_all(
        &mut self,
        candidates: &[u32],
        may_use_trans: bool,
        builder: &mut GroupBuilder,
        placed: &mut Vec<u32>,
    ) -> Result<(), SchedError> {
        for &at in candidates {
            if builder.is_full() || (!self.cx.options.pack && !placed.is_empty()) {
                break;
            }
            if self.try_place(at, may_use_trans, builder)? {
                self.ready_alu.remove(&(std::cmp::Reverse(self.urgency(at)), at));
                placed.push(at);
                self.left_alu -= 1;
                self.done(at);
            }
        }
        Ok(())
    }

    /// Places one operation in the group; false when it does not fit.
    fn try_place(
        &mut self,
        at: u32,
        may_use_trans: bool,
        builder: &mut GroupBuilder,
    ) -> Result<bool, SchedError> {
        if self.earliest[at as usize] > self.time || !self.has_address(at) {
            return Ok(false);
        }
        let windows = self.open_clause().windows.clone();
        if !self.lock_constants(at) {
            self.open_clause().windows = windows;
            return Ok(false);
        }
        let candidates = self.candidates(at, may_use_trans, builder)?;
        for candidate in candidates {
            let mut next = builder.clone();
            if !next.place(&candidate)
                || self.open_clause().units + next.num_units() > MAX_CLAUSE_UNITS
            {
                continue;
            }
            *builder = next;
            for (_, placed) in &candidate {
                if let PlacedDst::VReg(vreg) = placed.dst {
                    self.cx.settle(vreg, placed.chan);
                }
            }
            self.count_reads(&candidate);
            return Ok(true);
        }
        self.open_clause().windows = windows;
        Ok(false)
    }

    /// Whether the address register holds what an operation needs there.
    fn has_address(&mut self, at: u32) -> bool {
        let Op::Alu(Alu { index: Some(index), .. }) = *self.op(at) else { return true };
        self.open_clause().address == Some(index)
    }

    /// Reads that were not forwarded keep their register's write alive.
    fn count_reads(&mut self, candidate: &Candidate) {
        for (_, placed) in candidate {
            for src in &placed.src {
                if let PlacedSel::VReg(vreg, _) = src.sel {
                    self.unforwarded[vreg] += 1;
                }
            }
        }
    }

    fn lock_constants(&mut self, at: u32) -> bool {
        let mut fits = true;
        let op = self.op(at);
        let windows = &mut self.open_clause().windows;
        for_each_source(op, |src| {
            if let SrcKind::Uniform { bank, index, .. } = src.kind {
                fits = fits && windows.lock(bank, index);
            }
        });
        fits
    }

    /// The ways to place an operation, best first.
    fn candidates(
        &self,
        at: u32,
        may_use_trans: bool,
        builder: &GroupBuilder,
    ) -> Result<Vec<Candidate>, SchedError> {
        let node = self.ops[at as usize];
        match self.op(at) {
            Op::Alu(alu) => self.alu_candidates(node, alu, may_use_trans, builder),
            Op::Reduction(reduction) => Ok(self.reduction_candidates(node, reduction)),
            Op::Replicated(replicated) => Ok(self.replicated_candidates(node, replicated)),
            Op::FixedSlots(fixed) => Ok(self.fixed_candidate(node, fixed).into_iter().collect()),
            Op::Fetch(_) | Op::Export(_) => Ok(Vec::new()),
        }
    }

    fn alu_candidates(
        &self,
        node: OpId,
        alu: &Alu,
        may_use_trans: bool,
        builder: &GroupBuilder,
    ) -> Result<Vec<Candidate>, SchedError> {
        let slots = alu.op.slots(self.cx.generation).ok_or(SchedError::Unsupported(alu.op))?;
        let choices = match alu.dst {
            Dst::VReg(vreg) => self.cx.channel_choices(vreg),
            Dst::Element(element) => [element.chan].into_iter().collect(),
            Dst::None => Chan::ALL.into_iter().collect(),
        };
        let mut out = Vec::new();
        let mut add = |slot: Slot, chan: Chan| {
            let placed = self.placed(node, alu, chan);
            out.push([(slot, placed)].into_iter().collect());
        };
        match slots {
            Slots::Trans => choices.iter().for_each(|&chan| add(Slot::T, chan)),
            Slots::X => add(Slot::X, Chan::X),
            Slots::Any | Slots::Vector => {
                for &chan in choices.iter().filter(|&&chan| builder.is_free(Slot::vector(chan))) {
                    add(Slot::vector(chan), chan);
                }
                if slots == Slots::Any && may_use_trans && self.trans_allowed(alu) {
                    let taken = |chan: &&Chan| !builder.is_free(Slot::vector(**chan));
                    choices.iter().filter(taken).for_each(|&chan| add(Slot::T, chan));
                }
            }
            _ => return Err(SchedError::Unsupported(alu.op)),
        }
        Ok(out)
    }

    /// Multiply-adds are kept out of the trans slot of the older chips, where one misbehaves.
    fn trans_allowed(&self, alu: &Alu) -> bool {
        let old = matches!(self.cx.generation, Generation::R600 | Generation::R700);
        let muladd = matches!(
            alu.op,
            AluOp::Muladd
                | AluOp::MuladdM2
                | AluOp::MuladdM4
                | AluOp::MuladdD2
                | AluOp::MuladdIeee
                | AluOp::MuladdIeeeM2
                | AluOp::MuladdIeeeM4
                | AluOp::MuladdIeeeD2
        );
        let is_kept_out = alu.update_exec_mask || old && muladd;
        !is_kept_out && self.cx.generation.has_trans_slot()
    }

    fn placed(&self, node: OpId, alu: &Alu, chan: Chan) -> Placed {
        Placed {
            node: Some(node),
            op: alu.op,
            dst: match alu.dst {
                Dst::None => PlacedDst::None,
                Dst::VReg(vreg) => PlacedDst::VReg(vreg),
                Dst::Element(element) => PlacedDst::Element(element),
            },
            chan,
            src: alu.src.iter().map(|&src| self.source(src)).collect(),
            omod: alu.omod,
            clamp: alu.clamp,
            update_exec_mask: alu.update_exec_mask,
            index_mode: IndexMode::ArX,
            vec_210: false,
        }
    }

    fn source(&self, src: Src) -> PlacedSrc {
        let sel = match src.kind {
            SrcKind::VReg(vreg) => self.register_source(vreg),
            SrcKind::Const(bits) => PlacedSel::Const(bits),
            SrcKind::Uniform { bank, index, chan } => PlacedSel::Uniform { bank, index, chan },
            SrcKind::Element(element) => PlacedSel::Element(element),
            SrcKind::Special(sel, chan) => PlacedSel::Special(sel, chan),
        };
        PlacedSrc { sel, neg: src.neg, abs: src.abs }
    }

    /// A register, or where the last group left its value.
    fn register_source(&self, vreg: VReg) -> PlacedSel {
        let forward = self.open.as_ref().and_then(|open| {
            open.forward.iter().find(|(other, _)| *other == vreg).map(|(_, forward)| *forward)
        });
        match forward {
            Some(Forward::Pv(chan)) => PlacedSel::Pv(chan),
            Some(Forward::Ps) => PlacedSel::Ps,
            // A register that nothing wrote has no channel: any will do.
            None => PlacedSel::VReg(vreg, self.cx.chan(vreg).unwrap_or_default()),
        }
    }

    fn reduction_candidates(&self, node: OpId, reduction: &Reduction) -> Vec<Candidate> {
        let in_slots = |dst_chan: Chan| {
            Chan::ALL
                .into_iter()
                .zip(&reduction.pairs)
                .map(|(chan, pair)| {
                    let alu = Alu {
                        op: reduction.op,
                        dst: if chan == dst_chan { Dst::VReg(reduction.dst) } else { Dst::None },
                        src: pair.iter().copied().collect(),
                        omod: reduction.omod,
                        clamp: reduction.clamp,
                        update_exec_mask: false,
                        index: None,
                    };
                    (Slot::vector(chan), self.placed(node, &alu, chan))
                })
                .collect()
        };
        self.cx.channel_choices(reduction.dst).into_iter().map(in_slots).collect()
    }

    fn replicated_candidates(&self, node: OpId, replicated: &Replicated) -> Vec<Candidate> {
        let in_slots = |dst_chan: Chan| {
            let with_w = replicated.all_slots || dst_chan == Chan::W;
            let count = if with_w { 4 } else { 3 };
            Chan::ALL[..count]
                .iter()
                .map(|&chan| {
                    let alu = Alu {
                        op: replicated.op,
                        dst: if chan == dst_chan { Dst::VReg(replicated.dst) } else { Dst::None },
                        src: replicated.src.clone(),
                        omod: replicated.omod,
                        clamp: replicated.clamp,
                        update_exec_mask: false,
                        index: None,
                    };
                    (Slot::vector(chan), self.placed(node, &alu, chan))
                })
                .collect()
        };
        self.cx.channel_choices(replicated.dst).into_iter().map(in_slots).collect()
    }

    /// Fixed slots settle the channels of their results; `None` where one is settled otherwise.
    fn fixed_candidate(&self, node: OpId, fixed: &FixedSlots) -> Option<Candidate> {
        let mut out = Candidate::new();
        for (chan, alu) in &fixed.slots {
            if let Dst::VReg(vreg) = alu.dst
                && !self.cx.channel_choices(vreg).contains(chan)
            {
                return None;
            }
            let mut placed = self.placed(node, alu, *chan);
            placed.vec_210 = fixed.vec_210;
            out.push((Slot::vector(*chan), placed));
        }
        Some(out)
    }

    fn close_group(&mut self, builder: GroupBuilder) {
        let units = builder.num_units();
        let forward = forwards(&builder.group);
        let has_element_write =
            builder.group.iter().any(|(_, placed)| matches!(placed.dst, PlacedDst::Element(_)));
        let open = self.open_clause();
        open.units += units;
        open.forward = forward;
        open.groups.push(builder.group);
        self.time += 1;
        if has_element_write {
            self.separate_element_write();
        }
        if self.open.as_ref().is_some_and(|open| open.units + 7 > MAX_CLAUSE_UNITS) {
            self.close_clause();
        }
    }

    /// Chips of the first two generations read stale values where an array is written and read in groups that
    /// follow each other: a group of nothing comes between.
    fn separate_element_write(&mut self) {
        if !matches!(self.cx.generation, Generation::R600 | Generation::R700) {
            return;
        }
        let mut group = Group::default();
        group.slots[0] = Some(scheduler_inst(AluOp::AluNop, ArrayVec::new()));
        let open = self.open_clause();
        open.units += 1;
        open.forward.clear();
        open.groups.push(group);
        self.time += 1;
    }

    /// Loads the address register for the most urgent operation where it needs it; true when a group was
    /// spent on that.
    fn needs_address(&mut self) -> Result<bool, SchedError> {
        let Some(&(_, at)) = self.ready_alu.first() else { return Ok(false) };
        let Op::Alu(alu) = self.op(at) else { return Ok(false) };
        let Some(index) = alu.index else { return Ok(false) };
        if self.open_clause().units + ADDRESS_ROOM > MAX_CLAUSE_UNITS {
            self.close_clause();
        }
        if self.open_clause().address == Some(index) {
            return Ok(false);
        }
        let src = PlacedSrc { sel: self.register_source(index), neg: false, abs: false };
        if let PlacedSel::VReg(vreg, _) = src.sel {
            self.unforwarded[vreg] += 1;
        }
        let (op, slot) = address_load(self.cx.function.chip);
        let mut group = Group::default();
        group.slots[slot as usize] = Some(scheduler_inst(op, [src].into_iter().collect()));
        let open = self.open_clause();
        open.units += 1;
        open.forward.clear();
        open.address = Some(index);
        open.groups.push(group);
        self.time += 1;
        Ok(true)
    }

    /// Writes that every reader got by forwarding need not reach their register.
    fn drop_forwarded_writes(&mut self) {
        let mut clauses = std::mem::take(&mut self.clauses);
        for clause in &mut clauses {
            let Clause::Alu(alu) = clause else { continue };
            for placed in alu.groups.iter_mut().flat_map(|g| &mut g.slots).flatten() {
                if let PlacedDst::VReg(vreg) = placed.dst
                    && self.is_forwarded_only(vreg)
                    && !placed.op.is_op3()
                {
                    placed.dst = PlacedDst::None;
                }
            }
        }
        self.clauses = clauses;
    }

    fn is_forwarded_only(&self, vreg: VReg) -> bool {
        let cx = &self.cx;
        self.unforwarded[vreg] == 0
            && cx.num_writes[vreg] == 1
            && matches!(cx.reading_block[vreg], Readers::One(block) if block == self.block)
            && cx.function.vregs[vreg].vector.is_none()
    }
}

fn is_alu(op: &Op) -> bool {
    !matches!(op, Op::Fetch(_) | Op::Export(_))
}

fn for_each_source(op: &Op, mut visit: impl FnMut(&Src)) {
    match op {
        Op::Alu(alu) => alu.src.iter().for_each(visit),
        Op::Reduction(reduction) => reduction.pairs.iter().flatten().for_each(visit),
        Op::Replicated(replicated) => replicated.src.iter().for_each(visit),
        Op::FixedSlots(fixed) => {
            fixed.slots.iter().for_each(|(_, alu)| alu.src.iter().for_each(&mut visit));
        }
        Op::Fetch(_) | Op::Export(_) => {}
    }
}

/// An instruction of the scheduler's own.
fn scheduler_inst(op: AluOp, src: ArrayVec<PlacedSrc, 3>) -> Placed {
    Placed {
        node: None,
        op,
        dst: PlacedDst::None,
        chan: Chan::X,
        src,
        omod: Omod::None,
        clamp: false,
        update_exec_mask: false,
        index_mode: IndexMode::ArX,
        vec_210: false,
    }
}

/// The operation that loads the address register for GPR indexing, and its slot.
fn address_load(chip: r600_isa::Chip) -> (AluOp, Slot) {
    use r600_isa::Chip;
    match chip {
        Chip::R600 | Chip::Rv610 | Chip::Rv620 | Chip::Rv630 | Chip::Rv635 => {
            (AluOp::MovaGprInt, Slot::T)
        }
        _ => (AluOp::MovaInt, Slot::X),
    }
}

/// What the next group can read as `PV` and `PS`.
fn forwards(group: &Group) -> Vec<(VReg, Forward)> {
    let mut out = Vec::new();
    for (slot, placed) in group.iter() {
        let PlacedDst::VReg(vreg) = placed.dst else { continue };
        let forward = match placed.op.slots(Generation::R700) {
            // A reduction's result is read from slot x wherever it was written.
            Some(Slots::Reduction) if placed.op != AluOp::Cube => Forward::Pv(Chan::X),
            _ if placed.op.has(r600_isa::AluFlags::INTERPOLATION) => continue,
            _ if slot == Slot::T => Forward::Ps,
            _ => Forward::Pv(placed.chan),
        };
        out.push((vreg, forward));
    }
    out
}

/// Marks operations that feed a fetch through ALU operations alone.
fn feeds_fetch(function: &Function, ops: &[OpId], graph: &Graph) -> Vec<bool> {
    let mut feeds = vec![false; ops.len()];
    for at in (0..ops.len()).rev() {
        if !is_alu(&function.ops[ops[at]]) {
            continue;
        }
        feeds[at] = graph.successors[at].iter().any(|edge| {
            edge.distance > 0
                && (feeds[edge.to as usize]
                    || matches!(function.ops[ops[edge.to as usize]], Op::Fetch(_)))
        });
    }
    feeds
}
