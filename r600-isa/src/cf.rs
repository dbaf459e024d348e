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
use crate::{CfOp, ClauseId, FieldError, Generation};

/// A control-flow instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
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
    /// Two words that no other variant represents without loss.
    Raw([u32; 2]),
}

/// Place and length of a clause, for encoding.
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

    /// The clause that it runs.
    pub(crate) fn clause(&self) -> Option<ClauseId> {
        match self {
            Self::Alu(alu) => Some(alu.clause),
            Self::Fetch(fetch) => Some(fetch.clause),
            Self::Flow(_) | Self::Export(_) | Self::Memory(_) | Self::Sync(_) | Self::Raw(_) => {
                None
            }
        }
    }

    /// Whether its end-of-program bit is set.
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

    /// Appends the words. `clause` is the place of its clause, `target` the address of its target.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CfAlu;

    #[test]
    fn words_say_whether_they_wait() {
        assert!(Cf::Raw([0, 0x8000_0000]).has_barrier());
        assert!(!Cf::Raw([u32::MAX, 0x7FFF_FFFF]).has_barrier());
    }

    #[test]
    fn extended_instructions_take_two_units() {
        let alu = CfAlu::new(CfOp::Alu, ClauseId(0));
        assert_eq!(Cf::Alu(alu).num_units(), 1);
        assert_eq!(Cf::Alu(CfAlu { extended: true, ..alu }).num_units(), 2);
        let mut windows = alu;
        windows.kcache[1].index = CfIndex::Index0;
        assert_eq!(Cf::Alu(windows).num_units(), 2);
        let mut windows = alu;
        windows.kcache[2].mode = KcacheMode::Lock1;
        assert_eq!(Cf::Alu(windows).num_units(), 2);
    }

    #[test]
    fn every_kind_says_whether_it_waits_and_ends() {
        for is_set in [false, true] {
            let mut fetch = CfFetch::new(CfOp::Tex, ClauseId(0));
            let mut flow = CfFlow::new(CfOp::Nop);
            let mut export = CfExport::new(CfOp::Export, ExportKind::Pixel, 0, 0);
            let mut memory = CfMemory::new(CfOp::MemScratch, 0);
            let mut sync = CfSync::default();
            (fetch.end_of_program, fetch.barrier) = (is_set, !is_set);
            (flow.end_of_program, flow.barrier) = (is_set, !is_set);
            (export.end_of_program, export.barrier) = (is_set, !is_set);
            (memory.end_of_program, memory.barrier) = (is_set, !is_set);
            (sync.end_of_program, sync.barrier) = (is_set, !is_set);
            for cf in [
                Cf::Fetch(fetch),
                Cf::Flow(flow),
                Cf::Export(export),
                Cf::Memory(memory),
                Cf::Sync(sync),
            ] {
                assert_eq!((cf.ends_program(), cf.has_barrier()), (is_set, !is_set), "{cf:?}");
            }
        }
        let alu = CfAlu { barrier: false, ..CfAlu::new(CfOp::Alu, ClauseId(0)) };
        assert!(!Cf::Alu(alu).has_barrier() && !Cf::Alu(alu).ends_program());
        assert!(!Cf::Raw([u32::MAX; 2]).ends_program());
    }
}
