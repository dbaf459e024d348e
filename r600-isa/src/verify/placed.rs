//! Groups as rules look at them.

use arrayvec::ArrayVec;

use crate::{AluInst, AluSrc, Slot};

/// A group whose instructions have their slots.
pub(super) type Placed<'g> = ArrayVec<(Slot, &'g AluInst), 5>;

/// The sources that an instruction reads.
pub(super) fn sources(inst: &AluInst) -> &[AluSrc] {
    &inst.src[..inst.num_src().min(inst.src.len())]
}
