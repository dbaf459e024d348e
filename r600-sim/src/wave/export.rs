//! Exports and memory writes of control flow.

use std::collections::BTreeMap;

use crate::error::Fault;
use crate::lanes::LaneMask;
use crate::outcome::{Event, ExportKind, ExportTarget, Exported, MemoryTarget};
use crate::plan::fetch::Select;

use super::registers::Registers;

/// Bits of 1.0.
const ONE: u32 = 0x3f80_0000;

/// An export in executable form.
#[derive(Clone, Debug)]
pub(crate) struct ExportStep {
    pub(crate) kind: ExportKind,
    pub(crate) base: u32,
    pub(crate) gpr: u32,
    /// Whether the loop index is added to the register.
    pub(crate) is_relative: bool,
    pub(crate) count: u32,
    pub(crate) select: [Select; 4],
    pub(crate) is_done: bool,
}

/// A memory write in executable form.
#[derive(Clone, Debug)]
pub(crate) struct MemoryStep {
    pub(crate) target: MemoryTarget,
    /// The index register of control flow that is added to the number of the target.
    pub(crate) target_index: Option<u8>,
    pub(crate) base: u32,
    pub(crate) gpr: u32,
    /// Whether the loop index is added to the register.
    pub(crate) is_relative: bool,
    pub(crate) index_gpr: Option<u32>,
    /// The last element that an index can reach.
    pub(crate) last_element: u32,
    pub(crate) count: u32,
    pub(crate) mask: u8,
    /// Dwords from one register of a burst to the next.
    pub(crate) step: u32,
    /// Whether a wait for acknowledgements covers it.
    pub(crate) is_acknowledged: bool,
    /// Whether it is a read, since R600 encodes scratch reads as writes.
    pub(crate) is_read: bool,
}

/// Exports of a wavefront.
#[derive(Clone, Debug, Default)]
pub(crate) struct Exports {
    pub(crate) targets: BTreeMap<ExportTarget, Exported>,
    pub(crate) events: Vec<Event>,
    /// Lanes that have changed random access targets.
    pub(crate) changed_targets: LaneMask,
    done: Vec<ExportKind>,
}

impl Exports {
    /// Performs an export for the lanes in `active`.
    pub(crate) fn export(
        &mut self,
        step: &ExportStep,
        registers: &Registers,
        (active, loop_index): (LaneMask, Option<u32>),
    ) -> Result<(), Fault> {
        let offset = match step.is_relative {
            true => i64::from(loop_index.ok_or(Fault::NoLoopIndex)? as i32),
            false => 0,
        };
        if self.done.contains(&step.kind) {
            return Err(Fault::ExportAfterDone(step.kind.name()));
        }
        if step.is_done {
            self.done.push(step.kind);
        }
        for number in 0..step.count {
            let target = ExportTarget { kind: step.kind, base: step.base + number };
            let exported =
                self.targets.entry(target).or_insert_with(|| Exported::new(registers.num_lanes()));
            for lane in active.iter() {
                let gpr = i64::from(step.gpr) + i64::from(number) + offset;
                write_lane(exported, step, registers, (gpr, lane))?;
            }
        }
        Ok(())
    }

    /// Whether an export of this kind has been marked as the last.
    pub(crate) fn is_done(&self, kind: ExportKind) -> bool {
        self.done.contains(&kind)
    }

    /// Records an event if there are fewer than `limit`.
    pub(crate) fn record(&mut self, event: Event, limit: usize) -> Result<(), Fault> {
        if self.events.len() >= limit {
            return Err(Fault::EventLimit(limit));
        }
        self.events.push(event);
        Ok(())
    }
}

fn write_lane(
    exported: &mut Exported,
    step: &ExportStep,
    registers: &Registers,
    (gpr, lane): (i64, usize),
) -> Result<(), Fault> {
    for (channel, select) in step.select.iter().enumerate() {
        let bits = match *select {
            Select::Masked => continue,
            Select::Zero => 0,
            Select::One => ONE,
            Select::Channel(from) => registers.read_lane(gpr, from, lane)?,
        };
        exported.lanes[lane][channel] = Some(bits);
    }
    Ok(())
}
