//! Memory and image instructions of the flat form.

use tgsi_ir::{Format, TextureTarget};

use super::{Slot, Unit};
use crate::resources::AtomicOp;

/// An access to memory or an image. The sources of its step are, as far as there are such: address,
/// value, and what `CAS` stores.
#[derive(Clone, Debug)]
pub(crate) struct MemoryStep {
    pub(crate) place: MemoryPlace,
    pub(crate) unit: Unit,
    pub(crate) action: MemoryAction,
    /// Channels of the value that are stored.
    pub(crate) mask: u8,
}

/// What is accessed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryPlace {
    Buffer,
    Shared,
    /// Global memory, or that of a launch's inputs.
    Memory,
    Private,
    /// Counters, which addresses count from this one; the slot's value is added to its number, and the sum is one of the array
    /// that is named, where one is.
    HardwareAtomic(i64, Option<(Slot, u16)>),
    Constants,
    Image(TextureTarget, Format),
}

/// Declared counters that follow each other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Counters {
    pub(crate) buffer: u32,
    pub(crate) first: u64,
    pub(crate) last: u64,
    pub(crate) array: u16,
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryAction {
    Load,
    Store,
    Atomic(AtomicOp),
    Size,
}
