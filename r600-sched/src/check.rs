//! Checks a schedule without trusting the scheduler.
//!
//! Operations are followed through the clauses in order. Every operation of the machine IR must be there once,
//! in its block; a read must see the write that program order gives it; and each group and clause must keep
//! the hardware's rules. This knows nothing of priorities, heights or ready lists.

use std::collections::{BTreeMap, BTreeSet};

use r600_isa::{Generation, KcacheMode, Slot, Slots};
use thiserror::Error;

use crate::clause::MAX_CLAUSE_UNITS;
use crate::deps::{for_each_read, for_each_source, for_each_write, storages_of};
use crate::fetches::{FetchUnit, clause_limit};
use crate::machine::{Array, Block, Dst, Element, Function, Op, OpId, Src, SrcKind, Storage, VReg};
use crate::schedule::{
    AluClause, Clause, Group, Placed, PlacedDst, PlacedSel, PlacedSrc, Schedule,
};

/// Vec4 in a line of the constant cache.
const VECTORS_PER_LINE: u16 = 16;

/// A rule that a schedule breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CheckError {
    /// An operation is missing, or stands where it does not belong.
    #[error("{0} is not scheduled exactly once in its block")]
    Missing(OpId),
    /// An operation comes before one that it depends on.
    #[error("{later} is not scheduled after {earlier}")]
    Order {
        /// The operation that must come first.
        earlier: OpId,
        /// The one that depends on it.
        later: OpId,
    },
    /// An instruction does something else than its operation.
    #[error("{0} is not what its slot does")]
    Operation(OpId),
    /// An instruction is in a slot that cannot execute it, or has another channel than its slot.
    #[error("{0} is in a slot that cannot execute it")]
    Slot(OpId),
    /// `PV` or `PS` is read where the group before leaves something else there.
    #[error("{0} reads a PV or PS value that is not there")]
    Forward(OpId),
    /// Two members of a vector have one channel.
    #[error("{0} shares its channel with another member of its vector")]
    Channel(VReg),
    /// A clause is longer than the hardware takes, or holds what it may not.
    #[error("a clause of {0} is too long or mixes kinds of fetches")]
    Clause(Block),
    /// A constant is read through a window that the clause does not lock.
    #[error("{0} reads a constant that no window of its clause holds")]
    Window(OpId),
    /// An indexed array is read too soon behind a write of it, or without its index being loaded.
    #[error("{0} accesses an array too soon, or with another index than it needs")]
    Array(OpId),
    /// What an access to the local data share returns is not taken out of the queue behind it.
    #[error("the result of {0} is not read from the queue after it")]
    Queue(OpId),
}

/// When an operation happens: the clause, and the group in it. Operations of one group read before any writes.
type Place = (usize, usize);

/// Checks `schedule`, which was made of `function`.
///
/// # Errors
/// The first rule found broken.
pub fn check(function: &Function, schedule: &Schedule) -> Result<(), CheckError> {
    let checker = Checker { function, schedule };
    checker.vectors()?;
    for (block, ops) in &function.blocks {
        let places = checker.places(block, ops)?;
        checker.order(ops, &places)?;
        for clause in &schedule.blocks[block] {
            match clause {
                Clause::Alu(alu) => checker.alu_clause(block, alu)?,
                Clause::Fetch(fetches) => checker.fetch_clause(block, fetches)?,
                Clause::Export(_) => {}
            }
        }
    }
    Ok(())
}

struct Checker<'a> {
    function: &'a Function,
    schedule: &'a Schedule,
}

