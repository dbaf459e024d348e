//! Atomic operations on images and buffers.

use tgsi_ir::{Component, Instruction, Opcode};

use crate::refusal::Refusal;
use crate::ssa::Operand;

use super::{LowerError, Lowering, Resource};

/// The operation of the target that returns the old value.
pub(super) fn operation(opcode: Opcode) -> Option<&'static str> {
    Some(match opcode {
        Opcode::Atomuadd => "ADD_RTN",
        Opcode::Atomxchg => "XCHG_RTN",
        Opcode::Atomcas => "CMPXCHG_INT_RTN",
        Opcode::Atomand => "AND_RTN",
        Opcode::Atomor => "OR_RTN",
        Opcode::Atomxor => "XOR_RTN",
        Opcode::Atomumin => "MIN_UINT_RTN",
        Opcode::Atomumax => "MAX_UINT_RTN",
        Opcode::Atomimin => "MIN_INT_RTN",
        Opcode::Atomimax => "MAX_INT_RTN",
        Opcode::AtomincWrap => "INC_UINT_RTN",
        Opcode::AtomdecWrap => "DEC_UINT_RTN",
        _ => return None,
    })
}

impl Lowering<'_> {
    /// Changes one word. Every channel receives the old value.
    pub(super) fn atomic(
        &mut self,
        inst: &Instruction,
        resource: Resource,
    ) -> Result<(), LowerError> {
        let name = inst.opcode.info().name;
        let operation =
            operation(inst.opcode).ok_or_else(|| LowerError::new(name, Refusal::MemoryFloatAdd))?;
        let place = self.texel_place(inst, 1, resource)?;
        let second = self.source(inst, 2, Component::X)?;
        let values = match inst.opcode {
            Opcode::Atomcas => [self.source(inst, 3, Component::X)?, second],
            _ => [second, Operand::ZERO],
        };
        let old = self.returned(resource, operation, (place, values))?[0];
        self.write(inst, 0, [Some(old); 4])
    }
}
