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
    /// Buffer fetch that only lanes run which cover a pixel; it gives them 0. Helper lanes keep what the register holds,
    /// so the step has one register as its address and its result.
    Covering(VtxInst),
}

/// One fetch instruction.
#[derive(Clone, Debug, PartialEq)]
pub struct FetchStep {
    /// The instruction; register and select fields are filled in after allocation.
    pub template: FetchTemplate,
    /// The address: every register in it belongs to one vector.
    pub src: [Component; 4],
    /// Where each component of the result goes: members of one vector, or nowhere.
    pub dst: [Option<VReg>; 4],
}

/// Fetch instructions that must follow each other in one clause (gradients before their sample).
#[derive(Clone, Debug, PartialEq)]
pub struct Fetch {
    /// The instructions, in order.
    pub steps: ArrayVec<FetchStep, 4>,
    /// What they read that the program also writes.
    pub reads: Option<Storage>,
}

impl Fetch {
    /// Whether they change what they read.
    pub fn is_change(&self) -> bool {
        let changes = |step: &FetchStep| matches!(&step.template, FetchTemplate::Gds(gds) if gds.op != FetchOp::GdsReadRet);
        self.reads.is_some() && self.steps.iter().any(changes)
    }

    /// Whether helper lanes sit them out: killed lanes are such, so that kills stay after them.
    pub fn is_covering(&self) -> bool {
        self.steps.iter().any(|step| matches!(step.template, FetchTemplate::Covering(_)))
    }

    /// Whether they take derivatives, for which every lane of a quad has to have its coordinates.
    pub fn takes_derivatives(&self) -> bool {
        let takes = |step: &FetchStep| matches!(&step.template, FetchTemplate::Tex(tex) if tex.op.takes_derivatives());
        self.steps.iter().any(takes)
    }

    /// Whether they read memory that programs write, of which the vertex cache may hold an old copy: buffers, images,
    /// what a write returns, and sizes of buffers.
    pub fn reads_what_programs_write(&self) -> bool {
        let is_size = |step: &FetchStep| matches!(&step.template, FetchTemplate::Vtx(vtx) | FetchTemplate::Covering(vtx) if vtx.op == FetchOp::GetBufferResinfo);
        self.reads == Some(Storage::Shared) || self.steps.iter().any(is_size)
    }
}

/// Memory that a program writes. Accesses to one keep their order, unless both read; no two overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Storage {
    /// Each lane's scratch memory from this vec4 on, up to where the next one begins.
    Scratch(u16),
    /// Images and buffers, which other lanes see.
    Shared,
    /// Rings and streams, which the program does not read.
    Stream,
    /// Counters of the global data share, which other lanes see.
    Counters,
}

/// A memory instruction of control flow: it writes, or on R600 reads scratch memory.
#[derive(Clone, Debug, PartialEq)]
pub struct Memory {
    /// The instruction; registers and mask are filled in after allocation.
    pub template: CfMemory,
    /// What it touches.
    pub storage: Storage,
    /// What is written, each register in the channel of its place, all of one vector.
    pub data: [Option<VReg>; 4],
    /// The index, likewise.
    pub index: [Option<VReg>; 4],
    /// What is read, likewise; an instruction that reads has all four and no data.
    pub dst: [Option<VReg>; 4],
}

impl Memory {
    /// Whether it reads.
    pub fn is_read(&self) -> bool {
        self.dst.iter().any(Option::is_some)
    }
}

/// What an export writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub enum ExportTarget {
    /// Colour buffer, or 61 for depth, stencil and mask.
    Pixel(u8),
    /// Position buffer, 60 to 63.
    Position(u8),
    /// Parameter, 0 to 31.
    Parameter(u8),
}

/// An export of one vec4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Export {
    /// What it writes to.
    pub target: ExportTarget,
    /// The value: every register in it belongs to one vector.
    pub src: [Component; 4],
}
