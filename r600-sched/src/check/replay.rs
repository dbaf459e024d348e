//! Replays the clauses of a block on values, and compares what each operand reads with what it must read.

use arrayvec::ArrayVec;
use cranelift_entity::SecondaryMap;
use r600_isa::{
    AluFlags, AluOp, Chan, Hazard, IndexMode, KcacheMode, KcacheWindow, LdsAccess, Omod, Slot,
    Slots,
};

use crate::schedule::{
    AluClause, Clause, Group, Placed, PlacedDst, PlacedSel, PlacedSrc, Schedule,
};
use r600_mir::{Alu, Block, Dst, Element, Function, Op, OpId, Src, SrcKind, VReg};

use super::meaning::{Expected, Meaning};
use super::state::{Histories, State, Value};
use super::{CheckError, Writers, access};

/// Vec4 in a line of the constant cache.
const VECTORS_PER_LINE: u16 = 16;

/// Replays the clauses of `block`. Returns the state at its end.
pub(super) fn run<'f>(
    (function, schedule): (&'f Function, &Schedule),
    writers: &SecondaryMap<VReg, Writers>,
    block: Block,
    meaning: &Meaning<'f>,
    histories: &mut Histories,
) -> Result<State<'f>, CheckError> {
    let state = State::at_entry(function);
    let mut replay = Replay { function, schedule, writers, block, meaning, histories, state };
    let clauses = &schedule.blocks[block];
    for (at, clause) in clauses.iter().enumerate() {
        match clause {
            Clause::Alu(alu) => replay.alu_clause(alu, at + 1 == clauses.len())?,
            Clause::Fetch(fetches) => replay.fetch_clause(fetches)?,
            Clause::Export(op) => replay.alone(*op)?,
        }
    }
    Ok(replay.state)
}

/// The state of an ALU clause, other than registers.
#[derive(Debug, Default)]
struct Kept {
    /// Results of the last group: of the vector slots, and of trans.
    forwarded: [Option<Value>; 5],
    /// The address register.
    address: Option<Value>,
    /// The access whose result is in the queue of the local data share.
    queued: Option<OpId>,
    /// Elements that the last group wrote.
    elements: ArrayVec<Element, 5>,
}

/// The instruction that an operation requires in one slot.
struct Wanted<'a> {
    op: AluOp,
    dst: Dst,
    src: &'a [Src],
    omod: Omod,
    clamp: bool,
    update_exec_mask: bool,
    vec_210: bool,
    lds: Option<LdsAccess>,
    index: Option<VReg>,
}

impl<'a> Wanted<'a> {
    fn plain(op: AluOp, dst: Dst, src: &'a [Src]) -> Self {
        Self {
            op,
            dst,
            src,
            omod: Omod::None,
            clamp: false,
            update_exec_mask: false,
            vec_210: false,
            lds: None,
            index: None,
        }
    }

    fn of_alu(alu: &'a Alu) -> Self {
        Self {
            omod: alu.omod,
            clamp: alu.clamp,
            update_exec_mask: alu.update_exec_mask,
            index: alu.index,
            ..Self::plain(alu.op, alu.dst, &alu.src)
        }
    }

    /// What `op` does in the slot of `chan`; `result` gives the channel of a result.
    fn of(op: &'a Op, chan: Chan, result: impl Fn(VReg) -> Chan) -> Option<Self> {
        let written = |vreg| if result(vreg) == chan { Dst::VReg(vreg) } else { Dst::None };
        Some(match op {
            Op::Alu(alu) => Self::of_alu(alu),
            Op::Reduction(reduction) => {
                let pair = &reduction.pairs[chan as usize];
                let plain = Self::plain(reduction.op, written(reduction.dst), pair);
                Self { omod: reduction.omod, clamp: reduction.clamp, ..plain }
            }
            Op::Replicated(replicated) => {
                let plain = Self::plain(replicated.op, written(replicated.dst), &replicated.src);
                Self { omod: replicated.omod, clamp: replicated.clamp, ..plain }
            }
            Op::FixedSlots(fixed) => {
                let (_, alu) = fixed.slots.iter().find(|(slot, _)| *slot == chan)?;
                Self { vec_210: fixed.vec_210, ..Self::of_alu(alu) }
            }
            Op::Local(local) => Self {
                lds: Some(local.access),
                ..Self::plain(AluOp::LdsIdxOp, Dst::None, &local.src)
            },
            Op::Barrier => Self::plain(AluOp::GroupBarrier, Dst::None, &[]),
            Op::Fetch(_) | Op::Export(_) | Op::Memory(_) | Op::Event(_) => return None,
        })
    }

