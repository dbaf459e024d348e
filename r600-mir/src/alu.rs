//! Operations of the vector and trans slots, and LDS operations, which are issued from these slots.

use arrayvec::ArrayVec;
use r600_isa::{AluOp, Chan, LdsAccess, Omod};

use crate::{Dst, Src, VReg};

/// An ALU operation of one slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alu {
    /// The opcode.
    pub op: AluOp,
    /// The destination.
    pub dst: Dst,
    /// Operands, as many as the operation reads.
    pub src: ArrayVec<Src, 3>,
    /// Output multiplier; two-source operations only.
    pub omod: Omod,
    /// Whether the result is clamped to 0…1.
    pub clamp: bool,
    /// Whether lanes that fail the predicate become inactive (a `PRED_SET*` that ends a block).
    pub update_exec_mask: bool,
    /// The value that the address register must hold for relative elements of this operation.
    pub index: Option<VReg>,
}

/// A reduction over the four vector slots (`DOT4` and similar): the sum of four products. The pairs may take the slots
/// in any order. The result is available in every slot and written from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// The opcode.
    pub op: AluOp,
    /// The destination.
    pub dst: VReg,
    /// The factors.
    pub pairs: [[Src; 2]; 4],
    /// Output multiplier.
    pub omod: Omod,
    /// Whether the result is clamped to 0…1.
    pub clamp: bool,
}

/// An operation that Cayman issues in slots x, y and z with the same operands, writing the result from one of them.
/// Slot w takes part if the result goes to w or if all four are required.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replicated {
    /// The opcode.
    pub op: AluOp,
    /// The destination.
    pub dst: VReg,
    /// Operands.
    pub src: ArrayVec<Src, 3>,
    /// Output multiplier.
    pub omod: Omod,
    /// Whether the result is clamped to 0…1.
    pub clamp: bool,
    /// Whether slot w always takes part (integer multiplications).
    pub all_slots: bool,
}

/// Operations that must occupy specific vector slots of one group (`CUBE`, `INTERP_*`, doubles).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedSlots {
    /// The slots used, with the operation of each. A destination's channel is its slot.
    pub slots: ArrayVec<(Chan, Alu), 4>,
    /// Whether the hardware requires bank swizzle `VEC_210` in each slot (interpolation).
    pub vec_210: bool,
}

/// An LDS access. A returned value waits in a queue, from which a move from
/// [`LDS_QUEUE_A_POP`](crate::LDS_QUEUE_A_POP) pops it. The hardware demands that values are popped in their order and
/// before the clause ends. The scheduler pops each in the group after its access, so the queue never holds two.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// The access.
    pub access: LdsAccess,
    /// Operands, starting with the address.
    pub src: ArrayVec<Src, 3>,
    /// Whether it pushes a value to the queue.
    pub returns: bool,
}
