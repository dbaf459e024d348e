//! Operands of removed files.

use super::error::Reason;
use super::immediate_arrays;
use super::legacy::{Purpose, is_byte_buffer};
use super::rewriter::Rewriter;
use crate::{
    Declaration, Dimension, Dst, File, FileAttributes, ImageAttributes, Indirect, Instruction,
    Memory, MemoryQualifiers, MemoryType, Opcode, Register, ResourceIndex, ReturnType,
    SamplerViewAttributes, Src, SrcRole, TextureTarget, WriteMask,
};

/// The instruction with operands of today's files.
pub(super) fn rewrite_operands(rw: &mut Rewriter<'_>, one: &Instruction) -> Instruction {
    let mut one = one.clone();
    let roles = one.opcode.info().src_roles;
    for index in 0..one.dst.len() {
        let reg = one.dst[index].reg;
        one.dst[index].reg = match reg.file {
            File::Resource => resource(rw, &reg, &mut one),
            file @ File::ImmediateArray => {
                rw.problem(Reason::File { file });
                reg
            }
            _ => rewrite(rw, &reg),
        };
    }
    for index in 0..one.src.len() {
        let reg = one.src[index].reg;
        one.src[index].reg = match (reg.file, roles.get(index)) {
            (File::Resource, Some(SrcRole::View)) => view(rw, &reg),
            (File::Resource, _) => resource(rw, &reg, &mut one),
            _ => rewrite(rw, &reg),
        };
    }
    let offsets = one.texture.iter_mut().flat_map(|texture| &mut texture.offsets);
    for offset in offsets.filter(|offset| offset.file.number().is_none()) {
        let reg = rewrite(rw, &Register::new(offset.file, offset.index));
        (offset.file, offset.index) = (reg.file, reg.index);
    }
    one
}

pub(super) fn rewrite(rw: &mut Rewriter<'_>, reg: &Register) -> Register {
    let mut reg = *reg;
    reg.indirect = reg.indirect.map(|indirect| rewrite_index(rw, &indirect));
    if let Some(Dimension { indirect: Some(indirect), .. }) = &mut reg.dimension {
        *indirect = rewrite_index(rw, indirect);
    }
    match reg.file {
        file @ (File::Loop | File::Predicate) => {
            if reg.is_indirect() {
                rw.problem(Reason::File { file });
            }
            rw.temporary_for(file, reg.index)
        }
        File::TemporaryArray => rw.array_register(&reg),
        File::ImmediateArray => immediate_arrays::element(rw, &reg),
        _ => reg,
    }
}

/// An index in a loop counter, a float, goes through a new address register.
fn rewrite_index(rw: &mut Rewriter<'_>, indirect: &Indirect) -> Indirect {
    if indirect.file != File::Loop {
        return *indirect;
    }
    let temporary =
        Src::new(rw.temporary_for(File::Loop, indirect.index)).splat(indirect.component);
    let address = rw.address();
    let dst = Dst::new(address).masked(WriteMask::X);
    rw.op(Opcode::Arl, Some(dst), &[temporary]);
    Indirect {
        file: File::Address,
        index: address.index,
        component: crate::Component::X,
        array_id: indirect.array_id,
    }
}

/// `RES` as a sampler view.
fn view(rw: &mut Rewriter<'_>, reg: &Register) -> Register {
    let image = rw.legacy.named(reg);
    if !image.is_some_and(|image| rw.legacy.is_picked(&image, Purpose::View)) {
        let number = reg.index.max(0).cast_unsigned();
        let target = image.map_or(TextureTarget::Unknown, |image| image.target);
        rw.declare_once(view_of(number, number, target));
    }
    Register { file: File::SamplerView, ..*reg }
}

/// `RES` as memory: a memory, a buffer or an image.
fn resource(rw: &mut Rewriter<'_>, reg: &Register, one: &mut Instruction) -> Register {
    let number = reg.index.max(0).cast_unsigned();
    if let Some(kind) = ResourceIndex::from_number_in(crate::Dialect::Y2012, number) {
        let memory = match kind {
            ResourceIndex::Global => MemoryType::Global,
            ResourceIndex::Local => MemoryType::Shared,
            ResourceIndex::Private => MemoryType::Private,
            ResourceIndex::Input => MemoryType::Input,
        };
        return rw.memory(memory);
    }
    let Some(image) = rw.legacy.named(reg) else {
        rw.problem(Reason::File { file: File::Resource });
        return *reg;
    };
    one.memory = Some(Memory {
        qualifiers: MemoryQualifiers::default(),
        target: image.target,
        format: image.format,
    });
    let file = if is_byte_buffer(&image) { File::Buffer } else { File::Image };
    if !rw.legacy.is_picked(&image, Purpose::Memory) {
        rw.declare_once(memory_of(number, number, image));
    }
    Register { file, ..*reg }
}

/// Declares all resources that an index can pick, once.
pub(super) fn declare_picked(rw: &mut Rewriter<'_>) {
    let picked: Vec<_> = rw.legacy.picked().collect();
    for (purpose, first, last, image) in picked {
        rw.declare_once(match purpose {
            Purpose::View => view_of(first, last, image.target),
            Purpose::Memory => memory_of(first, last, image),
        });
    }
}

fn view_of(first: u16, last: u16, target: TextureTarget) -> Declaration {
    let mut declaration = Declaration::new(File::SamplerView, first, last);
    let return_types = [ReturnType::Float; 4];
    declaration.attributes =
        FileAttributes::SamplerView(SamplerViewAttributes { target, return_types });
    declaration
}

fn memory_of(first: u16, last: u16, image: ImageAttributes) -> Declaration {
    if is_byte_buffer(&image) {
        return Declaration::new(File::Buffer, first, last);
    }
    let mut declaration = Declaration::new(File::Image, first, last);
    declaration.attributes = FileAttributes::Image(image);
    declaration
}