    fn is_done_by(&self, placed: &Placed) -> bool {
        let writes = match (placed.dst, self.dst) {
            // A result that is only forwarded needs no register; the three-source form always writes one.
            (PlacedDst::None, Dst::VReg(_)) => !self.op.is_op3(),
            (PlacedDst::None, Dst::None) => true,
            (PlacedDst::VReg(found), Dst::VReg(want)) => found == want,
            (PlacedDst::Element(found), Dst::Element(want)) => found == want,
            _ => false,
        };
        writes
            && (placed.op, placed.omod, placed.clamp) == (self.op, self.omod, self.clamp)
            && (placed.update_exec_mask, placed.vec_210) == (self.update_exec_mask, self.vec_210)
            && (placed.lds, placed.index_mode) == (self.lds, IndexMode::ArX)
            && placed.src.len() == self.src.len()
    }
}

struct Replay<'a, 'f> {
    function: &'f Function,
    schedule: &'a Schedule,
    writers: &'a SecondaryMap<VReg, Writers>,
    block: Block,
    meaning: &'a Meaning<'f>,
    histories: &'a mut Histories,
    state: State<'f>,
}

impl<'f> Replay<'_, 'f> {
    /// Replays a fetch, an export or a memory instruction.
    fn alone(&mut self, id: OpId) -> Result<(), CheckError> {
        let expected = self.meaning.expected(id)?;
        if !expected.is_in(&self.state) {
            return Err(CheckError::Value(id));
        }
        self.state.write(self.histories, id, &self.function.ops[id]);
        Ok(())
    }

    fn fetch_clause(&mut self, fetches: &[OpId]) -> Result<(), CheckError> {
        let mut written = Vec::new();
        for &id in fetches {
            let op = &self.function.ops[id];
            let mut waits = false;
            access::reads(op, |vreg| waits |= written.contains(&vreg));
            if waits {
                return Err(CheckError::Fetch(id));
            }
            self.alone(id)?;
            access::writes(op, |vreg| written.push(vreg));
        }
        Ok(())
    }

    fn alu_clause(&mut self, clause: &AluClause, is_last: bool) -> Result<(), CheckError> {
        let mut kept = Kept::default();
        for (at, group) in clause.groups.iter().enumerate() {
            let ends_block = is_last && at + 1 == clause.groups.len();
            for (_, placed) in group.iter() {
                let Some(node) = placed.node else { continue };
                self.instruction((clause, &kept), node, placed)?;
                if placed.update_exec_mask && !ends_block {
                    return Err(CheckError::Predicate(node));
                }
            }
            kept = self.next(kept, group)?;
        }
        kept.queued.map_or(Ok(()), |access| Err(CheckError::Queue(access)))
    }

    /// Compares an instruction and its sources with its operation.
    fn instruction(
        &self,
        (clause, kept): (&AluClause, &Kept),
        node: OpId,
        placed: &Placed,
    ) -> Result<(), CheckError> {
        let op = &self.function.ops[node];
        let wanted = Wanted::of(op, placed.chan, |vreg| self.schedule.chans[vreg]);
        let wanted = wanted.filter(|wanted| wanted.is_done_by(placed));
        let wanted = wanted.ok_or(CheckError::Operation(node))?;
        let expected = self.meaning.expected(node)?;
        for (found, want) in placed.src.iter().zip(wanted.src) {
            if (found.neg, found.abs) != (want.neg, want.abs) {
                return Err(CheckError::Operation(node));
            }
            match want.kind {
                SrcKind::VReg(vreg) => {
                    let is_forced = placed.vec_210 && !matches!(found.sel, PlacedSel::VReg(..));
                    let value = self.value(kept, *found, node)?;
                    if is_forced {
                        return Err(CheckError::Forward(node));
                    }
                    if Some(value) != expected.register(vreg) {
                        return Err(CheckError::Value(node));
                    }
                }
                kind => constant_operand(clause, node, *found, kind)?,
            }
        }
        if !expected.has_elements(&self.state) || !expected.has_memory(&self.state) {
            return Err(CheckError::Value(node));
        }
        self.index((kept, expected), node, &wanted)?;
        match access::pops_queue(op) && expected.popped != kept.queued {
            true => Err(CheckError::Queue(node)),
            false => Ok(()),
        }
    }

    /// The value that a source reads from a register or from `PV` or `PS`.
    fn value(&self, kept: &Kept, src: PlacedSrc, node: OpId) -> Result<Value, CheckError> {
        let forwarded = |slot: Slot| kept.forwarded[slot as usize].ok_or(CheckError::Forward(node));
        match src.sel {
            PlacedSel::VReg(vreg, chan) => self.register(vreg, chan).ok_or(CheckError::Slot(node)),
            PlacedSel::Pv(chan) => forwarded(Slot::vector(chan)),
            PlacedSel::Ps => forwarded(Slot::T),
            _ => Err(CheckError::Operation(node)),
        }
    }

    /// The value of a channel of a register. A register that nothing has written yet has no fixed channel.
    fn register(&self, vreg: VReg, chan: Chan) -> Option<Value> {
        let value = self.state.register(vreg);
        let has_channel = value != Value::Entry(vreg) || self.is_given(vreg);
        (!has_channel || chan == self.schedule.chans[vreg]).then_some(value)
    }

    /// Whether a register holds a value at the start of the block.
    fn is_given(&self, vreg: VReg) -> bool {
        self.function.vregs[vreg].chan.is_some() || self.writers[vreg].others_than(self.block)
    }

    /// Checks indexed accesses. The address register must hold the index. On some chips an array must not be read in
    /// the group after a write of it, if either access is indexed.
    fn index(
        &self,
        (kept, expected): (&Kept, &Expected),
        node: OpId,
        wanted: &Wanted<'_>,
    ) -> Result<(), CheckError> {
        let is_loaded = wanted
            .index
            .is_none_or(|index| kept.address.is_some() && kept.address == expected.register(index));
        let is_stale = |src: &Src| match src.kind {
            SrcKind::Element(read) => kept.elements.iter().any(|write| {
                (read.array == write.array || read.relative && write.relative)
                    && (read.relative || write.relative)
            }),
            _ => false,
        };
        let late = [Hazard::RelativeWrite, Hazard::RelativeWriteSiblings];
        let is_late = late.iter().any(|hazard| self.function.avoids(*hazard));
        if !is_loaded || is_late && wanted.src.iter().any(is_stale) {
            return Err(CheckError::Array(node));
        }
        Ok(())
    }

    /// Applies the writes of a group, after all its reads.
    fn next(&mut self, kept: Kept, group: &Group) -> Result<Kept, CheckError> {
        let load = group.iter().find(|(_, placed)| is_address_load(placed));
        let address = match load {
            Some((_, load)) => self.loaded(&kept, load),
            None => kept.address,
        };
        let mut after = Kept { address, ..Kept::default() };
        let mut written = Vec::new();
        let mut is_popped = false;
        let mut seen: ArrayVec<OpId, 5> = ArrayVec::new();
        for (slot, placed) in group.iter() {
            let Some(node) = placed.node else { continue };
            let op = &self.function.ops[node];
            if load.is_some() && matches!(op, Op::Alu(Alu { index: Some(_), .. })) {
                return Err(CheckError::Array(node));
            }
            self.write(node, placed, (&mut written, &mut after))?;
            // An operation of several slots writes memory once.
            if !seen.contains(&node) {
                seen.push(node);
                self.state.write_memory(self.histories, node, op);
            }
            let slot = self.slot_taken(group, slot, placed);
            forward((slot, placed), (node, op), &mut after.forwarded);
            is_popped |= access::pops_queue(op);
            if matches!(op, Op::Local(local) if local.returns) {
                after.queued = Some(node);
            }
        }
        match kept.queued.filter(|_| !is_popped) {
            Some(access) => Err(CheckError::Queue(access)),
            None => Ok(after),
        }
    }

    /// The slot in which the hardware executes `placed`. Words only name channels: an instruction that any slot can
    /// execute goes to trans only if the vector slot of its channel is taken.
    fn slot_taken(&self, group: &Group, slot: Slot, placed: &Placed) -> Slot {
        let own = Slot::vector(placed.chan);
        let is_any = placed.op.slots(self.function.chip.generation()) == Some(Slots::Any);
        if is_any && group.slots[own as usize].is_none() { own } else { slot }
    }

    fn write(
        &mut self,
        node: OpId,
        placed: &Placed,
        (written, after): (&mut Vec<PlacedDst>, &mut Kept),
    ) -> Result<(), CheckError> {
        let meets = |other: &PlacedDst| match (*other, placed.dst) {
            (PlacedDst::VReg(a), PlacedDst::VReg(b)) => a == b,
            (PlacedDst::Element(a), PlacedDst::Element(b)) => {
                (a.array, a.chan) == (b.array, b.chan)
                    && (a.relative || b.relative || a.offset == b.offset)
            }
            _ => false,
        };
        if written.iter().any(meets) {
            return Err(CheckError::Conflict(node));
        }
        written.push(placed.dst);
        match placed.dst {
            PlacedDst::None => {}
            PlacedDst::VReg(vreg) => self.state.write_register(vreg, Value::Written(node, vreg)),
            PlacedDst::Element(element) => {
                self.state.write_element(self.histories, element, node);
                after.elements.push(element);
            }
        }
        Ok(())
    }

    /// The value that `placed` loads into the address register.
    fn loaded(&self, kept: &Kept, placed: &Placed) -> Option<Value> {
        let src = placed.src.first().filter(|src| !src.neg && !src.abs)?;
        match src.sel {
            PlacedSel::VReg(vreg, chan) => self.register(vreg, chan),
            PlacedSel::Pv(chan) => kept.forwarded[Slot::vector(chan) as usize],
            PlacedSel::Ps => kept.forwarded[Slot::T as usize],
            _ => None,
        }
    }
}

