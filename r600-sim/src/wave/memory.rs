//! Scratch memory, and the memory writes of control flow.

use std::collections::BTreeMap;

use r600_isa::rat_op_name;

use crate::error::Fault;
use crate::lanes::LaneMask;
use crate::outcome::{Event, MemoryTarget, MemoryWrite};
use crate::resources::{RandomAccess, Resources};

use super::Wave;
use super::export::MemoryStep;

/// Private memory of each lane, in vectors.
#[derive(Clone, Debug)]
pub(super) struct ScratchMemory {
    lanes: Vec<Vec<[u32; 4]>>,
    size: usize,
    /// Writes that fetches may not see yet, by lane and vector, each with whether a wait covers it.
    on_their_way: BTreeMap<(usize, u64), bool>,
}

impl ScratchMemory {
    /// Memory for `num_lanes` lanes; it is allocated when a lane first writes.
    pub(super) fn new(num_lanes: usize, size: usize) -> Self {
        Self { lanes: vec![Vec::new(); num_lanes], size, on_their_way: BTreeMap::new() }
    }

    /// The vector at `index`; zeros if it was never written.
    pub(super) fn read(&self, lane: usize, index: u64) -> Result<[u32; 4], Fault> {
        self.check(index)?;
        Ok(self.lanes[lane].get(index as usize).copied().unwrap_or_default())
    }

    fn write(&mut self, write: &MemoryWrite, is_acknowledged: bool) -> Result<(), Fault> {
        let index = u64::from(write.address / 4);
        self.check(index)?;
        let waited_for = self.on_their_way.entry((write.lane, index)).or_insert(true);
        *waited_for &= is_acknowledged;
        let memory = &mut self.lanes[write.lane];
        if memory.is_empty() {
            memory.resize(self.size, [0; 4]);
        }
        let vector = &mut memory[index as usize];
        for channel in (0..4).filter(|channel| write.mask >> channel & 1 == 1) {
            vector[channel] = write.values[channel];
        }
        Ok(())
    }

    /// Completes the acknowledged writes.
    pub(super) fn acknowledge(&mut self) {
        self.on_their_way.retain(|_, waited_for| !*waited_for);
    }

    /// Checks that a fetch cannot overtake a pending write.
    pub(super) fn check_acknowledged(&self, lane: usize, index: u64) -> Result<(), Fault> {
        match self.on_their_way.contains_key(&(lane, index)) {
            true => Err(Fault::NotAcknowledged(index)),
            false => Ok(()),
        }
    }

    fn check(&self, index: u64) -> Result<(), Fault> {
        let size = self.size as u64 * 16;
        let outside =
            Fault::AddressOutOfRange { memory: "scratch memory", address: index * 16, size };
        if index < self.size as u64 { Ok(()) } else { Err(outside) }
    }
}

