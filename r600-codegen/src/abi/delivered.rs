//! Registers that hardware and fetch shader fill before a program begins, whether it reads them or not.

use r600_isa::Generation;
use tgsi_ir::Processor;

use super::{EntryRegisters, InputSlot};

/// What fills registers before a program begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delivery<'a> {
    pub(crate) processor: Processor,
    pub(crate) generation: Generation,
    /// The inputs of a fragment shader, or those that a fetch shader leaves for a vertex shader.
    pub(crate) inputs: &'a [InputSlot],
    pub(crate) entry: EntryRegisters,
}

impl Delivery<'_> {
    /// The registers up to the last that is filled: all of them have to be the program's own.
    pub(crate) fn num_gprs(self) -> u8 {
        let of_inputs = self.inputs.iter().filter(|slot| slot.parameter.is_none());
        let of_inputs = of_inputs.map(|slot| slot.gpr.saturating_add(1)).max().unwrap_or(0);
        of_inputs.max(match self.processor {
            // Numbers of vertices and instances, or a place in a patch.
            Processor::Vertex | Processor::TessCtrl | Processor::TessEval => 1,
            // Places of vertices in the ring; numbers of a lane and of its group.
            Processor::Geometry | Processor::Compute => 2,
            Processor::Fragment => self.of_fragment(),
            _ => 0,
        })
    }

    /// Barycentric pairs, two in a register, and what is no parameter.
    fn of_fragment(self) -> u8 {
        let EntryRegisters { position, face, sample, .. } = self.entry;
        let num_pairs = self.entry.num_pairs().div_ceil(2);
        let has_pairs = matches!(self.generation, Generation::Evergreen | Generation::Cayman);
        let others = [position, face, sample].into_iter().flatten().map(|gpr| gpr + 1);
        others.max().unwrap_or(0).max(if has_pairs { num_pairs } else { 0 })
    }
}
