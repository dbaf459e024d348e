//! The kind of image or texture that an instruction accesses.

use crate::dialect::wording::Wording;
use crate::usage::Meant;
use crate::{
    Declaration, File, FileAttributes, Instruction, Memory, MemoryQualifiers, Register, Shader,
    SrcRole, TextureTarget, WriteMask,
};

impl Shader {
    /// The declaration that gives the kind of a register: its own, or, if an index starts at an undeclared number, the
    /// first that the index may reach.
    pub fn kind_of(&self, register: &Register) -> Option<&Declaration> {
        let of_file = || self.declarations.iter().filter(|d| d.file == register.file);
        kind_among(of_file, register)
    }

    /// How an instruction accesses memory or an image: from its memory word, or else from the image declaration, since
    /// not every opcode has that word in text.
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

    /// The target of the texture that an instruction accesses: from the declaration of its view, or else from its
    /// texture word.
    pub(crate) fn target_of(&self, inst: &Instruction) -> TextureTarget {
        let roles = inst.opcode.info().src_roles;
        let view = inst.src.iter().zip(roles).find(|(_, role)| **role == SrcRole::View);
        let declaration = view.and_then(|(view, _)| self.kind_of(&view.reg));
        match declaration.map(|declaration| &declaration.attributes) {
            Some(FileAttributes::SamplerView(view)) => view.target,
            Some(FileAttributes::Resource(image)) => image.target,
            _ => inst.target(),
        }
    }

    /// As [`Instruction::src_mask`], with the coordinates that images and textures are declared to have.
    pub fn src_mask(&self, inst: &Instruction, index: usize) -> WriteMask {
        self.src_mask_as(inst, index, Wording::Today)
    }

    /// As [`Instruction::src_read_mask`], with the coordinates that images and textures are declared to have.
    pub fn src_read_mask(&self, inst: &Instruction, index: usize) -> WriteMask {
        self.src_read_mask_as(inst, index, Wording::Today)
    }

    /// As [`Shader::src_mask`], with the opcode's former meaning.
    pub(crate) fn src_mask_as(
        &self,
        inst: &Instruction,
        index: usize,
        wording: Wording,
    ) -> WriteMask {
        let (memory, target) = (self.memory_of(inst), self.target_of(inst));
        inst.mask_with(index, &Meant { memory, target, wording })
    }

    /// As [`Shader::src_read_mask`], with the opcode's former meaning.
    pub(crate) fn src_read_mask_as(
        &self,
        inst: &Instruction,
        index: usize,
        wording: Wording,
    ) -> WriteMask {
        let mask = self.src_mask_as(inst, index, wording);
        inst.src.get(index).map_or(WriteMask::NONE, |src| src.read_mask(mask))
    }
}

/// As [`Shader::kind_of`], among the declarations of the register's file.
pub(crate) fn kind_among<'a, I: Iterator<Item = &'a Declaration>>(
    of_file: impl Fn() -> I,
    register: &Register,
) -> Option<&'a Declaration> {
    let is_meant = |d: &&Declaration| register.indirect.is_some_and(|index| index.can_mean(d));
    let is_own = |d: &&Declaration| d.range.contains(register.index.into());
    match register.indirect {
        // The index can reach only its array.
        Some(indirect) if indirect.array_id != 0 => {
            let own = of_file().filter(is_meant).find(is_own);
            own.or_else(|| of_file().find(is_meant))
        }
        _ => of_file().find(is_own).or_else(|| of_file().find(is_meant)),
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
        // An index that starts at an undeclared number still reaches an image.
        let mut indexed = Register::new(File::Image, 0);
        indexed.indirect =
            Some(Indirect { file: File::Address, index: 0, component: Component::X, array_id: 0 });
        inst.src[0].reg = indexed;
        assert_eq!(target(&inst), Some(TextureTarget::D3));
        // If an array is named, the register with that number itself is not meant.
        let mut square = Declaration::new(File::Image, 0, 0);
        let target_of_square = ImageAttributes { target: TextureTarget::D2, ..image };
        square.attributes = FileAttributes::Image(target_of_square);
        shader.declarations.insert(0, square);
        shader.declarations[1].array_id = Some(1);
        let target = |inst: &Instruction| shader.memory_of(inst).map(|memory| memory.target);
        assert_eq!(target(&inst), Some(TextureTarget::D2));
        inst.src[0].reg.indirect = indexed.indirect.map(|one| Indirect { array_id: 1, ..one });
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
