//! Control-flow instructions.

mod alu;
mod export;
mod memory;
mod plain;
mod tail;

pub use self::alu::{CfAlu, CfIndex, KcacheMode, KcacheWindow};
pub use self::export::{CfExport, ExportKind};
pub use self::memory::{CfMemory, CfRat, MemoryAccess, MemoryType};
pub use self::plain::{CfCondition, CfFetch, CfFlow, CfModes, CfSync, SyncIndex, SyncOp};

pub(crate) use self::plain::has_target;

use crate::codec::Encoder;
use crate::{CfOp, FieldError, Generation};

/// A control-flow instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cf {
    /// Runs an ALU clause.
    Alu(CfAlu),
    /// Runs a fetch clause.
    Fetch(CfFetch),
    /// Anything without a clause.
    Flow(CfFlow),
    /// Exports.
    Export(CfExport),
    /// Writes memory, or reads it on R600.
    Memory(CfMemory),
    /// Synchronises waves through the global wave sync unit.
    Sync(CfSync),
    /// Two words that nothing above holds without loss.
    Raw([u32; 2]),
}

/// Where a clause lies and how long it is, for encoding.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClausePlace {
    /// In 64-bit units from the start of the program.
    pub(crate) addr: u32,
    /// Slots or fetches.
    pub(crate) count: u32,
}

impl Cf {
    /// 64-bit units that it takes.
    pub fn num_units(&self) -> u32 {
        match self {
            Self::Alu(alu) if alu.is_extended() => 2,
            _ => 1,
        }
    }

    /// Whether it carries the bit that ends a program.
    pub fn ends_program(&self) -> bool {
        match self {
            Self::Fetch(fetch) => fetch.end_of_program,
            Self::Flow(flow) => flow.end_of_program,
            Self::Export(export) => export.end_of_program,
            Self::Memory(memory) => memory.end_of_program,
            Self::Sync(sync) => sync.end_of_program,
            Self::Alu(_) | Self::Raw(_) => false,
        }
    }

    /// Whether it waits for earlier instructions.
    pub fn has_barrier(&self) -> bool {
        match self {
            Self::Alu(alu) => alu.barrier,
            Self::Fetch(fetch) => fetch.barrier,
            Self::Flow(flow) => flow.barrier,
            Self::Export(export) => export.barrier,
            Self::Memory(memory) => memory.barrier,
            Self::Sync(sync) => sync.barrier,
            Self::Raw([_, word]) => word >> 31 == 1,
        }
    }

    /// Appends the words; `clause` tells where its clause lies, `target` where its target does.
    pub(crate) fn encode(
        &self,
        generation: Generation,
        clause: ClausePlace,
        target: u32,
        out: &mut Vec<u32>,
    ) -> Result<(), FieldError> {
        let mut encoder = Encoder::new(generation);
        match *self {
            Self::Alu(mut alu) => {
                if alu.is_extended() {
                    let mut extension = Encoder::new(generation);
                    alu.describe_extension(&mut extension)?;
                    out.extend_from_slice(&extension.words[..2]);
                }
                let ClausePlace { mut addr, count } = clause;
                alu.describe(&mut encoder, &mut addr, &mut count.saturating_sub(1))?;
            }
            Self::Fetch(mut fetch) => {
                let ClausePlace { mut addr, count } = clause;
                fetch.describe(&mut encoder, &mut addr, &mut count.saturating_sub(1))?;
            }
            Self::Flow(mut flow) => {
                let mut addr = if has_target(flow.op) { target } else { flow.target };
                flow.describe(&mut encoder, &mut addr)?;
            }
            Self::Export(mut export) => export.describe(&mut encoder)?,
            Self::Memory(mut memory) => memory.describe(&mut encoder)?,
            Self::Sync(mut sync) => sync.describe(&mut encoder)?,
            Self::Raw([a, b]) => encoder.words = [a, b, 0, 0],
        }
        out.extend_from_slice(&encoder.words[..2]);
        Ok(())
    }
}

fn opcode(op: CfOp, generation: Generation) -> Result<u32, FieldError> {
    op.opcode(generation).map(u32::from).ok_or(FieldError::Absent {
        field: op.name(),
        generation,
        value: op as u32,
    })
}
