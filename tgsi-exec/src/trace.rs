//! Following a run step by step.

use tgsi_ir::InstructionId;

use crate::resources::Quad;

/// Somebody who follows a run.
pub trait Tracer {
    /// An instruction is about to run in the lanes of a mask.
    fn step(&mut self, at: InstructionId, active: u8) {
        let _ = (at, active);
    }

    /// It writes `values` in the lanes of `active` and the channels of `mask`, a bit each. An
    /// instruction with two results writes twice.
    fn wrote(&mut self, active: u8, mask: u8, values: &Quad) {
        let _ = (active, mask, values);
    }
}
