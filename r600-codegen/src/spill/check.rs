//! Checks spilled code without trusting what made it.
//!
//! Apart from loads and stores, each block does what it did before, on registers that stand for the old ones.
//! At the start of a block memory holds every spilled value; a read must find a register that holds the value
//! still, a load must find memory up to date, and so must the end of the block.

use std::collections::{BTreeMap, BTreeSet};

use r600_sched::machine::{Block, FetchTemplate, Function, Op, OpId, Storage, VReg};
use r600_sched::{for_each_read, for_each_write};
use thiserror::Error;

use super::rewrite::{replace_reads, replace_writes};
use super::{Home, Spilled};

/// What spilling got wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub(crate) enum SpillFault {
    /// Something else is done than before.
    #[error("{0} is not the operation before spilling")]
    Operation(OpId),
    /// A register is read that does not hold the value.
    #[error("{0} reads a register that does not hold {1}")]
    Read(OpId, VReg),
    /// Something is loaded that was not stored, or stored in the wrong place.
    #[error("{0} moves {1} from or to a place that is not its own")]
    Place(OpId, VReg),
    /// The end of a block is reached before a value is stored.
    #[error("{0} is not stored at the end of {1}")]
    NotStored(VReg, Block),
}

/// Checks what became of `before`.
///
/// # Errors
/// The first fault.
pub(crate) fn check(before: &Function, spilled: &Spilled) -> Result<(), SpillFault> {
    for (block, ops) in &before.blocks {
        let mut walk = Walk { before, spilled, held: BTreeMap::new(), stale: BTreeSet::new() };
        walk.block(block, ops)?;
    }
    Ok(())
}

struct Walk<'a> {
    before: &'a Function,
    spilled: &'a Spilled,
    /// The registers that hold each spilled value now.
    held: BTreeMap<VReg, BTreeSet<VReg>>,
    /// Values that memory does not hold.
    stale: BTreeSet<VReg>,
}

impl Walk<'_> {
    fn block(&mut self, block: Block, ops: &[OpId]) -> Result<(), SpillFault> {
        let mut left = ops.iter();
        for &id in &self.spilled.machine.blocks[block] {
            let op = &self.spilled.machine.ops[id];
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

    /// The slot that a load or store of spilled values moves.
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
        for (chan, register) in data.into_iter().enumerate() {
            let Some(register) = register else { continue };
            let value =
                self.value_at(register, slot, chan).ok_or(SpillFault::Place(id, register))?;
            if !self.holds(value, register) {
                return Err(SpillFault::Read(id, register));
            }
            self.stale.remove(&value);
        }
        for (chan, register) in dst.into_iter().enumerate() {
            let Some(register) = register else { continue };
            // R600 loads what nobody asked for, too.
            if self.spilled.stands_for[register].is_none() {
                continue;
            }
            let value =
                self.value_at(register, slot, chan).ok_or(SpillFault::Place(id, register))?;
            if self.stale.contains(&value) {
                return Err(SpillFault::Place(id, register));
            }
            self.held.entry(value).or_default().insert(register);
        }
        Ok(())
    }

    /// The value that `register` stands for, where its home is this place.
    fn value_at(&self, register: VReg, slot: u16, chan: usize) -> Option<VReg> {
        let value = self.spilled.stands_for[register]?;
        let Home { slot: own, chan: own_chan } = self.spilled.homes[value]?;
        (own == slot && own_chan as usize == chan).then_some(value)
    }

    fn holds(&self, value: VReg, register: VReg) -> bool {
        self.held.get(&value).is_some_and(|held| held.contains(&register))
    }

    fn operation(&mut self, id: OpId, op: &Op, old: Option<&OpId>) -> Result<(), SpillFault> {
        let original = |vreg: VReg| self.spilled.stands_for[vreg].unwrap_or(vreg);
        let mut renamed = op.clone();
        replace_reads(&mut renamed, original);
        replace_writes(&mut renamed, original);
        if old.map(|&old| &self.before.ops[old]) != Some(&renamed) {
            return Err(SpillFault::Operation(id));
        }
        let mut fault = None;
        for_each_read(op, |vreg| match self.spilled.stands_for[vreg] {
            Some(value) if !self.holds(value, vreg) => fault = Some(SpillFault::Read(id, value)),
            None if self.spilled.homes[vreg].is_some() => fault = Some(SpillFault::Read(id, vreg)),
            _ => {}
        });
        for_each_write(op, |vreg| match self.spilled.stands_for[vreg] {
            Some(value) => {
                self.held.insert(value, BTreeSet::from([vreg]));
                self.stale.insert(value);
            }
            None if self.spilled.homes[vreg].is_some() => fault = Some(SpillFault::Place(id, vreg)),
            None => {}
        });
        fault.map_or(Ok(()), Err)
    }
}
