//! Writes to memory: scratch, rings, streams, memory exports, random access targets.

use crate::codec::{At, FieldIo, Form, TextValue, field_enum};
use crate::fields::{
    cf_alloc_export_word0 as w0, cf_alloc_export_word0_rat as rat, cf_alloc_export_word1_buf as w1,
};
use crate::{CfKind, CfOp, FieldError, Generation};

use super::CfIndex;
use super::tail::{EndFields, Output, OutputFields};

/// The kind of a memory access. The last two read on R600; on later generations they are acknowledged writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum MemoryType {
    /// Writes.
    #[default]
    Write,
    /// Writes at the address in the index GPR.
    WriteIndexed,
    /// Writes with acknowledge; on R600 reads, as `READ`.
    WriteAck,
    /// The same at the address in the index GPR; on R600 `READ_IND`.
    WriteIndexedAck,
}

field_enum!(MemoryType {
    Write = "WRITE",
    WriteIndexed = "WRITE_IND",
    WriteAck = "WRITE_ACK",
    WriteIndexedAck = "WRITE_IND_ACK",
});

/// The words of all kinds on R600, which has no acknowledge.
const R600_WORDS: [&str; 4] = ["WRITE", "WRITE_IND", "READ", "READ_IND"];

impl MemoryType {
    /// The words of all kinds on a generation, in the order of their codes.
    pub(crate) const fn words(generation: Generation) -> &'static [&'static str] {
        match (generation, Self::FORM) {
            (Generation::R600, _) => &R600_WORDS,
            (_, Form::Words(words)) => words,
            _ => &[],
        }
    }

    /// Whether the index GPR is used.
    pub const fn is_indexed(self) -> bool {
        matches!(self, Self::WriteIndexed | Self::WriteIndexedAck)
    }
}

/// A random access target and the operation on it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CfRat {
    /// The target.
    pub id: u8,
    /// Index added to it.
    pub index: CfIndex,
    /// The operation; see [`rat_op_name`](crate::rat_op_name).
    pub op: u8,
}

/// The target of a memory instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum MemoryAccess {
    /// A base in the memory that the operation names, in its units.
    Base(u16),
    /// A random access target.
    Rat(CfRat),
}

/// Writes GPRs to memory, or reads them from scratch memory on R600.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CfMemory {
    /// Which memory.
    pub op: CfOp,
    /// The place in it: a random access target for the operations that have one, else a base.
    pub access: MemoryAccess,
    /// Whether it is indexed, and acknowledged.
    pub kind: MemoryType,
    /// First GPR.
    pub gpr: u8,
    /// Whether the loop index is added to the GPR.
    pub relative: bool,
    /// GPR of the index.
    pub index_gpr: u8,
    /// Dwords of an element less one.
    pub elem_size: u8,
    /// Number of elements in reach of an index, less one.
    pub array_size: u16,
    /// Bit n for component n of each GPR.
    pub comp_mask: u8,
    /// `R6xx_ELEM_LOOP`, which drivers leave off; R600 and R700.
    pub elem_loop: bool,
    /// Consecutive GPRs, at least 1.
    pub burst: u8,
    /// Whether helper lanes are left out.
    pub valid_pixel_mode: bool,
    /// Whether all lanes of a quad run if one does; R600 and R700.
    pub whole_quad_mode: bool,
    /// Whether `WAIT_ACK` waits for it; Evergreen and Cayman.
    pub mark: bool,
    /// Whether the program ends with it.
    pub end_of_program: bool,
    /// Whether it waits for earlier clauses.
    pub barrier: bool,
}

/// The end of its second word.
const OUTPUT: OutputFields = OutputFields {
    elem_loop: &w1::ELEM_LOOP,
    burst: &w1::BURST_COUNT,
    valid_pixel_mode: &w1::VALID_PIXEL_MODE,
    whole_quad_mode: &w1::WHOLE_QUAD_MODE,
    mark: &w1::MARK,
    end: EndFields { op: &w1::CF_INST, end_of_program: &w1::END_OF_PROGRAM, barrier: &w1::BARRIER },
};

impl CfMemory {
    /// Whether it loads its GPRs instead of writing them to memory, as on R600 alone.
    pub fn is_load(&self, generation: Generation) -> bool {
        let reads = matches!(self.kind, MemoryType::WriteAck | MemoryType::WriteIndexedAck);
        reads && generation == Generation::R600
    }

    /// Writes all of `gpr` to the start of its memory, after a barrier.
    pub fn new(op: CfOp, gpr: u8) -> Self {
        let is_rat = op.info().kind == CfKind::Rat;
        Self {
            op,
            access: if is_rat {
                MemoryAccess::Rat(CfRat::default())
            } else {
                MemoryAccess::Base(0)
            },
            kind: MemoryType::Write,
            gpr,
            relative: false,
            index_gpr: 0,
            elem_size: 0,
            array_size: 0,
            comp_mask: 15,
            elem_loop: false,
            burst: 1,
            valid_pixel_mode: false,
            whole_quad_mode: false,
            mark: false,
            end_of_program: false,
            barrier: true,
        }
    }

    pub(crate) fn describe(&mut self, io: &mut impl FieldIo) -> Result<(), FieldError> {
        match &mut self.access {
            MemoryAccess::Base(base) => io.field(At(0, &w0::ARRAY_BASE), base)?,
            MemoryAccess::Rat(target) => {
                io.field(At(0, &rat::RAT_ID), &mut target.id)?;
                io.field(At(0, &rat::RAT_INST), &mut target.op)?;
                io.field(At(0, &rat::RAT_INDEX_MODE), &mut target.index)?;
            }
        }
        // The rest of the word is the same in both layouts.
        io.field(At(0, &w0::TYPE), &mut self.kind)?;
        io.field(At(0, &w0::RW_GPR), &mut self.gpr)?;
        io.field(At(0, &w0::RW_REL), &mut self.relative)?;
        io.field(At(0, &w0::INDEX_GPR), &mut self.index_gpr)?;
        io.property("ELEM_SIZE", At(0, &w0::ELEM_SIZE), &mut self.elem_size)?;
        io.property("ARRAY_SIZE", At(1, &w1::ARRAY_SIZE), &mut self.array_size)?;
        io.field(At(1, &w1::COMP_MASK), &mut self.comp_mask)?;
        OUTPUT.describe(
            io,
            Output {
                op: self.op,
                elem_loop: &mut self.elem_loop,
                burst: &mut self.burst,
                valid_pixel_mode: &mut self.valid_pixel_mode,
                whole_quad_mode: &mut self.whole_quad_mode,
                mark: &mut self.mark,
                ends: [&mut self.end_of_program, &mut self.barrier],
            },
        )
    }
}
