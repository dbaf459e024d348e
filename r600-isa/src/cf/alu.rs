//! Instructions that run ALU clauses, and the constant cache windows that they lock.

use crate::codec::{At, FieldIo, field_enum};
use crate::fields::{
    cf_alu_word0 as w0, cf_alu_word0_ext as x0, cf_alu_word1 as w1, cf_alu_word1_ext as x1,
};
use crate::{CfOp, ClauseId, FieldError};

use super::opcode;

/// Number of lines in a constant cache window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum KcacheMode {
    /// The window is not used.
    #[default]
    None,
    /// One line: 16 vec4.
    Lock1,
    /// Two lines: 32 vec4.
    Lock2,
    /// Two lines, from the first one plus the loop index.
    LockLoopIndex,
}

field_enum!(KcacheMode {
    None = "OFF",
    Lock1 = "LOCK_1",
    Lock2 = "LOCK_2",
    LockLoopIndex = "LOCK_LOOP_INDEX",
});

impl KcacheMode {
    /// Number of vec4s in a window of this mode.
    pub const fn num_vec4(self) -> u8 {
        match self {
            Self::None => 0,
            Self::Lock1 => 16,
            Self::Lock2 | Self::LockLoopIndex => 32,
        }
    }
}

/// A control-flow index register added to a resource, sampler or buffer number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum CfIndex {
    /// Nothing is added.
    #[default]
    None,
    /// Index register 0.
    Index0,
    /// Index register 1.
    Index1,
}

field_enum!(CfIndex { None = "NONE", Index0 = "CF_IDX0", Index1 = "CF_IDX1" });

/// A constant cache window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KcacheWindow {
    /// Lines locked.
    pub mode: KcacheMode,
    /// Constant buffer.
    pub bank: u8,
    /// First line, in units of 16 vec4.
    pub line: u8,
    /// Index added to the bank; Evergreen and Cayman.
    pub index: CfIndex,
}

/// Runs an ALU clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CfAlu {
    /// The operation, which includes its effect on the branch stack.
    pub op: CfOp,
    /// The clause.
    pub clause: ClauseId,
    /// Constant cache windows; the last two need Evergreen or Cayman.
    pub kcache: [KcacheWindow; 4],
    /// Whether a redundant `ALU_EXTENDED` precedes it.
    pub extended: bool,
    /// Whether constants are those of another stage; R700 and later.
    pub alt_const: bool,
    /// Whether lanes may index different constants; R600.
    pub uses_waterfall: bool,
    /// Whether all lanes of a quad run if one does.
    pub whole_quad_mode: bool,
    /// Whether it waits for earlier clauses.
    pub barrier: bool,
}

impl CfAlu {
    /// Runs `clause` after a barrier, without constants.
    pub const fn new(op: CfOp, clause: ClauseId) -> Self {
        let window =
            KcacheWindow { mode: KcacheMode::None, bank: 0, line: 0, index: CfIndex::None };
        Self {
            op,
            clause,
            kcache: [window; 4],
            extended: false,
            alt_const: false,
            uses_waterfall: false,
            whole_quad_mode: false,
            barrier: true,
        }
    }

    /// Whether it is preceded by `ALU_EXTENDED`.
    pub fn is_extended(&self) -> bool {
        self.extended
            || self.kcache[2..].iter().any(|window| *window != KcacheWindow::default())
            || self.kcache.iter().any(|window| window.index != CfIndex::None)
    }

    pub(crate) fn describe(
        &mut self,
        io: &mut impl FieldIo,
        addr: &mut u32,
        count: &mut u32,
    ) -> Result<(), FieldError> {
        let [first, second, ..] = &mut self.kcache;
        io.field(At(0, &w0::ADDR), addr)?;
        io.field(At(0, &w0::KCACHE_BANK0), &mut first.bank)?;
        io.field(At(0, &w0::KCACHE_BANK1), &mut second.bank)?;
        io.field(At(0, &w0::KCACHE_MODE0), &mut first.mode)?;
        io.field(At(1, &w1::KCACHE_MODE1), &mut second.mode)?;
        io.field(At(1, &w1::KCACHE_ADDR0), &mut first.line)?;
        io.field(At(1, &w1::KCACHE_ADDR1), &mut second.line)?;
        io.field(At(1, &w1::COUNT), count)?;
        io.fixed(At(1, &w1::CF_INST), opcode(self.op, io.generation())?)?;
        io.property("USES_WATERFALL", At(1, &w1::USES_WATERFALL), &mut self.uses_waterfall)?;
        io.property("ALT_CONST", At(1, &w1::ALT_CONST), &mut self.alt_const)?;
        io.property("WHOLE_QUAD_MODE", At(1, &w1::WHOLE_QUAD_MODE), &mut self.whole_quad_mode)?;
        io.field(At(1, &w1::BARRIER), &mut self.barrier)
    }

    /// The words of `ALU_EXTENDED`.
    pub(crate) fn describe_extension(&mut self, io: &mut impl FieldIo) -> Result<(), FieldError> {
        let [first, second, third, fourth] = &mut self.kcache;
        io.field(At(0, &x0::KCACHE_BANK_INDEX_MODE0), &mut first.index)?;
        io.field(At(0, &x0::KCACHE_BANK_INDEX_MODE1), &mut second.index)?;
        io.field(At(0, &x0::KCACHE_BANK_INDEX_MODE2), &mut third.index)?;
        io.field(At(0, &x0::KCACHE_BANK_INDEX_MODE3), &mut fourth.index)?;
        io.field(At(0, &x0::KCACHE_BANK2), &mut third.bank)?;
        io.field(At(0, &x0::KCACHE_BANK3), &mut fourth.bank)?;
        io.field(At(0, &x0::KCACHE_MODE2), &mut third.mode)?;
        io.field(At(1, &x1::KCACHE_MODE3), &mut fourth.mode)?;
        io.field(At(1, &x1::KCACHE_ADDR2), &mut third.line)?;
        io.field(At(1, &x1::KCACHE_ADDR3), &mut fourth.line)?;
        io.fixed(At(1, &x1::CF_INST), opcode(CfOp::AluExt, io.generation())?)?;
        io.field(At(1, &x1::BARRIER), &mut self.barrier)
    }
}
