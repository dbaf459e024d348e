//! An operation of any kind.

use r600_isa::CfFlow;

use crate::{
    Alu, Export, Fetch, FixedSlots, LDS_QUEUE_A_POP, Local, Memory, Reduction, Replicated, SrcKind,
};

/// An operation. Rare, large variants are boxed to keep the common ones compact.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// An ALU operation of one slot.
    Alu(Alu),
    /// A reduction over the vector slots.
    Reduction(Box<Reduction>),
    /// A Cayman operation over three or four slots.
    Replicated(Replicated),
    /// Operations in specific slots.
    FixedSlots(Box<FixedSlots>),
    /// Fetches.
    Fetch(Box<Fetch>),
    /// An export.
    Export(Export),
    /// An access to memory.
    Memory(Box<Memory>),
    /// An event for the hardware, issued by control flow: end of a vertex or of a strip.
    Event(CfFlow),
    /// An access to the local data share.
    Local(Local),
    /// Waits for the whole work group.
    Barrier,
}

impl Op {
    /// Whether it pops a value of the LDS queue.
    pub fn is_queue_pop(&self) -> bool {
        let Self::Alu(alu) = self else { return false };
        alu.src.iter().any(|src| matches!(src.kind, SrcKind::Special(LDS_QUEUE_A_POP, _)))
    }
}
