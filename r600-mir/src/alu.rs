//! Operations of the vector and trans slots, and of the local data share, which issues from them.

use arrayvec::ArrayVec;
use r600_isa::{AluOp, Chan, LdsAccess, Omod};

use crate::{Dst, Src, VReg};

/// An ALU operation of one slot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alu {
    /// What it does.
    pub op: AluOp,
    /// Where the result goes.
    pub dst: Dst,
    /// Operands, as many as the operation reads.
    pub src: ArrayVec<Src, 3>,
    /// Multiplication of the result; two-source operations only.
    pub omod: Omod,
    /// Clamping of the result to 0…1.
    pub clamp: bool,
    /// Whether lanes that fail the predicate become inactive (`PRED_SET*` that ends a block).
    pub update_exec_mask: bool,
    /// The value that the address register must hold for relative elements of this operation.
    pub index: Option<VReg>,
}

/// A reduction over the four vector slots (`DOT4` and its kin): the sum of four products. The pairs may
/// take the slots in any order; the result is in every slot, and written from one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reduction {
    /// What it does.
    pub op: AluOp,
    /// Where the result goes.
    pub dst: VReg,
    /// The factors.
    pub pairs: [[Src; 2]; 4],
    /// Multiplication of the result.
    pub omod: Omod,
    /// Clamping of the result to 0…1.
    pub clamp: bool,
}

/// One operation that Cayman issues in slots x, y and z (and w where the result is wanted there, or
/// where all four are demanded) with the same operands, writing one of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replicated {
    /// What it does.
    pub op: AluOp,
    /// Where the result goes.
    pub dst: VReg,
    /// Operands.
    pub src: ArrayVec<Src, 3>,
    /// Multiplication of the result.
    pub omod: Omod,
    /// Clamping of the result to 0…1.
    pub clamp: bool,
    /// Whether slot w takes part in any case (integer multiplications).
    pub all_slots: bool,
}

/// Operations that must stand in given vector slots of one group (`CUBE`, `INTERP_*`, doubles).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FixedSlots {
    /// The slots used, with the operation of each. A destination's channel is its slot.
    pub slots: ArrayVec<(Chan, Alu), 4>,
    /// Whether the hardware demands bank swizzle `VEC_210` in each slot (interpolation).
    pub vec_210: bool,
}

/// An access to the local data share. What it returns waits in a queue, which a move from
/// [`LDS_QUEUE_A_POP`](crate::LDS_QUEUE_A_POP) must empty before the clause ends.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// What is done.
    pub access: LdsAccess,
    /// Operands: the address first.
    pub src: ArrayVec<Src, 3>,
    /// Whether it leaves a value in the queue.
    pub returns: bool,
}
