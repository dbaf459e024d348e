//! Instructions.

use arrayvec::ArrayVec;
use tgsi_ir::{
    Component, File, Format, Instruction, Memory, MemoryQualifiers, Opcode, Predicate, ReturnType,
    Saturate, Swizzle, Texture, TextureOffset, TextureTarget,
};

use super::reader::Reader;
use super::{DecodeError, DecodeReason, Note};
use crate::format::Shape;
use crate::generated::layout::WordKind;

impl<S: Shape, N: Note> Reader<'_, S, N> {
    /// Reads an instruction to the end of `list`, without moving it once more.
    pub(super) fn instruction(&mut self, list: &mut Vec<Instruction>) -> Result<(), DecodeError> {
        let f = &Self::LAYOUT.instruction;
        let start = self.at;
        let head = self.next(WordKind::Instruction)?;
        let number = f.opcode.byte(head);
        let Some(opcode) = Opcode::from_number_in(S::DIALECT, number) else {
            let reason = DecodeReason::UnknownOpcode { number, dialect: S::DIALECT };
            return Err(self.error(start, reason));
        };
        list.push(Instruction::new(opcode));
        let Some(inst) = list.last_mut() else { return Ok(()) };
        inst.saturate = Saturate::from_bits(f.saturate.byte(head));
        inst.precise = f.precise.flag(head);
        let extras = f.predicate.bits() | f.label.bits() | f.texture.bits() | f.memory.bits();
        if head & extras != 0 {
            self.extras(head, inst)?;
        }
        let num_dst = f.num_dst.get(head) as usize;
        let num_src = f.num_src.get(head) as usize;
        if num_dst > inst.dst.capacity() || num_src > inst.src.capacity() {
            return Err(self.too_many_operands(start, num_dst, num_src));
        }
        for _ in 0..num_dst {
            self.destination(&mut inst.dst)?;
        }
        for _ in 0..num_src {
            self.source(&mut inst.src)?;
        }
        // The head does not count itself.
        let count = f.num_tokens.put((self.at - start - 1) as u32).unwrap_or(0);
        self.keep_difference(start, head, head & f.used & !f.num_tokens.bits() | count);
        Ok(())
    }

    #[cold]
    fn too_many_operands(&self, word: usize, num_dst: usize, num_src: usize) -> DecodeError {
        let (count, what, most) = match num_dst {
            0..=2 => (num_src, "sources", 5),
            _ => (num_dst, "destinations", 2),
        };
        self.error(word, DecodeReason::TooMany { count, what, most })
    }

    /// The words between the head and the operands.
    fn extras(&mut self, head: u32, inst: &mut Instruction) -> Result<(), DecodeError> {
        let f = &Self::LAYOUT.instruction;
        if f.predicate.flag(head) {
            inst.predicate = Some(self.predicate()?);
        }
        if f.label.flag(head) {
            let label = &Self::LAYOUT.label;
            let word = self.fields(WordKind::Label, label.used)?;
            inst.label = Some(label.label.get(word));
        }
        if f.texture.flag(head) {
            inst.texture = Some(Box::new(self.texture()?));
        }
        if f.memory.flag(head) {
            inst.memory = Some(self.memory()?);
        }
        Ok(())
    }

    fn predicate(&mut self) -> Result<Predicate, DecodeError> {
        let f = &Self::LAYOUT.predicate;
        let word = self.fields(WordKind::Predicate, f.used)?;
        let swizzle = [f.swizzle_x, f.swizzle_y, f.swizzle_z, f.swizzle_w];
        Ok(Predicate {
            index: f.index.signed(word),
            swizzle: Swizzle::new(swizzle.map(|field| Component::from_bits(field.byte(word)))),
            negate: f.negate.flag(word),
        })
    }

    fn texture(&mut self) -> Result<Texture, DecodeError> {
        let f = &Self::LAYOUT.texture;
        let start = self.at;
        let word = self.fields(WordKind::Texture, f.used)?;
        let mut offsets = ArrayVec::new();
        let count = f.num_offsets.get(word) as usize;
        if count > offsets.capacity() {
            let most = offsets.capacity();
            let reason = DecodeReason::TooMany { count, what: "texture offsets", most };
            return Err(self.error(start, reason));
        }
        for _ in 0..count {
            let offset = self.texture_offset()?;
            offsets.push(offset);
        }
        let return_type = match f.return_type.exists() {
            true => ReturnType::from_number_in(S::DIALECT, f.return_type.byte(word)),
            false => ReturnType::Unknown,
        };
        let target = TextureTarget::from_number_in(S::DIALECT, f.target.byte(word));
        Ok(Texture { target, return_type, offsets })
    }

    fn texture_offset(&mut self) -> Result<TextureOffset, DecodeError> {
        let f = &Self::LAYOUT.texture_offset;
        let word = self.fields(WordKind::TextureOffset, f.used)?;
        let [x, y, z] = [f.swizzle_x, f.swizzle_y, f.swizzle_z]
            .map(|field| Component::from_bits(field.byte(word)));
        Ok(TextureOffset {
            file: File::from_number_in(S::DIALECT, f.file.byte(word)),
            index: f.index.signed(word),
            swizzle: Swizzle::new([x, y, z, Component::X]),
        })
    }

    fn memory(&mut self) -> Result<Memory, DecodeError> {
        let f = &Self::LAYOUT.memory;
        let word = self.fields(WordKind::Memory, f.used)?;
        Ok(Memory {
            qualifiers: MemoryQualifiers::from_bits(f.qualifiers.byte(word)),
            target: TextureTarget::from_number_in(S::DIALECT, f.target.byte(word)),
            format: Format(f.format.get(word) as u16),
        })
    }
}
