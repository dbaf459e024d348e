//! Instructions of the plain format: branches, loops, calls, fetch clauses, waits.

use crate::codec::{At, FieldIo, field_enum};
use crate::fields::{cf_gws_word0 as gws, cf_word0 as w0, cf_word1 as w1};
use crate::{CfKind, CfOp, ClauseId, FieldError, Generation};

use super::tail::EndFields;

/// The lanes that a control-flow instruction applies to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum CfCondition {
    /// Active ones.
    #[default]
    Active,
    /// No lane.
    False,
    /// Active ones, if a boolean constant is set.
    Bool,
    /// Active ones, if a boolean constant is not set.
    NotBool,
}

field_enum!(CfCondition {
    Active = "ACTIVE",
    False = "FALSE",
    Bool = "BOOL",
    NotBool = "NOT_BOOL",
});

/// Fields shared by all plain-format instructions. Compilers leave them at their defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CfModes {
    /// Lanes that it applies to.
    pub condition: CfCondition,
    /// Boolean constant of the condition, or loop constant.
    pub cf_const: u8,
    /// Increment of the nesting counter by a call; R600 and R700.
    pub call_count: u8,
    /// Whether helper lanes are left out.
    pub valid_pixel_mode: bool,
    /// Whether all lanes of a quad run if one does; not on Cayman.
    pub whole_quad_mode: bool,
}

impl CfModes {
    fn describe(&mut self, io: &mut impl FieldIo) -> Result<(), FieldError> {
        io.property("CND", At(1, &w1::COND), &mut self.condition)?;
        io.property("CF_CONST", At(1, &w1::CF_CONST), &mut self.cf_const)?;
        io.property("CALL_COUNT", At(1, &w1::CALL_COUNT), &mut self.call_count)?;
        io.property("VALID_PIX", At(1, &w1::VALID_PIXEL_MODE), &mut self.valid_pixel_mode)?;
        io.property("WHOLE_QUAD_MODE", At(1, &w1::WHOLE_QUAD_MODE), &mut self.whole_quad_mode)
    }
}

/// Runs a fetch clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CfFetch {
    /// The operation, which selects the cache.
    pub op: CfOp,
    /// The clause.
    pub clause: ClauseId,
    /// Rarely used fields.
    pub modes: CfModes,
    /// Whether the program ends with it.
    pub end_of_program: bool,
    /// Whether it waits for earlier clauses.
    pub barrier: bool,
}

impl CfFetch {
    /// Runs `clause` after a barrier.
    pub fn new(op: CfOp, clause: ClauseId) -> Self {
        let modes = CfModes::default();
        Self { op, clause, modes, end_of_program: false, barrier: true }
    }

    pub(crate) fn describe(
        &mut self,
        io: &mut impl FieldIo,
        addr: &mut u32,
        count: &mut u32,
    ) -> Result<(), FieldError> {
        io.field(At(0, &w0::ADDR), addr)?;
        let (mut low, mut high) = split_count(io.generation(), *count);
        io.field(At(1, &w1::COUNT), &mut low)?;
        io.field(At(1, &w1::COUNT_3), &mut high)?;
        *count = joined_count(io.generation(), low, high);
        self.modes.describe(io)?;
        END.describe(io, self.op, [&mut self.end_of_program, &mut self.barrier])
    }
}

/// The parts of a count: `COUNT`, and `COUNT_3`, the further bit of R700, which lies elsewhere.
fn split_count(generation: Generation, count: u32) -> (u32, u32) {
    let max = w1::COUNT.on(generation).map_or(0, crate::Field::max);
    (count & max, count / (max + 1))
}

fn joined_count(generation: Generation, low: u32, high: u32) -> u32 {
    let max = w1::COUNT.on(generation).map_or(0, crate::Field::max);
    low + high * (max + 1)
}

/// The end of its second word.
const END: EndFields =
    EndFields { op: &w1::CF_INST, end_of_program: &w1::END_OF_PROGRAM, barrier: &w1::BARRIER };

/// Branches, loops, calls and everything else without a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CfFlow {
    /// The operation.
    pub op: CfOp,
    /// The target instruction, by position in [`Program::cf`](crate::Program::cf). If the operation has no target
    /// ([`CfOp::has_target`]), the raw address field.
    pub target: u32,
    /// Stack entries it pops.
    pub pop_count: u8,
    /// The stream of geometry output, on Evergreen and Cayman; unused otherwise.
    pub count: u8,
    /// The index that a `JUMPTABLE` adds to its address, on Evergreen and Cayman; none otherwise.
    pub jump_table: u8,
    /// Rarely used fields.
    pub modes: CfModes,
    /// Whether the program ends with it.
    pub end_of_program: bool,
    /// Whether it waits for earlier clauses.
    pub barrier: bool,
}

