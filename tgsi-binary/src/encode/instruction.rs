//! Instructions.

use tgsi_ir::{
    Instruction, Memory, Opcode, Predicate, ReturnType, Texture, TextureOffset, TokenType,
};

use super::writer::Writer;
use super::{EncodeError, EncodeReason};
use crate::format::Shape;

impl<S: Shape> Writer<S> {
    pub(super) fn instruction(&mut self, inst: &Instruction) -> Result<(), EncodeError> {
        let f = &Self::LAYOUT.instruction;
        let start = self.words.len();
        let head = self.put(f.kind, TokenType::Instruction.number())?
            | self.opcode(inst.opcode)?
            | self.put(f.saturate, inst.saturate.bits())?
            | self.put(f.num_dst, inst.dst.len() as u32)?
            | self.put(f.num_src, inst.src.len() as u32)?
            | self.put(f.predicate, inst.predicate.is_some())?
            | self.put(f.label, inst.label.is_some())?
            | self.put(f.texture, inst.texture.is_some())?
            | self.put(f.memory, inst.memory.is_some())?
            | self.put(f.precise, inst.precise)?;
        self.words.push(0);
        self.extras(inst)?;
        inst.dst.iter().try_for_each(|dst| self.destination(dst))?;
        inst.src.iter().try_for_each(|src| self.source(src))?;
        // The head does not count itself.
        let count = (self.words.len() - start - 1) as u32;
        self.words[start] = head | self.put(f.num_tokens, count)?;
        Ok(())
    }

    fn opcode(&self, opcode: Opcode) -> Result<u32, EncodeError> {
        let dialect = S::DIALECT;
        match opcode.number_in(dialect) {
            Some(number) => self.put(Self::LAYOUT.instruction.opcode, number),
            None => Err(self.error(EncodeReason::NoOpcode { opcode, dialect })),
        }
    }

    /// The words between the head and the operands.
    fn extras(&mut self, inst: &Instruction) -> Result<(), EncodeError> {
        if let Some(predicate) = &inst.predicate {
            self.predicate(predicate)?;
        }
        if let Some(label) = inst.label {
            self.words.push(self.put(Self::LAYOUT.label.label, label)?);
        }
        if let Some(texture) = &inst.texture {
            self.texture(texture)?;
        }
        if let Some(memory) = &inst.memory {
            self.memory(memory)?;
        }
        Ok(())
    }

    fn predicate(&mut self, predicate: &Predicate) -> Result<(), EncodeError> {
        let f = &Self::LAYOUT.predicate;
        let [x, y, z, w] = predicate.swizzle.components().map(|component| component as u32);
        let word = self.signed(f.index, predicate.index)?
            | self.put(f.swizzle_x, x)?
            | self.put(f.swizzle_y, y)?
            | self.put(f.swizzle_z, z)?
            | self.put(f.swizzle_w, w)?
            | self.put(f.negate, predicate.negate)?;
        self.words.push(word);
        Ok(())
    }

    fn texture(&mut self, texture: &Texture) -> Result<(), EncodeError> {
        let f = &Self::LAYOUT.texture;
        let mut word =
            self.number(f.target, texture.target.number_in(S::DIALECT), texture.target)?
                | self.put(f.num_offsets, texture.offsets.len() as u32)?;
        // If there is no field for it, the type is unknown.
        let kind = texture.return_type;
        if f.return_type.exists() || kind != ReturnType::Unknown {
            word |= self.put(f.return_type, kind.number())?;
        }
        self.words.push(word);
        texture.offsets.iter().try_for_each(|offset| self.texture_offset(offset))
    }

    fn texture_offset(&mut self, offset: &TextureOffset) -> Result<(), EncodeError> {
        let f = &Self::LAYOUT.texture_offset;
        let [x, y, z, _] = offset.swizzle.components().map(|component| component as u32);
        let word = self.signed(f.index, offset.index)?
            | self.number(f.file, offset.file.number_in(S::DIALECT), offset.file)?
            | self.put(f.swizzle_x, x)?
            | self.put(f.swizzle_y, y)?
            | self.put(f.swizzle_z, z)?;
        self.words.push(word);
        Ok(())
    }

    fn memory(&mut self, memory: &Memory) -> Result<(), EncodeError> {
        let f = &Self::LAYOUT.memory;
        let word = self.put(f.qualifiers, memory.qualifiers.bits())?
            | self.number(f.target, memory.target.number_in(S::DIALECT), memory.target)?
            | self.put(f.format, memory.format.number())?;
        self.words.push(word);
        Ok(())
    }
}
