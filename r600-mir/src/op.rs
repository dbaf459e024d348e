//! An operation of any kind.

use r600_isa::CfFlow;

use crate::{
    Alu, Export, Fetch, FixedSlots, LDS_QUEUE_A_POP, Local, Memory, Reduction, Replicated, SrcKind,
};

/// An operation. What is rare and large is behind a pointer: the many that are neither lie close together.
#[derive(Clone, Debug, PartialEq)]
pub enum Op {
    /// An ALU operation of one slot.
    Alu(Alu),
    /// A reduction over the vector slots.
    Reduction(Box<Reduction>),
    /// A Cayman operation over three or four slots.
    Replicated(Replicated),
    /// Operations in given slots.
    FixedSlots(Box<FixedSlots>),
    /// Fetches.
    Fetch(Box<Fetch>),
    /// An export.
    Export(Export),
    /// An access to memory.
    Memory(Box<Memory>),
    /// What control flow tells the hardware: a vertex is complete, a strip ends.
    Event(CfFlow),
    /// An access to the local data share.
    Local(Local),
    /// Waits until all of the work group are here.
    Barrier,
}

impl Op {
    /// Whether it takes a value out of the queue of the local data share.
    pub fn is_queue_pop(&self) -> bool {
        let Self::Alu(alu) = self else { return false };
        alu.src.iter().any(|src| matches!(src.kind, SrcKind::Special(LDS_QUEUE_A_POP, _)))
    }
}