impl CfFlow {
    /// `op` without a target.
    pub const fn new(op: CfOp) -> Self {
        Self {
            op,
            target: 0,
            pop_count: 0,
            count: 0,
            jump_table: 0,
            modes: CfModes {
                condition: CfCondition::Active,
                cf_const: 0,
                call_count: 0,
                valid_pixel_mode: false,
                whole_quad_mode: false,
            },
            end_of_program: false,
            barrier: true,
        }
    }

    pub(crate) fn describe(
        &mut self,
        io: &mut impl FieldIo,
        addr: &mut u32,
    ) -> Result<(), FieldError> {
        if has_target(self.op) {
            io.field(At(0, &w0::ADDR), addr)?;
        } else {
            io.property("ADDR", At(0, &w0::ADDR), addr)?;
        }
        io.property("JUMPTABLE_SEL", At(0, &w0::JUMPTABLE_SEL), &mut self.jump_table)?;
        io.property("POP_CNT", At(1, &w1::POP_COUNT), &mut self.pop_count)?;
        let (mut low, mut high) = split_count(io.generation(), u32::from(self.count));
        io.property("COUNT", At(1, &w1::COUNT), &mut low)?;
        io.property("COUNT_3", At(1, &w1::COUNT_3), &mut high)?;
        self.count = joined_count(io.generation(), low, high) as u8;
        self.modes.describe(io)?;
        END.describe(io, self.op, [&mut self.end_of_program, &mut self.barrier])
    }
}

/// Whether the address field of an instruction without a clause is a jump target.
pub(crate) fn has_target(op: CfOp) -> bool {
    match op.info().kind {
        CfKind::Loop | CfKind::Branch => true,
        CfKind::Call => op == CfOp::Call,
        _ => false,
    }
}

impl CfOp {
    /// Whether it targets another control-flow instruction.
    pub fn has_target(self) -> bool {
        has_target(self)
    }
}

/// An operation of the global wave sync unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum SyncOp {
    /// Releases a semaphore.
    #[default]
    SemaphoreRelease,
    /// Takes a semaphore.
    SemaphoreTake,
    /// Waits for all waves.
    Barrier,
    /// Sets a resource up.
    Init,
}

field_enum!(SyncOp {
    SemaphoreRelease = "SEMA_V",
    SemaphoreTake = "SEMA_P",
    Barrier = "BARRIER",
    Init = "INIT",
});

/// The index added to an operand of the global wave sync unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[repr(u8)]
pub enum SyncIndex {
    /// Nothing.
    #[default]
    None,
    /// Index register 0.
    Index0,
    /// Index register 1.
    Index1,
    /// A mix of both; undocumented.
    Mix,
}

field_enum!(SyncIndex { None = "NONE", Index0 = "CF_IDX0", Index1 = "CF_IDX1", Mix = "MIX" });

/// Synchronises waves: `WAVE_SYNC` of Evergreen and Cayman.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct CfSync {
    /// The operation.
    pub op: SyncOp,
    /// Value of the operation.
    pub value: u16,
    /// Whether the value is signed.
    pub is_signed: bool,
    /// Index added to the value.
    pub value_index: SyncIndex,
    /// Resource of the unit.
    pub resource: u8,
    /// Index added to the resource.
    pub resource_index: SyncIndex,
    /// Rarely used fields.
    pub modes: CfModes,
    /// Whether the program ends with it.
    pub end_of_program: bool,
    /// Whether it waits for earlier clauses.
    pub barrier: bool,
}

impl CfSync {
    pub(crate) fn describe(&mut self, io: &mut impl FieldIo) -> Result<(), FieldError> {
        io.field(At(0, &gws::GWS_OPCODE), &mut self.op)?;
        io.property("VALUE", At(0, &gws::VALUE), &mut self.value)?;
        io.property("SIGNED", At(0, &gws::SIGN), &mut self.is_signed)?;
        io.property("VALUE_INDEX", At(0, &gws::VAL_INDEX_MODE), &mut self.value_index)?;
        io.property("RESOURCE", At(0, &gws::RESOURCE), &mut self.resource)?;
        io.property("RESOURCE_INDEX", At(0, &gws::RSRC_INDEX_MODE), &mut self.resource_index)?;
        self.modes.describe(io)?;
        END.describe(io, CfOp::WaveSync, [&mut self.end_of_program, &mut self.barrier])
    }
}
