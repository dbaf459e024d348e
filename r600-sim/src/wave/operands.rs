//! Reads the operands of a slot into lane values.

use crate::arith::numerics::{Denormals, flush};
use crate::error::Fault;
use crate::lanes::{LaneMask, MAX_LANES};
use crate::plan::alu::{
    ConstantWindow, Group, IndexRegister, NUM_SLOTS, Operand, Queue, Slot, Source, Special, TRANS,
};
use crate::resources::Resources;

use super::Wave;
use super::registers::LaneValues;

const SIGN: u32 = 0x8000_0000;

impl Wave<'_> {
    /// Reads every operand of `slot` for `lanes`, which run it. Operands that it lacks become 0.
    pub(super) fn read_operands(
        &mut self,
        slot: &Slot,
        lanes: LaneMask,
        resources: &dyn Resources,
    ) -> Result<(), Fault> {
        if slot.predicate.is_some() && self.predicate.is_none() {
            return Err(Fault::NoPredicate);
        }
        let flushes = slot.reads_floats && self.options.numerics.denormals == Denormals::Flush;
        for (number, operand) in slot.operands.iter().enumerate() {
            let mut values = [0; MAX_LANES];
            self.read_source(operand.source, lanes, resources, &mut values)?;
            modify(&mut values[..self.num_lanes], operand, flushes);
            self.scratch.operands[slot.index][number] = values;
        }
        for number in slot.operands.len()..3 {
            self.scratch.operands[slot.index][number] = [0; MAX_LANES];
        }
        Ok(())
    }

    fn read_source(
        &mut self,
        source: Source,
        lanes: LaneMask,
        resources: &dyn Resources,
        values: &mut LaneValues,
    ) -> Result<(), Fault> {
        match source {
            Source::Gpr { gpr, channel, index: None } => {
                let register = self.registers.read(gpr, channel)?;
                values[..register.len()].copy_from_slice(register);
            }
            Source::Gpr { gpr, channel, index: Some(index) } => {
                self.read_relative((gpr, channel), index, lanes, values)?;
            }
            Source::Constant { window, offset, channel, index: None } => {
                let bank = self.indexed_bank(&window)?;
                let vector = i64::from(window.first + offset);
                values.fill(constant(resources, bank, vector, channel)?);
            }
            Source::Constant { window, offset, channel, index: Some(index) } => {
                let place = (&window, offset, channel);
                self.read_relative_constant(place, index, (lanes, resources), values)?;
            }
            Source::ConstantFile { vector, channel, index } => {
                self.read_constant_file((vector, channel), index, (lanes, resources), values)?;
            }
            Source::Value(bits) => values.fill(bits),
            Source::Previous(channel) => {
                *values = self.previous_of(usize::from(channel & 3))?;
            }
            Source::PreviousScalar => *values = self.previous_of(TRANS)?,
            Source::Queue { queue, .. } => self.read_queue(queue, lanes, values)?,
            Source::Special(special) => values.fill(self.special(special)?),
            // Interpolation reads the parameter itself.
            Source::Parameter { .. } => {}
        }
        Ok(())
    }

    fn read_relative(
        &self,
        (gpr, channel): (u32, u8),
        index: IndexRegister,
        lanes: LaneMask,
        values: &mut LaneValues,
    ) -> Result<(), Fault> {
        let offsets = self.registers.offsets(index, self.loop_index())?;
        for lane in lanes.iter() {
            let gpr = i64::from(gpr) + i64::from(offsets[lane]);
            values[lane] = self.registers.read_lane(gpr, channel, lane)?;
        }
        Ok(())
    }

    /// Reads a constant by an index. It must be inside the lines that the clause has locked.
    fn read_relative_constant(
        &self,
        (window, offset, channel): (&ConstantWindow, u32, u8),
        index: IndexRegister,
        (lanes, resources): (LaneMask, &dyn Resources),
        values: &mut LaneValues,
    ) -> Result<(), Fault> {
        let bank = self.indexed_bank(window)?;
        let offsets = self.registers.offsets(index, self.loop_index())?;
        for lane in lanes.iter() {
            let offset = i64::from(offset) + i64::from(offsets[lane]);
            if !(0..i64::from(window.vectors)).contains(&offset) {
                return Err(Fault::ConstantNotLocked(i64::from(window.select) + offset));
            }
            values[lane] = constant(resources, bank, i64::from(window.first) + offset, channel)?;
        }
        Ok(())
    }

    fn read_constant_file(
        &self,
        (vector, channel): (u32, u8),
        index: Option<IndexRegister>,
        (lanes, resources): (LaneMask, &dyn Resources),
        values: &mut LaneValues,
    ) -> Result<(), Fault> {
        let offsets = match index {
            Some(index) => self.registers.offsets(index, self.loop_index())?,
            None => [0; MAX_LANES],
        };
        for lane in lanes.iter() {
            let vector = i64::from(vector) + i64::from(offsets[lane]);
            values[lane] = constant(resources, 0, vector, channel)?;
        }
        Ok(())
    }

    /// The bank of a window. The clause has locked one bank for all of its lanes, whichever lanes a slot runs for.
    fn indexed_bank(&self, window: &ConstantWindow) -> Result<u32, Fault> {
        let Some(index) = window.bank_index else { return Ok(window.bank) };
        let added = self.registers.uniform_index(index, self.flow.active())?;
        Ok(window.bank.wrapping_add_signed(added))
    }

    fn previous_of(&self, slot: usize) -> Result<LaneValues, Fault> {
        if self.has_previous[slot] {
            return Ok(self.previous[slot]);
        }
        Err(match slot {
            TRANS => Fault::NoPreviousScalar,
            channel => Fault::NoPreviousVector(channel as u8),
        })
    }

    fn read_queue(
        &self,
        queue: Queue,
        lanes: LaneMask,
        values: &mut LaneValues,
    ) -> Result<(), Fault> {
        for lane in lanes.iter() {
            values[lane] = self.queues[lane].front(queue)?;
        }
        Ok(())
    }

    /// Pops the values that a group's operands have read from the local memory queues: once per lane, regardless of the
    /// number of readers. `effective` holds the lanes that run each slot. It is undocumented whether other lanes keep
    /// their value, and the verifier counts a read regardless of its predicate.
    pub(super) fn pop_queues(&mut self, group: &Group, effective: &[LaneMask; NUM_SLOTS]) {
        for queue in [Queue::A, Queue::B] {
            let popped = Source::Queue { queue, pops: true };
            let pops = |slot: &&Slot| slot.operands.iter().any(|operand| operand.source == popped);
            let popping = group.slots.iter().filter(pops);
            let lanes = popping.fold(LaneMask::EMPTY, |lanes, slot| lanes | effective[slot.index]);
            lanes.iter().for_each(|lane| self.queues[lane].pop(queue));
        }
    }

    /// A value that describes the wavefront. The mask is that of the whole wavefront, which a predicate does not
    /// change.
    fn special(&self, special: Special) -> Result<u32, Fault> {
        let active = self.flow.active();
        Ok(match special {
            Special::TimeLow => self.counters.groups as u32,
            Special::TimeHigh => (self.counters.groups >> 32) as u32,
            Special::MaskLow => active.bits() as u32,
            Special::MaskHigh => (active.bits() >> 32) as u32,
            Special::Zero => 0,
            Special::LoopIndex => self.loop_index().ok_or(Fault::NoLoopIndex)?,
        })
    }
}

fn constant(resources: &dyn Resources, bank: u32, vector: i64, channel: u8) -> Result<u32, Fault> {
    u32::try_from(vector)
        .ok()
        .and_then(|vector| resources.constant(bank, vector))
        .map(|values| values[usize::from(channel & 3)])
        .ok_or(Fault::NoConstant { bank, index: vector })
}

fn modify(values: &mut [u32], operand: &Operand, flushes: bool) {
    if flushes {
        values.iter_mut().for_each(|bits| *bits = flush(*bits));
    }
    if operand.absolute {
        values.iter_mut().for_each(|bits| *bits &= !SIGN);
    }
    if operand.negate {
        values.iter_mut().for_each(|bits| *bits ^= SIGN);
    }
}