/// Whether `placed` is a load of the address register, added by the scheduler.
fn is_address_load(placed: &Placed) -> bool {
    placed.node.is_none() && matches!(placed.op, AluOp::MovaInt | AluOp::MovaGprInt)
}

/// Checks an operand that is no register: it must be the one that the operation names.
fn constant_operand(
    clause: &AluClause,
    node: OpId,
    found: PlacedSrc,
    want: SrcKind,
) -> Result<(), CheckError> {
    let is_it = match (found.sel, want) {
        (PlacedSel::Uniform { .. }, _) => return Err(CheckError::Window(node)),
        (
            PlacedSel::Kcache { set, index, chan },
            SrcKind::Uniform { bank, index: vector, chan: want },
        ) => {
            let window = clause.kcache.get(usize::from(set)).ok_or(CheckError::Window(node))?;
            if u16::from(index) >= vectors_of(window) {
                return Err(CheckError::Window(node));
            }
            let first = VECTORS_PER_LINE * u16::from(window.line);
            (window.bank, first + u16::from(index), chan) == (bank, vector, want)
        }
        (PlacedSel::Const(found), SrcKind::Const(want)) => found == want,
        (PlacedSel::Element(found), SrcKind::Element(want)) => found == want,
        (PlacedSel::Special(found, chan), SrcKind::Special(want, want_chan)) => {
            (found, chan) == (want, want_chan)
        }
        _ => false,
    };
    if is_it { Ok(()) } else { Err(CheckError::Operation(node)) }
}

