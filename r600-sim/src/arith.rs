//! Arithmetic of the ALU instructions.
//!
//! Nothing here knows lanes, registers or encodings: an instruction is a function from operand bits to result bits.
//! Instructions are grouped by what they depend on: their own operands ([`LaneFn`]), the operands of several slots
//! ([`JointFn`]), or another slot's result ([`ChainFn`](chain::ChainFn)). Modifiers and the flushing of denormals are
//! in [`numerics`].

mod bits;
pub(crate) mod chain;
pub(crate) mod compare;
mod convert;
pub(crate) mod double;
mod float;
mod half;
mod integer;
pub(crate) mod numerics;
mod reduction;
mod transcendental;

pub(crate) use half::to_single as half_to_single;
pub(crate) use reduction::cube;

use r600_isa::{AluOp, Generation};

/// The operand bits of one slot and lane. Operands that the instruction lacks are 0.
pub(crate) type Operands = [u32; 3];

/// A function of one slot's operands.
pub(crate) type LaneFn = fn(Operands) -> u32;

/// A function from the operands of up to four slots to a result for each.
pub(crate) type JointFn = fn([Operands; 4]) -> [u32; 4];

/// The function of an instruction that depends only on its own operands.
pub(crate) fn find_lane(op: AluOp, generation: Generation) -> Option<LaneFn> {
    float::find(op)
        .or_else(|| integer::find(op))
        .or_else(|| bits::find(op))
        .or_else(|| convert::find(op, generation))
        .or_else(|| transcendental::find(op, generation))
}

/// The function of a reduction over the four vector slots.
pub(crate) fn find_reduction(op: AluOp) -> Option<JointFn> {
    reduction::find(op)
}
