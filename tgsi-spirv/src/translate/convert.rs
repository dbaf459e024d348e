//! Bits taken as another type, and instructions with two results.

use spirv::Op;
use tgsi_ir::Opcode;

use crate::binary::Inst;
use crate::code::Operand;
use crate::error::Fault;

use super::Translator;
use super::value::Value;

impl<'m> Translator<'m> {
    /// `OpBitcast`.
    pub(super) fn bitcast(&mut self, inst: Inst<'m>) -> Result<(), Fault> {
        let (ty, value) = self.typed_value(inst.id(2)?)?;
        if let Value::Pointer(_) = value {
            return self.refuse("the hardware cannot cast pointers");
        }
        let (from, to) = (self.module.shape(ty)?, self.module.shape(inst.id(0)?)?);
        let value = if from.is_wide() || to.is_wide() {
            self.wide_bitcast(from, to, &value)?
        } else {
            value
        };
        self.define(inst, value)
    }

    /// Sums with carry, and products of twice the bits.
    pub(super) fn double_result(&mut self, op: Op, inst: Inst<'m>) -> Result<(), Fault> {
        let (a, shape) = self.operand(inst.id(2)?)?;
        let b = self.source(inst, 3)?;
        let len = shape.len;
        let one = Operand::word(1);
        let (low, high) = match op {
            Op::IAddCarry => {
                let sum = self.compute(Opcode::Uadd, len, &[a, b]);
                let carry = self.compute(Opcode::Uslt, len, &[sum, a]);
                (sum, self.compute(Opcode::And, len, &[carry, one]))
            }
            Op::ISubBorrow => {
                let difference = self.compute(Opcode::Uadd, len, &[a, b.neg()]);
                let borrow = self.compute(Opcode::Uslt, len, &[a, b]);
                (difference, self.compute(Opcode::And, len, &[borrow, one]))
            }
            Op::UMulExtended => (
                self.compute(Opcode::Umul, len, &[a, b]),
                self.compute(Opcode::UmulHi, len, &[a, b]),
            ),
            _ => (
                self.compute(Opcode::Umul, len, &[a, b]),
                self.compute(Opcode::ImulHi, len, &[a, b]),
            ),
        };
        let parts = [Value::Vector(low), Value::Vector(high)];
        self.define(inst, Value::Composite(parts.into()))
    }
}
