//! Words of constant buffers, by byte address.

use r600_isa::{AluOp, VtxInst};
use tgsi_ir::{Component, Instruction, Opcode};

use crate::abi::Uniforms;
use crate::refusal::Refusal;
use crate::ssa::{FetchKind, Operand};

use super::super::texture::one_step;
use super::{LowerError, Lowering, register};

/// Number of constant buffers.
const MAX_BUFFERS: u8 = 16;

impl Lowering<'_> {
    /// Loads words from a byte address on. Buffers are fetched by vectors, and the words lie in at most two.
    pub(super) fn load_constants(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        let name = inst.opcode.info().name;
        if self.key.uniforms == Uniforms::Registers {
            return Err(LowerError::new(name, Refusal::ConstantFileBlock));
        }
        if inst.opcode != Opcode::Load {
            return Err(LowerError::new(name, Refusal::ConstantBufferAccess));
        }
        let bank = register(inst).and_then(|reg| u8::try_from(reg.index).ok());
        let bank = bank
            .filter(|bank| *bank < MAX_BUFFERS)
            .ok_or_else(|| LowerError::new(name, Refusal::ConstantBufferNumber))?;
        let address = self.source(inst, 1, Component::X)?;
        let first = self.alu(AluOp::LshrInt, &[address, Operand::int(4)]);
        let mut words = self.constant_vector(bank, first).to_vec();
        let second = self.alu(AluOp::AddInt, &[first, Operand::int(1)]);
        words.extend(self.constant_vector(bank, second));
        // Two bits of the address select the first word. Each one that is set moves all words down.
        for (bit, step) in [(4, 1), (8, 2)] {
            let is_set = self.alu(AluOp::AndInt, &[address, Operand::int(bit)]);
            words = (0..words.len() - step)
                .map(|n| self.alu(AluOp::CndeInt, &[is_set, words[n], words[n + step]]))
                .collect();
        }
        self.write(inst, 0, std::array::from_fn(|n| words.get(n).copied()))
    }

    fn constant_vector(&mut self, bank: u8, index: Operand) -> [Operand; 4] {
        let fetch = FetchKind::Vtx(VtxInst::buffer_fetch(bank));
        self.fetch(one_step(fetch, [Some(index), None, None, None]))
    }
}
