//! Results of a run.

use std::collections::BTreeMap;

use crate::counters::Counters;
use crate::lanes::LaneMask;

/// The result of running a program on a wavefront.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// Exports by target.
    pub exports: BTreeMap<ExportTarget, Exported>,
    /// Lanes that the program killed.
    pub killed: LaneMask,
    /// Memory writes and geometry events, in order; accesses to random access targets go to the
    /// [resources](crate::Resources::random_access) instead.
    pub events: Vec<Event>,
    /// Lanes that have changed random access targets.
    pub changed_targets: LaneMask,
    /// Local memory at the end.
    pub local_memory: Vec<u32>,
    /// Global data share at the end.
    pub global_share: Vec<u32>,
    /// Counters of the run.
    pub counters: Counters,
}

impl Outcome {
    /// The export to `base` of `kind`.
    #[must_use]
    pub fn export(&self, kind: ExportKind, base: u32) -> Option<&Exported> {
        self.exports.get(&ExportTarget { kind, base })
    }
}

/// Target of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct ExportTarget {
    /// Type of the export.
    pub kind: ExportKind,
    /// `ARRAY_BASE`: the position, parameter or colour buffer.
    pub base: u32,
}

/// The type of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ExportKind {
    /// Colours, depth, stencil and coverage.
    Pixel,
    /// Positions and the values exported with them.
    Position,
    /// Parameters for interpolation.
    Parameter,
}

impl ExportKind {
    /// The name as disassemblers print it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pixel => "PIXEL",
            Self::Position => "POS",
            Self::Parameter => "PARAM",
        }
    }
}

/// The channels that reached an export target.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Exported {
    /// By lane: the bits of each channel, or `None` where nothing was exported.
    pub lanes: Vec<[Option<u32>; 4]>,
}

impl Exported {
    pub(crate) fn new(num_lanes: usize) -> Self {
        Self { lanes: vec![[None; 4]; num_lanes] }
    }
}

/// An output of the wavefront other than an export, in program order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A write to memory.
    Memory(MemoryWrite),
    /// A geometry shader's vertex is complete.
    EmitVertex {
        /// The stream.
        stream: u8,
        /// The lanes that emit.
        lanes: LaneMask,
    },
    /// A geometry shader's strip ends.
    CutVertex {
        /// The stream.
        stream: u8,
        /// The lanes that cut.
        lanes: LaneMask,
    },
    /// A tessellation factor.
    TessellationFactor {
        /// The lane that writes it.
        lane: usize,
        /// Byte address.
        address: u32,
        /// Bits of the factor.
        value: u32,
    },
}

/// Target of a memory write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryTarget {
    /// Scratch memory of each lane.
    Scratch,
    /// Ring of a geometry stream.
    Ring(u8),
    /// Stream output: stream and buffer.
    Stream {
        /// The geometry stream.
        stream: u8,
        /// The buffer.
        buffer: u8,
    },
    /// Memory export.
    Export,
    /// Reduction buffer.
    Reduction,
    /// A random access target: its number and operation.
    RandomAccess {
        /// Number of the target.
        target: u32,
        /// `RAT_INST` of the hardware.
        operation: u32,
    },
}

/// One lane's write of up to four dwords.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MemoryWrite {
    /// The target.
    pub target: MemoryTarget,
    /// The lane.
    pub lane: usize,
    /// Dword address inside the target.
    pub address: u32,
    /// The four channels.
    pub values: [u32; 4],
    /// Which channels are written.
    pub mask: u8,
}
