//! Operations outside the ALU: fetches, memory, exports.

use arrayvec::ArrayVec;
use r600_isa::{CfMemory, FetchOp, GdsInst, MemInst, TexInst, VtxInst};

use crate::{Component, VReg};

/// A fetch instruction except for its registers and selects.
#[derive(Clone, Debug, PartialEq)]
pub enum FetchTemplate {
    /// Texture fetch.
    Tex(TexInst),
    /// Vertex or buffer fetch.
    Vtx(VtxInst),
    /// Read of scratch memory; R700 and later.
    Mem(MemInst),
    /// Operation of the global data share, or a tessellation factor.
    Gds(GdsInst),
    /// Buffer fetch that only runs for lanes that cover a pixel and returns 0 to them. In helper lanes the register
    /// keeps its value, so the step has the same register as address and result.
    Covering(VtxInst),
}

/// One fetch instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct FetchStep {
    /// The instruction; register and select fields are filled in after allocation.
    pub template: FetchTemplate,
    /// The address; its registers all belong to one vector.
    pub src: [Component; 4],
    /// The destination of each component of the result: members of one vector, or nowhere.
    pub dst: [Option<VReg>; 4],
}

/// Fetch instructions that must be adjacent in one clause (gradients and their sample).
#[derive(Clone, Debug, PartialEq)]
pub struct Fetch {
    /// The instructions, in order.
    pub steps: ArrayVec<FetchStep, 4>,
    /// The memory they read, if the program also writes it.
    pub reads: Option<Storage>,
}

impl Fetch {
    /// Whether they modify what they read.
    pub fn is_change(&self) -> bool {
        let changes = |step: &FetchStep| matches!(&step.template, FetchTemplate::Gds(gds) if gds.op != FetchOp::GdsReadRet);
        self.reads.is_some() && self.steps.iter().any(changes)
    }

    /// Whether helper lanes skip them. Killed lanes are helpers, so kills must stay after them.
    pub fn is_covering(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.template, FetchTemplate::Covering(_)))
    }

    /// Whether they take derivatives, which need the coordinates of every lane of a quad.
    pub fn takes_derivatives(&self) -> bool {
        let takes = |step: &FetchStep| matches!(&step.template, FetchTemplate::Tex(tex) if tex.op.takes_derivatives());
        self.steps.iter().any(takes)
    }

    /// Whether they read memory that programs write, so that the vertex cache may be stale: buffers, images, return
    /// values of writes, and buffer sizes.
    pub fn reads_what_programs_write(&self) -> bool {
        let is_size = |step: &FetchStep| matches!(&step.template, FetchTemplate::Vtx(vtx) | FetchTemplate::Covering(vtx) if vtx.op == FetchOp::GetBufferResinfo);
        self.reads == Some(Storage::Shared) || self.steps.iter().any(is_size)
    }
}

/// Memory that a program writes. Accesses to one storage keep their order unless both are reads. Storages do not
/// overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Storage {
    /// Each lane's scratch memory, from this vec4 up to the start of the next such range.
    Scratch(u16),
    /// Images and buffers, which other lanes see.
    Shared,
    /// Rings and streams, which the program does not read.
    Stream,
    /// Counters of the global data share, which other lanes see.
    Counters,
}

/// A memory instruction in control flow: a write, or on R600 also a scratch read.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// The instruction; registers and mask are filled in after allocation.
    pub template: CfMemory,
    /// The storage that it accesses.
    pub storage: Storage,
    /// The data to write: each register in the channel of its component, all of one vector.
    pub data: [Option<VReg>; 4],
    /// The index, likewise.
    pub index: [Option<VReg>; 4],
    /// The data read, likewise. A read has all four and no data.
    pub dst: [Option<VReg>; 4],
}

impl Memory {
    /// Whether it reads.
    pub fn is_read(&self) -> bool {
        self.dst.iter().any(Option::is_some)
    }
}

/// The target of an export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum ExportTarget {
    /// Colour buffer, or 61 for depth, stencil and sample mask.
    Pixel(u8),
    /// Position buffer, 60 to 63.
    Position(u8),
    /// Parameter, 0 to 31.
    Parameter(u8),
}

/// An export of one vec4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export {
    /// The target.
    pub target: ExportTarget,
    /// The value; its registers all belong to one vector.
    pub src: [Component; 4],
}
