//! Memory and image instructions of the flat form.

use tgsi_ir::{File, Format, TextureTarget};

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
    /// Counters; addresses count from this one. The slot's value is added to its number, and the sum must be in the
    /// named array, if any.
    HardwareAtomic(i64, Option<(Slot, u16)>),
    Constants,
    Image(TextureTarget, Format),
}

/// A file of resources that an index can pick from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ResourceFile {
    Buffer,
    Image,
    Constants,
    Sampler,
    View,
}

impl ResourceFile {
    /// Those of a file of registers.
    pub(crate) fn of(file: File) -> Option<Self> {
        match file {
            File::Buffer => Some(Self::Buffer),
            File::Image => Some(Self::Image),
            File::Constant | File::Constbuf => Some(Self::Constants),
            File::Sampler => Some(Self::Sampler),
            File::SamplerView => Some(Self::View),
            _ => None,
        }
    }

    /// How messages call it.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Buffer => "BUFFER",
            Self::Image => "IMAGE",
            Self::Constants => "CONST",
            Self::Sampler => "SAMP",
            Self::View => "SVIEW",
        }
    }
}

/// What an access does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MemoryAction {
    Load,
    Store,
    Atomic(AtomicOp),
    Size,
}
