//! Numbers of textures, images and buffers, which may differ by lane.

use super::Machine;
use crate::lanes::{Channel, LANES, lanes};
use crate::program::Unit;

impl Machine<'_> {
    /// The number for each lane.
    pub(super) fn units(&self, unit: &Unit) -> Channel {
        match *unit {
            Unit::Fixed(number) => [number; LANES],
            Unit::Handle(slot) => self.channel(slot),
            Unit::Indexed(base, slot) => self.channel(slot).map(|bits| {
                // What lies before the first or beyond the last unit is not there.
                u32::try_from(base + i64::from(bits as i32)).unwrap_or(u32::MAX)
            }),
        }
    }
}

/// The lanes of a mask that agree in all their numbers, group by group.
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
