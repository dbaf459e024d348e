//! Watching a program run.

use crate::error::Place;
use crate::lanes::LaneMask;

/// Callbacks invoked while a program runs.
pub trait Observer {
    /// Whether to call [`Observer::group`]; collecting values takes time.
    fn wants_groups(&self) -> bool {
        false
    }

    /// An ALU group has run.
    fn group(&mut self, trace: &GroupTrace<'_>) {
        let _ = trace;
    }

    /// A fetch instruction is about to run.
    fn fetch(&mut self, place: Place, name: &'static str, active: LaneMask) {
        let _ = (place, name, active);
    }

    /// A control flow instruction is about to run with these lanes active.
    fn control(&mut self, place: Place, active: LaneMask) {
        let _ = (place, active);
    }
}

/// The null observer.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoObserver;

impl Observer for NoObserver {}

/// Results of a group.
#[derive(Clone, Copy, Debug)]
pub struct GroupTrace<'a> {
    /// Place of the group.
    pub place: Place,
    /// The lanes that were active.
    pub active: LaneMask,
    /// The filled slots.
    pub slots: &'a [SlotTrace<'a>],
}

/// Result of a slot.
#[derive(Clone, Copy, Debug)]
pub struct SlotTrace<'a> {
    /// The slot: x, y, z, w or t.
    pub slot: &'static str,
    /// The instruction.
    pub op: &'static str,
    /// Register and channel that the result was written to; without a relative index.
    pub destination: Option<(u32, u8)>,
    /// The result of every lane, as bits, including inactive lanes.
    pub values: &'a [u32],
}
