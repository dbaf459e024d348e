//! Which kind of image an instruction accesses.

use crate::{
    Declaration, File, FileAttributes, Instruction, Memory, MemoryQualifiers, Register, Shader,
    WriteMask,
};

impl Shader {
    /// The declaration that tells what kind of thing a register names: its own, or, where an index starts at a number that
    /// nothing has, the first that the index can mean.
    pub fn kind_of(&self, register: &Register) -> Option<&Declaration> {
        let of_file = || self.declarations.iter().filter(|d| d.file == register.file);
        let is_meant = |d: &&Declaration| {
            let mut indirect = register.indirect.iter();
            indirect.any(|own| own.array_id == 0 || d.array_id == Some(own.array_id))
        };
        let own = of_file().find(|d| d.range.contains(register.index.into()));
        own.or_else(|| of_file().find(is_meant))
    }

    /// How an instruction accesses memory or an image: as its memory word says, or else as the image is declared, since not
    /// every opcode has that word in text.
    pub fn memory_of(&self, inst: &Instruction) -> Option<Memory> {
        inst.memory.or_else(|| self.declared_memory(inst))
    }

    fn declared_memory(&self, inst: &Instruction) -> Option<Memory> {
        let registers = inst.dst.iter().map(|dst| &dst.reg);
        let mut registers = registers.chain(inst.src.iter().map(|src| &src.reg));
        let register = registers.find(|reg| reg.file == File::Image)?;
        let FileAttributes::Image(image) = self.kind_of(register)?.attributes else { return None };
        let qualifiers = MemoryQualifiers::default();
        Some(Memory { qualifiers, target: image.target, format: image.format })
    }

    /// As [`Instruction::src_mask`], with the coordinates of images as they are declared.
    pub fn src_mask(&self, inst: &Instruction, index: usize) -> WriteMask {
        inst.mask_with(index, self.memory_of(inst))
    }

    /// As [`Instruction::src_read_mask`], with the coordinates of images as they are declared.
    pub fn src_read_mask(&self, inst: &Instruction, index: usize) -> WriteMask {
        let mask = self.src_mask(inst, index);
        inst.src.get(index).map_or(WriteMask::NONE, |src| src.read_mask(mask))
    }
}

#[cfg(test)]
mod tests {
    use crate::{
        Component, Declaration, File, FileAttributes, Format, ImageAttributes, Indirect,
        Instruction, Memory, MemoryQualifiers, Opcode, Processor, Register, Shader, Src,
        TextureTarget, WriteMask,
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
        // An index from a number that no image has leads to one all the same.
        let mut indexed = Register::new(File::Image, 0);
        indexed.indirect =
            Some(Indirect { file: File::Address, index: 0, component: Component::X, array_id: 0 });
        inst.src[0].reg = indexed;
        assert_eq!(target(&inst), Some(TextureTarget::D3));
    }

    #[test]
    fn coordinates_are_those_of_the_declared_image() {
        let text = [TextureTarget::D1, TextureTarget::D2, TextureTarget::D3];
        let masks = text.map(|target| {
            let (raw, writable) = (false, true);
            let image = ImageAttributes { target, format: Format::NONE, raw, writable };
            let mut shader = Shader::new(Processor::Fragment);
            let mut declaration = Declaration::new(File::Image, 0, 0);
            declaration.attributes = FileAttributes::Image(image);
            shader.declarations.push(declaration);
            let mut inst = Instruction::new(Opcode::AtomincWrap);
            inst.src.push(Src::new(Register::new(File::Image, 0)));
            inst.src.push(Src::new(Register::new(File::Input, 0)));
            shader.src_read_mask(&inst, 1)
        });
        assert_eq!(masks, [WriteMask::X, WriteMask::XY, WriteMask::XYZ]);
    }
}
