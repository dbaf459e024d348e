//! Dot products of four bytes in a word.

use spirv::{Op, PackedVectorFormat};
use tgsi_ir::Opcode;

use crate::binary::Inst;
use crate::code::Operand;
use crate::error::Fault;

use super::Translator;
use super::value::Value;

/// The first bit of each byte of a word.
const BEGINS: [u32; 4] = [0, 8, 16, 24];

impl<'m> Translator<'m> {
    /// The sum of the products of bytes.
    pub(super) fn packed_dot(&mut self, op: Op, inst: Inst<'m>) -> Result<(), Fault> {
        let shape = self.module.shape(inst.id(0)?)?;
        let packed = PackedVectorFormat::PackedVectorFormat4x8Bit as u32;
        let is_packed = inst.word(4).is_ok_and(|format| format == packed);
        if !is_packed || shape.is_wide() {
            return self.refuse("dot products of integers, but for those of four bytes in a word");
        }
        let [first, second] = match op {
            Op::UDot => [Opcode::Ubfe; 2],
            Op::SDot => [Opcode::Ibfe; 2],
            _ => [Opcode::Ibfe, Opcode::Ubfe],
        };
        let a = self.bytes(first, self.source(inst, 2)?);
        let b = self.bytes(second, self.source(inst, 3)?);
        let mut sum = self.compute(Opcode::Umul, 1, &[a.channel(0), b.channel(0)]);
        for n in 1..4 {
            sum = self.compute(Opcode::Umad, 1, &[a.channel(n), b.channel(n), sum.channel(0)]);
        }
        self.define(inst, Value::Vector(sum))
    }

    fn bytes(&mut self, extract: Opcode, word: Operand) -> Operand {
        let begins = Operand::words(BEGINS);
        self.compute(extract, 4, &[word.channel(0), begins, Operand::word(8)])
    }
}
