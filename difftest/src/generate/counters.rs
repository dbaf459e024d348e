//! Random operations on counters, in stages whose lanes the interpreter runs together, as the simulator does: the
//! result of a lane depends on which lanes came before it.

use tgsi_ir::build::ShaderBuilder;
use tgsi_ir::{
    Declaration, Dimension, Dst, File, Instruction, Opcode, Processor, Register, Src, WriteMask,
};

use super::Generator;
use super::memory::ATOMICS;
use crate::random::Random;

/// The last counter of each buffer. The number is a power of two minus one, so it also serves as a mask.
const LAST: [u16; 2] = [3, 1];

/// Declares counters in some shaders of some stages; false where there are none.
pub(super) fn declare(b: &mut ShaderBuilder, random: &mut Random, stage: Processor) -> bool {
    let is_together = matches!(stage, Processor::Vertex | Processor::Fragment | Processor::Compute);
    let has_counters = is_together && random.once_in(2);
    if has_counters {
        for (buffer, last) in (0..).zip(LAST) {
            let declaration = Declaration::new(File::HwAtomic, 0, last);
            b.declare(Declaration { dimension: Some(buffer), ..declaration });
        }
    }
    has_counters
}

impl Generator<'_> {
    /// Reads or changes a counter, at times one that each lane picks.
    pub(super) fn counter_operation(&mut self) {
        let buffer = self.random.below(LAST.len());
        let mut counter = Register::new(File::HwAtomic, 0);
        counter.dimension = Some(Dimension { index: buffer as i16, indirect: None });
        if self.random.once_in(4) {
            counter.indirect = Some(self.index(LAST[buffer] + 1));
        } else {
            counter.index = self.random.below(usize::from(LAST[buffer]) + 1) as i16;
        }
        let opcode = match self.random.once_in(4) {
            true => Opcode::Load,
            // Additions are twice as frequent.
            false => ATOMICS[self.random.below(ATOMICS.len() + 1).saturating_sub(1)],
        };
        let mut inst = Instruction::new(opcode);
        let result = self.integer_temp();
        // A load continues with the next counters, which may not exist.
        let mask = if opcode == Opcode::Load { WriteMask::X } else { self.mask() };
        inst.dst.push(Dst { mask, ..result.into() });
        let start = self.builder.u32(0);
        inst.src.extend([Src::new(counter), start]);
        let num_operands = usize::from(opcode.info().num_src) - inst.src.len();
        for _ in 0..num_operands {
            let operand = self.integer_source();
            inst.src.push(operand);
        }
        self.builder.push(inst);
    }
}
