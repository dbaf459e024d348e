//! Properties of fetch instructions.

use crate::generated::fetch::{FETCH_DOC, FETCH_INFO};
use crate::{FetchOp, Generation};

/// The kinds of fetch instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FetchKind {
    /// Through the texture unit.
    Tex,
    /// Vertices and buffers.
    Vtx,
    /// Scratch and other memory.
    Mem,
    /// Global data share.
    Gds,
}

/// Table entry of a fetch instruction.
#[derive(Clone, Copy, Debug)]
pub struct FetchInfo {
    /// Name in listings.
    pub name: &'static str,
    /// Its kind.
    pub kind: FetchKind,
    /// Opcode by generation.
    pub opcode: [Option<u16>; 4],
    /// The value of `INST_MOD` that distinguishes it from others with its opcode.
    pub inst_mod: Option<u8>,
    /// The value of `MEM_OP` of memory operations.
    pub mem_op: Option<u8>,
    /// The value of `GDS_OP` of operations on the global data share.
    pub gds_op: Option<u8>,
    /// Whether it takes derivatives: a lane's operands affect the other lanes of the quad.
    pub takes_derivatives: bool,
}

impl FetchOp {
    /// Its table entry.
    pub fn info(self) -> &'static FetchInfo {
        &FETCH_INFO[self as usize]
    }

    /// Name in listings.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// One-line description.
    pub fn doc(self) -> &'static str {
        FETCH_DOC[self as usize]
    }

    /// Whether it takes derivatives: a lane's operands affect the other lanes of the quad.
    pub fn takes_derivatives(self) -> bool {
        self.info().takes_derivatives
    }

    /// The opcode on `generation`, if it exists.
    pub fn opcode(self, generation: Generation) -> Option<u16> {
        self.info().opcode[generation as usize]
    }
}
