//! Which kind of image an instruction accesses.

use crate::{Declaration, File, FileAttributes, Instruction, Memory, MemoryQualifiers, Shader};

impl Shader {
    /// How an instruction accesses memory or an image: as its memory word says, or else as the image is declared, since not
    /// every opcode has that word in text.
    pub fn memory_of(&self, inst: &Instruction) -> Option<Memory> {
        inst.memory.or_else(|| self.declared_memory(inst))
    }

    fn declared_memory(&self, inst: &Instruction) -> Option<Memory> {
        let registers = inst.dst.iter().map(|dst| &dst.reg);
        let mut registers = registers.chain(inst.src.iter().map(|src| &src.reg));
        let register = registers.find(|reg| reg.file == File::Image)?;
        let is_its = |one: &&Declaration| {
            one.file == File::Image && one.range.contains(register.index.into())
        };
        let declaration = self.declarations.iter().find(is_its)?;
        let FileAttributes::Image(image) = declaration.attributes else { return None };
        let qualifiers = MemoryQualifiers::default();
        Some(Memory { qualifiers, target: image.target, format: image.format })
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Declaration, File, FileAttributes, Format, ImageAttributes, Instruction, Memory,
        MemoryQualifiers, Opcode, Processor, Register, Shader, Src, TextureTarget,
    };

    #[test]
    fn the_word_comes_before_the_declaration() {
        let image = ImageAttributes {
            target: TextureTarget::D3,
            format: Format::NONE,
            raw: false,
            writable: true,
        };
        let mut shader = Shader::new(Processor::Fragment);
        let mut declaration = Declaration::new(File::Image, 2, 3);
        declaration.attributes = FileAttributes::Image(image);
        shader.declarations.push(declaration);
        let mut inst = Instruction::new(Opcode::AtomincWrap);
        inst.src.push(Src::new(Register::new(File::Image, 3)));
        let target = |inst: &Instruction| shader.memory_of(inst).map(|memory| memory.target);
        assert_eq!(target(&inst), Some(TextureTarget::D3));
        let qualifiers = MemoryQualifiers::default();
        let word = Memory { qualifiers, target: TextureTarget::D2, format: Format::NONE };
        inst.memory = Some(word);
        assert_eq!(target(&inst), Some(TextureTarget::D2));
        inst.memory = None;
        for other in [Register::new(File::Image, 4), Register::new(File::Buffer, 3)] {
            inst.src[0].reg = other;
            assert_eq!(target(&inst), None);
        }
    }
}