impl Wave<'_> {
    /// Performs a memory write for `lanes` (or, on R600, a scratch read).
    pub(super) fn run_memory(
        &mut self,
        step: &MemoryStep,
        lanes: LaneMask,
        resources: &mut dyn Resources,
    ) -> Result<(), Fault> {
        let target = self.memory_target(step, lanes)?;
        for number in 0..step.count {
            for lane in lanes.iter() {
                if step.is_read {
                    self.read_back(step, number, lane)?;
                } else {
                    self.write_memory((step, target), number, lane, resources)?;
                }
            }
        }
        Ok(())
    }

    /// The target. An index register may be added to its number.
    fn memory_target(&self, step: &MemoryStep, lanes: LaneMask) -> Result<MemoryTarget, Fault> {
        Ok(match (step.target, step.target_index) {
            (MemoryTarget::RandomAccess { target, operation }, Some(index)) => {
                let added = self.registers.uniform_index(index, lanes)?;
                let target = target.wrapping_add_signed(added);
                MemoryTarget::RandomAccess { target, operation }
            }
            (target, _) => target,
        })
    }

    fn write_memory(
        &mut self,
        (step, target): (&MemoryStep, MemoryTarget),
        number: u32,
        lane: usize,
        resources: &mut dyn Resources,
    ) -> Result<(), Fault> {
        let values = self.vector(self.memory_gpr(step, number)?, lane)?;
        if let MemoryTarget::RandomAccess { target, operation } = target {
            let index =
                step.index_gpr.map_or(Ok([0; 4]), |gpr| self.vector(i64::from(gpr), lane))?;
            let access =
                RandomAccess { target, operation, lane, index, data: values, mask: step.mask };
            resources.random_access(&access).ok_or(Fault::NoResource("access target", target))?;
            if self.changes_target(operation) {
                self.exports.changed_targets.insert(lane);
            }
            return Ok(());
        }
        let address = self.memory_address(step, number, lane)?;
        let write = MemoryWrite { target: step.target, lane, address, values, mask: step.mask };
        if step.target == MemoryTarget::Scratch {
            return self.scratch_memory.write(&write, step.is_acknowledged);
        }
        self.exports.record(Event::Memory(write), self.options.event_limit)
    }

    /// Whether an operation on a random access target does more than read.
    fn changes_target(&self, operation: u32) -> bool {
        let generation = self.kernel.declaration().chip.generation();
        let name = u8::try_from(operation).ok().and_then(|op| rat_op_name(generation, op));
        !name.is_some_and(|name| name.starts_with("NOP"))
    }

    fn read_back(&mut self, step: &MemoryStep, number: u32, lane: usize) -> Result<(), Fault> {
        let address = self.memory_address(step, number, lane)?;
        let values = self.scratch_memory.read(lane, u64::from(address / 4))?;
        let gpr = self.memory_gpr(step, number)?;
        for (channel, bits) in (0_u8..).zip(values) {
            self.registers.write_lane((gpr, channel), lane, bits)?;
        }
        Ok(())
    }

    /// The dword address. Scratch is addressed in vectors, ring indices in elements, and everything else in dwords.
    fn memory_address(&self, step: &MemoryStep, number: u32, lane: usize) -> Result<u32, Fault> {
        let index = match step.index_gpr {
            Some(gpr) => self.registers.read_lane(i64::from(gpr), 0, lane)?,
            None => 0,
        };
        let in_vectors = step.target == MemoryTarget::Scratch;
        let base = if in_vectors { step.base.wrapping_mul(4) } else { step.base };
        // The result of a read beyond its array is unknown. A write there hits other data or nothing.
        if in_vectors && !step.is_read && step.index_gpr.is_some() && index > step.last_element {
            let (address, size) = (u64::from(index) * 16, u64::from(step.last_element + 1) * 16);
            return Err(Fault::AddressOutOfRange {
                memory: "an array in scratch memory",
                address,
                size,
            });
        }
        let index = match step.target {
            MemoryTarget::Scratch => index.saturating_mul(4),
            MemoryTarget::Ring(_) => index.wrapping_mul(step.step),
            _ => index,
        };
        let first = if in_vectors { base.saturating_add(index) } else { base.wrapping_add(index) };
        Ok(first.wrapping_add(number.wrapping_mul(step.step)))
    }

    /// The register of a burst's element.
    fn memory_gpr(&self, step: &MemoryStep, number: u32) -> Result<i64, Fault> {
        let offset = match step.is_relative {
            true => i64::from(self.loop_index().ok_or(Fault::NoLoopIndex)? as i32),
            false => 0,
        };
        Ok(i64::from(step.gpr) + i64::from(number) + offset)
    }

    fn vector(&self, gpr: i64, lane: usize) -> Result<[u32; 4], Fault> {
        let read = |channel| self.registers.read_lane(gpr, channel, lane);
        Ok([read(0)?, read(1)?, read(2)?, read(3)?])
    }
}
