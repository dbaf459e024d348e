//! Bit casts, and instructions with two results.

use spirv::Op;
use tgsi_ir::Opcode;

use crate::binary::Inst;
use crate::code::Operand;
use crate::error::{Fault, unsupported};
use crate::types::Shape;

use super::Translator;
use super::value::Value;
use super::wide::component;

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

    /// Additions with carry, and widening products.
    pub(super) fn double_result(&mut self, op: Op, inst: Inst<'m>) -> Result<(), Fault> {
        let (ty, value) = self.typed_value(inst.id(2)?)?;
        let shape = self.module.shape(ty)?;
        if shape.is_wide() {
            let parts = self.wide_double_result(op, shape, &value, &self.value(inst.id(3)?)?)?;
            return self.define(inst, Value::Composite(parts.into()));
        }
        let (a, b) = (self.source(inst, 2)?, self.source(inst, 3)?);
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

    /// 64-bit additions with carry. Widening products are unsupported: no opcode gives the upper half.
    fn wide_double_result(
        &mut self,
        op: Op,
        shape: Shape,
        a: &Value,
        b: &Value,
    ) -> Result<[Value; 2], Fault> {
        let is_sum = op == Op::IAddCarry;
        if !is_sum && op != Op::ISubBorrow {
            return Err(unsupported(
                "the upper half of a product of 64 bits: multiply halves of 32 bits, and add the products up",
            ));
        }
        let (mut results, mut carries) = (Vec::new(), Vec::new());
        for n in 0..usize::from(shape.len) {
            let (a, b) = (component(a, n)?, component(b, n)?);
            let term = if is_sum { b } else { self.pair(Opcode::I64neg, &[b]) };
            let result = self.pair(Opcode::U64add, &[a, term]);
            let compared = if is_sum { [result, a] } else { [a, b] };
            let is_beyond = self.compute(Opcode::U64slt, 1, &compared);
            let carry = self.compute(Opcode::And, 1, &[is_beyond, Operand::word(1)]);
            results.push(result);
            carries.push(self.gathered(&[carry, Operand::word(0)]).pick(&[0, 1, 0, 1]));
        }
        Ok([self.vector_of(shape, results)?, self.vector_of(shape, carries)?])
    }
}