impl Checker<'_> {
    fn generation(&self) -> Generation {
        self.function.chip.generation()
    }

    fn vectors(&self) -> Result<(), CheckError> {
        for info in self.function.vectors.values() {
            let mut taken = BTreeSet::new();
            for &member in &info.members {
                if !taken.insert(self.schedule.chans[member] as usize) && self.is_used(member) {
                    return Err(CheckError::Channel(member));
                }
            }
        }
        Ok(())
    }

    fn is_used(&self, vreg: VReg) -> bool {
        let mut used = false;
        for op in self.function.ops.values() {
            for_each_read(op, |other| used |= other == vreg);
            for_each_write(op, |other| used |= other == vreg);
        }
        used
    }

    /// Where each operation of a block is.
    fn places(&self, block: Block, ops: &[OpId]) -> Result<BTreeMap<OpId, Place>, CheckError> {
        let mut places = BTreeMap::new();
        let mut note = |op: OpId, place: Place| match places.insert(op, place) {
            Some(before) if before != place => Err(CheckError::Missing(op)),
            _ => Ok(()),
        };
        for (at, clause) in self.schedule.blocks[block].iter().enumerate() {
            match clause {
                Clause::Alu(alu) => {
                    for (group_at, group) in alu.groups.iter().enumerate() {
                        for node in group.iter().filter_map(|(_, placed)| placed.node) {
                            note(node, (at, group_at))?;
                        }
                    }
                }
                Clause::Fetch(fetches) => {
                    for (n, &op) in fetches.iter().enumerate() {
                        note(op, (at, n))?;
                    }
                }
                Clause::Export(op) => note(*op, (at, 0))?,
            }
        }
        match ops.iter().find(|op| !places.contains_key(op)) {
            Some(&missing) => Err(CheckError::Missing(missing)),
            None if places.len() != ops.len() => {
                let stray = places.keys().find(|op| !ops.contains(op));
                Err(CheckError::Missing(*stray.unwrap_or(&ops[0])))
            }
            None => Ok(places),
        }
    }

    /// Reads see the write before them in program order, and writes come in that order.
    fn order(&self, ops: &[OpId], places: &BTreeMap<OpId, Place>) -> Result<(), CheckError> {
        let mut writers: BTreeMap<VReg, OpId> = BTreeMap::new();
        let mut readers: BTreeMap<VReg, Vec<OpId>> = BTreeMap::new();
        let mut touched: BTreeMap<Storage, Vec<(OpId, bool)>> = BTreeMap::new();
        let mut elements: BTreeMap<(Array, u8), Elements> = BTreeMap::new();
        for &op in ops {
            let mut outcome = Ok(());
            let mut require = |earlier: OpId, same_group: bool| {
                let (before, after) = (places[&earlier], places[&op]);
                let holds = before < after || same_group && before == after || earlier == op;
                if !holds && outcome.is_ok() {
                    outcome = Err(CheckError::Order { earlier, later: op });
                }
            };
            for_each_read(&self.function.ops[op], |vreg| {
                if let Some(&writer) = writers.get(&vreg) {
                    require(writer, false);
                }
                readers.entry(vreg).or_default().push(op);
            });
            for_each_write(&self.function.ops[op], |vreg| {
                for reader in readers.remove(&vreg).unwrap_or_default() {
                    require(reader, true);
                }
                if let Some(writer) = writers.insert(vreg, op) {
                    require(writer, false);
                }
            });
            for (storage, writes) in storages_of(&self.function.ops[op]) {
                let before = touched.entry(storage).or_default();
                before.iter().filter(|other| writes || other.1).for_each(|o| require(o.0, false));
                if writes {
                    before.clear();
                }
                before.push((op, writes));
            }
            let mut access = |element: Element, writes: bool| {
                let of_channel = elements.entry((element.array, element.chan as u8)).or_default();
                for (earlier, wrote) in of_channel.before(element, writes) {
                    require(earlier, writes && !wrote);
                }
                of_channel.note(element, writes, (places[&op], op));
            };
            for_each_source(&self.function.ops[op], |src| {
                if let SrcKind::Element(element) = src.kind {
                    access(element, false);
                }
            });
            written_elements(&self.function.ops[op]).for_each(|element| access(element, true));
            outcome?;
        }
        Ok(())
    }

    fn alu_clause(&self, block: Block, clause: &AluClause) -> Result<(), CheckError> {
        if clause.groups.iter().map(Group::num_units).sum::<usize>() > MAX_CLAUSE_UNITS {
            return Err(CheckError::Clause(block));
        }
        let mut address = None;
        let mut before: Option<&Group> = None;
        self.queue(clause)?;
        for group in &clause.groups {
            for (slot, placed) in group.iter() {
                self.slot(slot, placed)?;
                self.sources(clause, before, placed)?;
                self.operation((clause, before), placed)?;
                self.index(address, before, placed)?;
            }
            if let Some(index) = group.iter().find_map(|(_, placed)| self.loaded(before, placed)) {
                address = Some(index);
            }
            before = Some(group);
        }
        Ok(())
    }

    /// What the local data share returns is taken in the group behind the access.
    fn queue(&self, clause: &AluClause) -> Result<(), CheckError> {
        let mut waiting = None;
        for group in &clause.groups {
            let has = |wanted: fn(&Op) -> bool| {
                let mut nodes = group.iter().filter_map(|(_, placed)| placed.node);
                nodes.find(|&node| wanted(&self.function.ops[node]))
            };
            if let Some(access) = waiting.take()
                && has(Op::is_queue_pop).is_none()
            {
                return Err(CheckError::Queue(access));
            }
            waiting = has(|op| matches!(op, Op::Local(local) if local.returns));
        }
        waiting.map_or(Ok(()), |access| Err(CheckError::Queue(access)))
    }

    fn slot(&self, slot: Slot, placed: &Placed) -> Result<(), CheckError> {
        let Some(node) = placed.node else { return Ok(()) };
        let is_legal = match placed.op.slots(self.generation()) {
            None => false,
            Some(Slots::Trans) => slot == Slot::T,
            Some(Slots::Any) => true,
            Some(_) => slot != Slot::T,
        };
        let exists = slot != Slot::T || self.generation().has_trans_slot();
        let chan_fits = slot == Slot::T || Slot::vector(placed.chan) == slot;
        let dst_fits = match placed.dst {
            PlacedDst::VReg(vreg) => self.schedule.chans[vreg] == placed.chan,
            PlacedDst::Element(element) => element.chan == placed.chan,
            PlacedDst::None => true,
        };
        if is_legal && exists && chan_fits && dst_fits {
            Ok(())
        } else {
            Err(CheckError::Slot(node))
        }
    }

    /// Forwarded results are those of the operation that wrote the operand; constants are in a window.
    fn sources(
        &self,
        clause: &AluClause,
        before: Option<&Group>,
        placed: &Placed,
    ) -> Result<(), CheckError> {
        let Some(node) = placed.node else { return Ok(()) };
        for src in &placed.src {
            match src.sel {
                PlacedSel::Pv(_) | PlacedSel::Ps => {
                    let result = before.and_then(|group| forwarded(self.function, group, src.sel));
                    let reads =
                        result.is_some_and(|vreg| reads_register(self.function, node, vreg));
                    if !reads {
                        return Err(CheckError::Forward(node));
                    }
                }
                PlacedSel::Uniform { .. } => return Err(CheckError::Window(node)),
                PlacedSel::Kcache { set, index, .. } => {
                    let lines = match clause.kcache[usize::from(set)].mode {
                        KcacheMode::None | KcacheMode::LockLoopIndex => 0,
                        KcacheMode::Lock1 => 1,
                        KcacheMode::Lock2 => 2,
                    };
                    if index >= 16 * lines {
                        return Err(CheckError::Window(node));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// The instruction is that of its operation, and each source reads what the operand names. What takes
    /// several slots is not looked into.
    fn operation(
        &self,
        (clause, before): (&AluClause, Option<&Group>),
        placed: &Placed,
    ) -> Result<(), CheckError> {
        let Some(node) = placed.node else { return Ok(()) };
        let Op::Alu(alu) = &self.function.ops[node] else { return Ok(()) };
        let is_same = (placed.op, placed.omod, placed.clamp) == (alu.op, alu.omod, alu.clamp)
            && placed.update_exec_mask == alu.update_exec_mask
            && placed.src.len() == alu.src.len();
        let reads_same = || {
            let mut pairs = placed.src.iter().zip(&alu.src);
            pairs.all(|(found, want)| self.is_operand((clause, before), *found, *want))
        };
        let writes_same = match (placed.dst, alu.dst) {
            // A result that is only forwarded needs no register.
            (PlacedDst::None, Dst::VReg(_) | Dst::None) => true,
            (PlacedDst::VReg(found), Dst::VReg(want)) => found == want,
            (PlacedDst::Element(found), Dst::Element(want)) => found == want,
            _ => false,
        };
        if is_same && writes_same && reads_same() {
            Ok(())
        } else {
            Err(CheckError::Operation(node))
        }
    }

    fn is_operand(
        &self,
        (clause, before): (&AluClause, Option<&Group>),
        found: PlacedSrc,
        want: Src,
    ) -> bool {
        let reads_it = match (found.sel, want.kind) {
            (PlacedSel::VReg(found, _), SrcKind::VReg(want)) => found == want,
            (PlacedSel::Pv(_) | PlacedSel::Ps, SrcKind::VReg(want)) => {
                before.and_then(|group| forwarded(self.function, group, found.sel)) == Some(want)
            }
            (PlacedSel::Const(found), SrcKind::Const(want)) => found == want,
            (
                PlacedSel::Kcache { set, index, chan },
                SrcKind::Uniform { bank, index: vector, chan: want },
            ) => {
                let window = &clause.kcache[usize::from(set)];
                let first = VECTORS_PER_LINE * u16::from(window.line);
                (window.bank, first + u16::from(index), chan) == (bank, vector, want)
            }
            (PlacedSel::Element(found), SrcKind::Element(want)) => found == want,
            (PlacedSel::Special(sel, chan), SrcKind::Special(want, want_chan)) => {
                (sel, chan) == (want, want_chan)
            }
            _ => false,
        };
        reads_it && (found.neg, found.abs) == (want.neg, want.abs)
    }

    /// Relative elements have their index in the address register; old chips do not read an array in the group
    /// behind a write of it.
    fn index(
        &self,
        address: Option<VReg>,
        before: Option<&Group>,
        placed: &Placed,
    ) -> Result<(), CheckError> {
        let Some(node) = placed.node else { return Ok(()) };
        let Op::Alu(alu) = &self.function.ops[node] else { return Ok(()) };
        if alu.index.is_some() && alu.index != address {
            return Err(CheckError::Array(node));
        }
        let is_old = matches!(self.generation(), Generation::R600 | Generation::R700);
        let reads = alu.src.iter().filter_map(|src| match src.kind {
            SrcKind::Element(element) => Some(element),
            _ => None,
        });
        let writes =
            before.into_iter().flat_map(Group::iter).filter_map(|(_, placed)| match placed.dst {
                PlacedDst::Element(element) => Some(element),
                PlacedDst::VReg(_) | PlacedDst::None => None,
            });
        let writes: Vec<_> = writes.collect();
        let mut stale = reads.flat_map(|read| writes.iter().map(move |write| (read, *write)));
        let is_stale = stale.any(|(read, write)| {
            read.array == write.array
                && read.chan == write.chan
                && (read.relative || write.relative)
        });
        if is_old && is_stale { Err(CheckError::Array(node)) } else { Ok(()) }
    }

    /// The register from which `placed` loads the address register.
    fn loaded(&self, before: Option<&Group>, placed: &Placed) -> Option<VReg> {
        if placed.node.is_some() || !crate::clause::is_address_load(placed.op) {
            return None;
        }
        match placed.src.first()?.sel {
            PlacedSel::VReg(vreg, _) => Some(vreg),
            sel => before.and_then(|group| forwarded(self.function, group, sel)),
        }
    }

    fn fetch_clause(&self, block: Block, fetches: &[OpId]) -> Result<(), CheckError> {
        let steps = || {
            fetches.iter().filter_map(|&op| match &self.function.ops[op] {
                Op::Fetch(fetch) => Some(fetch),
                _ => None,
            })
        };
        let steps = || steps().flat_map(|fetch| &fetch.steps);
        let generation = self.generation();
        let mut units = steps().map(|step| FetchUnit::of(&step.template, generation));
        let first = units.next();
        let mixes = units.any(|unit| Some(unit) != first);
        if mixes || steps().count() > clause_limit(generation) {
            return Err(CheckError::Clause(block));
        }
        Ok(())
    }
}

/// The last of some accesses, as they are scheduled.
type Last = Option<(Place, OpId)>;

/// Accesses so far to one channel of an array. Whatever comes behind the last of them comes behind all.
#[derive(Default)]
struct Elements {
    /// Reads and writes of single elements.
    plain: BTreeMap<u8, [Last; 2]>,
    /// Reads and writes of elements that are known when the program runs.
    relative: [Last; 2],
}

impl Elements {
    /// The accesses that one to `element` has to come behind, each with whether it wrote.
    fn before(&self, element: Element, writes: bool) -> Vec<(OpId, bool)> {
        let may_meet = |(offset, last): (&u8, &[Last; 2])| {
            (element.relative || *offset == element.offset).then_some(*last)
        };
        let met = self.plain.iter().filter_map(may_meet).chain([self.relative]);
        let [mut read, mut wrote] = [None, None];
        met.for_each(|last| (read, wrote) = (read.max(last[0]), wrote.max(last[1])));
        let read = read.filter(|_| writes).map(|(_, op)| (op, false));
        read.into_iter().chain(wrote.map(|(_, op)| (op, true))).collect()
    }

    fn note(&mut self, element: Element, writes: bool, access: (Place, OpId)) {
        let last = match element.relative {
            true => &mut self.relative,
            false => self.plain.entry(element.offset).or_default(),
        };
        let last = &mut last[usize::from(writes)];
        *last = (*last).max(Some(access));
    }
}

fn written_elements(op: &Op) -> impl Iterator<Item = Element> + '_ {
    let (alone, fixed) = match op {
        Op::Alu(alu) => (Some(alu), None),
        Op::FixedSlots(fixed) => (None, Some(fixed.slots.iter().map(|(_, alu)| alu))),
        _ => (None, None),
    };
    alone.into_iter().chain(fixed.into_iter().flatten()).filter_map(|alu| match alu.dst {
        Dst::Element(element) => Some(element),
        Dst::VReg(_) | Dst::None => None,
    })
}

/// The register whose value `sel` forwards from `group`, by what the operations there write.
fn forwarded(function: &Function, group: &Group, sel: PlacedSel) -> Option<VReg> {
    let (slot, placed) = group.iter().find(|(slot, placed)| match sel {
        PlacedSel::Ps => *slot == Slot::T,
        PlacedSel::Pv(chan) => *slot == Slot::vector(chan) && placed.node.is_some(),
        _ => false,
    })?;
    match &function.ops[placed.node?] {
        Op::Alu(alu) => match alu.dst {
            Dst::VReg(vreg) => Some(vreg),
            Dst::Element(_) | Dst::None => None,
        },
        Op::Reduction(reduction) if slot == Slot::X => Some(reduction.dst),
        Op::Replicated(replicated) => Some(replicated.dst),
        Op::FixedSlots(fixed) if !fixed.vec_210 => {
            let alu = fixed.slots.iter().find(|(chan, _)| Slot::vector(*chan) == slot);
            alu.and_then(|(_, alu)| match alu.dst {
                Dst::VReg(vreg) => Some(vreg),
                Dst::Element(_) | Dst::None => None,
            })
        }
        _ => None,
    }
}

fn reads_register(function: &Function, node: OpId, vreg: VReg) -> bool {
    let mut reads = false;
    for_each_read(&function.ops[node], |other| reads |= other == vreg);
    reads
}
