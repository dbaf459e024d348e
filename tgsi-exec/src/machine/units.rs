//! Numbers of textures, images and buffers, which may differ by lane.

use tgsi_ir::InstructionId;

use super::Machine;
use crate::error::ExecError;
use crate::lanes::{Channel, LANES, lanes};
use crate::program::{ResourceFile, Unit, UnitIndex};

impl Machine<'_> {
    /// The number for each lane.
    pub(super) fn units(&self, unit: &Unit) -> Channel {
        match *unit {
            Unit::Fixed(number) => [number; LANES],
            Unit::Handle(slot) => self.channel(slot),
            Unit::Indexed(index) => self.channel(index.slot).map(|bits| {
                // Units below the first or beyond the last do not exist.
                u32::try_from(index.number(bits)).unwrap_or(u32::MAX)
            }),
        }
    }

    /// Stops if an index leads a lane of `mask` to an undeclared resource, unless the launch continues after that.
    pub(super) fn check_unit(
        &self,
        at: InstructionId,
        unit: &Unit,
        mask: u8,
    ) -> Result<(), ExecError> {
        let Unit::Indexed(index) = unit else { return Ok(()) };
        let Some(file) = index.file else { return Ok(()) };
        let added = self.channel(index.slot);
        lanes(mask).try_for_each(|lane| {
            self.check_declared(at, lane, (file, index.array, index.number(added[lane])))
        })
    }

    /// Stops at a number that is not declared (in the named array, if any), unless the launch continues after that.
    pub(super) fn check_declared(
        &self,
        at: InstructionId,
        lane: usize,
        (file, array, number): (ResourceFile, u16, i64),
    ) -> Result<(), ExecError> {
        let is_declared = self.program.resources.contains(file, array, number);
        match is_declared || self.resources.goes_on_undeclared() {
            true => Ok(()),
            false => Err(ExecError::Undeclared { at, lane, file: file.name(), array, number }),
        }
    }
}

impl UnitIndex {
    /// The number for a lane that adds `bits`.
    fn number(&self, bits: u32) -> i64 {
        self.base + i64::from(bits.cast_signed())
    }
}

/// Groups the lanes of a mask that agree in all their numbers.
pub(super) fn groups<const N: usize>(mask: u8, numbers: [Channel; N]) -> Vec<(u8, [u32; N])> {
    let mut groups: Vec<(u8, [u32; N])> = Vec::new();
    for lane in lanes(mask) {
        let own = numbers.map(|numbers| numbers[lane]);
        match groups.iter_mut().find(|(_, of_group)| *of_group == own) {
            Some((lanes, _)) => *lanes |= 1 << lane,
            None => groups.push((1 << lane, own)),
        }
    }
    groups
}
