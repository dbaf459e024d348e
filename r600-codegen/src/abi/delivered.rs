//! Registers that hardware and fetch shader fill before a program begins, even if it does not read them.

use r600_isa::Generation;
use tgsi_ir::Processor;

use super::{EntryRegisters, InputSlot};

/// What fills registers before a program begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Delivery<'a> {
    pub(crate) processor: Processor,
    pub(crate) generation: Generation,
    /// The inputs of a fragment shader, or the vertex shader inputs that a fetch shader loads.
    pub(crate) inputs: &'a [InputSlot],
    pub(crate) entry: EntryRegisters,
}

impl Delivery<'_> {
    /// Number of registers up to the last that is filled. The program must allocate all of them.
    pub(crate) fn num_gprs(self) -> u8 {
        let of_inputs = self.inputs.iter().filter(|slot| slot.parameter.is_none());
        let of_inputs = of_inputs.map(|slot| slot.gpr.saturating_add(1)).max().unwrap_or(0);
        of_inputs.max(match self.processor {
            // Vertex and instance id, or the position in a patch.
            Processor::Vertex | Processor::TessCtrl | Processor::TessEval => 1,
            // Ring offsets of vertices, or thread and group id.
            Processor::Geometry | Processor::Compute => 2,
            Processor::Fragment => self.of_fragment(),
            _ => 0,
        })
    }

    /// Barycentric pairs, two per register, and preloaded values other than parameters.
    fn of_fragment(self) -> u8 {
        let EntryRegisters { position, face, sample, .. } = self.entry;
        let num_pairs = self.entry.num_pairs().div_ceil(2);
        let has_pairs = matches!(self.generation, Generation::Evergreen | Generation::Cayman);
        let others = [position, face, sample].into_iter().flatten().map(|gpr| gpr + 1);
        others.max().unwrap_or(0).max(if has_pairs { num_pairs } else { 0 })
    }
}
