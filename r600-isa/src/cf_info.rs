//! Properties of control-flow instructions.

use crate::generated::cf::{CF_DOC, CF_INFO};
use crate::{CfOp, Generation};

/// The kinds of control-flow instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CfKind {
    /// No clause, no jump.
    Plain,
    /// Runs a clause of fetches.
    Fetch,
    /// Loops.
    Loop,
    /// Branches.
    Branch,
    /// Calls.
    Call,
    /// Geometry shader output.
    Geom,
    /// Writes to a stream buffer.
    Stream,
    /// Writes to memory.
    Mem,
    /// Exports.
    Export,
    /// Writes to a random access target.
    Rat,
    /// Runs an ALU clause.
    Alu,
    /// Extends the ALU instruction after it.
    AluExtended,
}

/// Table entry of a control-flow instruction.
#[derive(Clone, Copy, Debug)]
pub struct CfInfo {
    /// Name in listings.
    pub name: &'static str,
    /// Its kind.
    pub kind: CfKind,
    /// Opcode by generation.
    pub opcode: [Option<u16>; 4],
}

impl CfOp {
    /// Its table entry.
    pub fn info(self) -> &'static CfInfo {
        &CF_INFO[self as usize]
    }

    /// Name in listings.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// One-line description.
    pub fn doc(self) -> &'static str {
        CF_DOC[self as usize]
    }

    /// The opcode on `generation`, if it exists.
    pub fn opcode(self, generation: Generation) -> Option<u16> {
        self.info().opcode[generation as usize]
    }
}
