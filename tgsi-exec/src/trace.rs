//! Following a run step by step.

use tgsi_ir::InstructionId;

use crate::resources::Quad;

/// An observer of a run.
pub trait Tracer {
    /// An instruction is about to run in the lanes of a mask.
    fn step(&mut self, at: InstructionId, active: u8) {
        let _ = (at, active);
    }

    /// The instruction writes `values` in the lanes of `active` and the channels of `mask`, one bit each. An
    /// instruction with two results writes twice.
    fn wrote(&mut self, active: u8, mask: u8, values: &Quad) {
        let _ = (active, mask, values);
    }
}
