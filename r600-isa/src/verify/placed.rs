//! Groups as the rules see them.

use arrayvec::ArrayVec;

use crate::{AluInst, AluSrc, Slot};

/// A group with a slot assigned to each instruction.
pub(super) type Placed<'g> = ArrayVec<(Slot, &'g AluInst), 5>;

/// The sources that an instruction reads.
pub(super) fn sources(inst: &AluInst) -> &[AluSrc] {
    &inst.src[..inst.num_src().min(inst.src.len())]
}
