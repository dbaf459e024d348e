//! Accesses to images and buffers with dynamic indices.
//!
//! Instructions name their resource, and the chips' index registers are the same for all lanes. So each resource that
//! the index can select gets its own branch, which only the lanes that select it enter.

use r600_isa::AluOp;
use tgsi_ir::{Declaration, File, Indirect, Instruction, Register};

use crate::refusal::Refusal;
use crate::ssa::{Condition, Operand};

use super::{LowerError, Lowering};

impl Lowering<'_> {
    /// An access to one of the declared resources that `indirect` can reach.
    pub(super) fn any_resource(
        &mut self,
        inst: &Instruction,
        reg: Register,
        indirect: Indirect,
    ) -> Result<(), LowerError> {
        let index = self.index(&indirect)?;
        let numbers = self.meant_resources(reg, indirect);
        if numbers.is_empty() {
            return Err(LowerError::new(inst.opcode.info().name, Refusal::NoResourceInReach));
        }
        for number in numbers {
            let offset = Operand::int(i32::from(number) - i32::from(reg.index));
            let condition = Condition { op: AluOp::PredSeteInt, src: [index, offset] };
            let named = naming(inst, reg, number.cast_signed());
            self.only_where(condition, |lowering| lowering.resource(&named))?;
        }
        Ok(())
    }

    /// The numbers of the declared resources of the register's file, or only of the array that the index names.
    fn meant_resources(&self, reg: Register, indirect: Indirect) -> Vec<u16> {
        // Counters without a buffer are those of buffer 0.
        let buffer = match (reg.file, reg.dimension) {
            (_, Some(dimension)) => Some(i32::from(dimension.index)),
            (File::HwAtomic, None) => Some(0),
            _ => None,
        };
        let is_own = |d: &&Declaration| {
            // Counters are numbered in their buffer; other resources have one subscript.
            let own_buffer = i32::from(d.dimension.unwrap_or(0));
            buffer.is_none_or(|buffer| buffer == own_buffer)
        };
        let meant = self.declarations.meant(reg.file, indirect).filter(is_own);
        // Higher numbers are refused where they are used.
        let numbers = meant.flat_map(|d| d.range.first..=d.range.last.min(255));
        let mut numbers: Vec<u16> = numbers.collect();
        if reg.file == File::Constbuf {
            numbers.extend(self.constant_buffers());
        }
        numbers.sort_unstable();
        numbers.dedup();
        numbers
    }
}

/// The instruction with resource `number` in place of its indirect one.
fn naming(inst: &Instruction, reg: Register, number: i16) -> Instruction {
    let mut named = inst.clone();
    let fixed = Register { index: number, indirect: None, ..reg };
    let src = named.src.iter_mut().map(|src| &mut src.reg);
    let dst = named.dst.iter_mut().map(|dst| &mut dst.reg);
    src.chain(dst).filter(|operand| **operand == reg).for_each(|operand| *operand = fixed);
    named
}
