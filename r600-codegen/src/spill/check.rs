//! Checks spilled code without trusting the spiller.
//!
//! Apart from loads and stores, each block does what it did before, on registers that stand for the old ones. At the
//! start of a block, memory holds every spilled value. A read must find a register that still holds the value. A load
//! and the end of the block must find memory up to date. Spilled values of the entry are stored by a separate block in
//! front of all others.

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use r600_mir::{Block, FetchTemplate, Function, Node, Op, OpId, Storage, VReg};
use r600_mir::{for_each_read, for_each_write};
use thiserror::Error;

use crate::scratch::{self, Place};

use super::rewrite::{is_one, replace_reads, replace_writes};
use super::{Places, SpillSlot, Spilling};

/// Faults of spilling.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum SpillFault {
    /// Control flow or live-in values differ.
    #[error("control flow or the values on entry are not those before spilling")]
    Body,
    /// Two values share a spill slot.
    #[error("{0} and {1} share a spill slot")]
    Shared(VReg, VReg),
    /// A spill slot is outside the declared memory, or in memory that the function already used.
    #[error("the place of {0} lies outside spill memory")]
    Outside(VReg),
    /// An operation differs.
    #[error("{0} is not the operation before spilling")]
    Operation(OpId),
    /// A register that is read does not hold the value.
    #[error("{0} reads a register that does not hold {1}")]
    Read(OpId, VReg),
    /// The operands that an interpolation reads from one GPR are in two.
    #[error("{0} reads coordinates that share no register")]
    Torn(OpId),
    /// A load without a matching store, or a store to the wrong place.
    #[error("{0} moves {1} from or to a place that is not its own")]
    Place(OpId, VReg),
    /// A value is not stored before the end of the block.
    #[error("{0} is not stored at the end of {1}")]
    NotStored(VReg, Block),
}

/// Checks the spilled function.
///
/// # Errors
/// The first fault.
pub(crate) fn check(spilling: &Spilling, after: &Function) -> Result<(), SpillFault> {
    let Spilling { before, places } = spilling;
    slots_are_distinct(before, after, places)?;
    let walk = || Walk { before, after, places, held: BTreeMap::new(), stale: BTreeSet::new() };
    let spilled_on_entry: Vec<VReg> =
        before.live_in.iter().copied().filter(|&vreg| places.slots[vreg].is_some()).collect();
    match entry_block(before, after)? {
        Some(entry) => {
            let mut walk = walk();
            spilled_on_entry.iter().for_each(|&vreg| walk.wrote(vreg, vreg));
            walk.block(entry, &[])?;
        }
        None if spilled_on_entry.is_empty() => {}
        None => return Err(SpillFault::Body),
    }
    before.blocks.iter().try_for_each(|(block, ops)| walk().block(block, ops))
}

/// The new block in front of all others, if there is one.
fn entry_block(before: &Function, after: &Function) -> Result<Option<Block>, SpillFault> {
    let (old, new) = (&before.body.nodes[..], &after.body.nodes[..]);
    let (entry, rest) = match new {
        [Node::Block(first), rest @ ..] if new.len() > old.len() => (Some(*first), rest),
        _ => (None, new),
    };
    let is_new = entry.is_none_or(|block| !before.blocks.is_valid(block));
    let is_same = rest == old && before.live_in == after.live_in;
    if is_new && is_same { Ok(entry) } else { Err(SpillFault::Body) }
}

fn slots_are_distinct(
    before: &Function,
    after: &Function,
    places: &Places,
) -> Result<(), SpillFault> {
    let mut owners: BTreeMap<(u16, u8), VReg> = BTreeMap::new();
    for vreg in before.vregs.keys() {
        let Some(SpillSlot { slot, chan }) = places.slots[vreg] else { continue };
        if !(before.scratch..after.scratch).contains(&slot) {
            return Err(SpillFault::Outside(vreg));
        }
        if let Some(owner) = owners.insert((slot, chan as u8), vreg) {
            return Err(SpillFault::Shared(owner, vreg));
        }
    }
    Ok(())
}

struct Walk<'a> {
    before: &'a Function,
    after: &'a Function,
    places: &'a Places,
    /// The registers that hold each spilled value now.
    held: BTreeMap<VReg, BTreeSet<VReg>>,
    /// Values that are out of date in memory.
    stale: BTreeSet<VReg>,
}