/// Number of vec4 in a window.
fn vectors_of(window: &KcacheWindow) -> u16 {
    match window.mode {
        KcacheMode::None | KcacheMode::LockLoopIndex => 0,
        KcacheMode::Lock1 => VECTORS_PER_LINE,
        KcacheMode::Lock2 => 2 * VECTORS_PER_LINE,
    }
}

/// Records what the next group finds in `PV` or `PS` for a slot. Doubles and interpolation leave nothing reliable, and
/// neither does a result that goes elsewhere than to a register. A reduction leaves its sum in slot x.
fn forward((slot, placed): (Slot, &Placed), (node, op): (OpId, &Op), out: &mut [Option<Value>; 5]) {
    let unreliable = placed.op.has(AluFlags::DOUBLE) || placed.op.has(AluFlags::INTERPOLATION);
    let result = match op {
        _ if unreliable => None,
        Op::Alu(Alu { dst: Dst::VReg(vreg), .. }) => Some(*vreg),
        Op::Reduction(reduction) if slot == Slot::X => Some(reduction.dst),
        Op::Replicated(replicated) => Some(replicated.dst),
        Op::FixedSlots(fixed) => {
            let alu = fixed.slots.iter().find(|(chan, _)| *chan == placed.chan);
            alu.and_then(|(_, alu)| match alu.dst {
                Dst::VReg(vreg) => Some(vreg),
                Dst::Element(_) | Dst::None => None,
            })
        }
        _ => None,
    };
    out[slot as usize] = result.map(|vreg| Value::Written(node, vreg));
}