impl Walk<'_> {
    fn block(&mut self, block: Block, ops: &[OpId]) -> Result<(), SpillFault> {
        let mut left = ops.iter();
        for &id in &self.after.blocks[block] {
            let op = &self.after.ops[id];
            match self.slot(op) {
                Some(slot) => self.transfer(id, op, slot)?,
                None => self.operation(id, op, left.next())?,
            }
        }
        match (left.next(), self.stale.first()) {
            (Some(&missing), _) => Err(SpillFault::Operation(missing)),
            (_, Some(&vreg)) => Err(SpillFault::NotStored(vreg, block)),
            _ => Ok(()),
        }
    }

    /// The slot that a load or store of spilled values accesses.
    fn slot(&self, op: &Op) -> Option<u16> {
        let slot = match op {
            Op::Memory(memory) => match memory.storage {
                Storage::Scratch(slot) => slot,
                Storage::Shared | Storage::Stream | Storage::Counters => return None,
            },
            Op::Fetch(fetch) => match &fetch.steps.first()?.template {
                FetchTemplate::Mem(mem) => mem.array_base,
                _ => return None,
            },
            _ => return None,
        };
        (slot >= self.before.scratch).then_some(slot)
    }

    fn transfer(&mut self, id: OpId, op: &Op, slot: u16) -> Result<(), SpillFault> {
        let (data, dst) = match op {
            Op::Memory(memory) => (memory.data, memory.dst),
            Op::Fetch(fetch) => ([None; 4], fetch.steps.first().map_or([None; 4], |s| s.dst)),
            _ => return Err(SpillFault::Operation(id)),
        };
        let (chip, place) = (self.before.chip, Place::fixed(slot));
        let is_store = data.iter().any(Option::is_some);
        let meant = match is_store {
            true => scratch::store(chip, place, data),
            false => scratch::read(chip, place, dst),
        };
        if *op != meant {
            return Err(SpillFault::Operation(id));
        }
        for (chan, register) in data.into_iter().enumerate() {
            let Some(register) = register else { continue };
            self.store(id, register, (slot, chan))?;
        }
        for (chan, register) in dst.into_iter().enumerate() {
            let Some(register) = register else { continue };
            self.load(id, register, (slot, chan))?;
        }
        Ok(())
    }

    fn store(&mut self, id: OpId, register: VReg, place: (u16, usize)) -> Result<(), SpillFault> {
        let value = self.value_at(register, place).ok_or(SpillFault::Place(id, register))?;
        if !self.holds(value, register) {
            return Err(SpillFault::Read(id, register));
        }
        self.stale.remove(&value);
        Ok(())
    }

    fn load(&mut self, id: OpId, register: VReg, place: (u16, usize)) -> Result<(), SpillFault> {
        if self.before.vregs.is_valid(register) {
            return Err(SpillFault::Place(id, register));
        }
        // R600 also loads channels that are not needed.
        if self.places.stands_for[register].is_none() {
            return Ok(());
        }
        let value = self.value_at(register, place).ok_or(SpillFault::Place(id, register))?;
        if self.stale.contains(&value) {
            return Err(SpillFault::Place(id, register));
        }
        self.held.entry(value).or_default().insert(register);
        Ok(())
    }

    /// The value for which `register` stands, if its spill slot is this place.
    fn value_at(&self, register: VReg, (slot, chan): (u16, usize)) -> Option<VReg> {
        let value = self.places.stands_for[register]?;
        let SpillSlot { slot: own, chan: own_chan } = self.places.slots[value]?;
        (own == slot && own_chan as usize == chan).then_some(value)
    }

    fn holds(&self, value: VReg, register: VReg) -> bool {
        self.held.get(&value).is_some_and(|held| held.contains(&register))
    }

    /// Records that a register holds a new value of `value`, which memory lacks.
    fn wrote(&mut self, value: VReg, register: VReg) {
        self.held.insert(value, BTreeSet::from([register]));
        self.stale.insert(value);
    }

    fn operation(&mut self, id: OpId, op: &Op, old: Option<&OpId>) -> Result<(), SpillFault> {
        let original = |vreg: VReg| self.places.stands_for[vreg].unwrap_or(vreg);
        let mut renamed = op.clone();
        replace_reads(&mut renamed, original);
        replace_writes(&mut renamed, original);
        if old.map(|&old| &self.before.ops[old]) != Some(&renamed) {
            return Err(SpillFault::Operation(id));
        }
        if has_split_coordinates(op, self.after) {
            return Err(SpillFault::Torn(id));
        }
        let mut fault = None;
        for_each_read(op, |vreg| match self.places.stands_for[vreg] {
            Some(value) if !self.holds(value, vreg) => fault = Some(SpillFault::Read(id, value)),
            None if self.places.slots[vreg].is_some() => fault = Some(SpillFault::Read(id, vreg)),
            _ => {}
        });
        for_each_write(op, |vreg| match self.places.stands_for[vreg] {
            Some(value) => self.wrote(value, vreg),
            None if self.places.slots[vreg].is_some() => fault = Some(SpillFault::Place(id, vreg)),
            None => {}
        });
        fault.map_or(Ok(()), Err)
    }
}

/// Whether an interpolation reads coordinates that do not share a GPR.
fn has_split_coordinates(op: &Op, function: &Function) -> bool {
    let mut vectors = Vec::new();
    for_each_read(op, |vreg| vectors.push(function.vregs[vreg].vector));
    matches!(op, Op::FixedSlots(fixed) if fixed.vec_210) && !is_one(vectors)
}
