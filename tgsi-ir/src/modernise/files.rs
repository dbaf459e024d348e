//! Operands of files that are gone.

use super::error::Reason;
use super::immediate_arrays;
use super::legacy::is_byte_buffer;
use super::rewriter::Rewriter;
use crate::{
    Declaration, Dimension, Dst, File, FileAttributes, Indirect, Instruction, Memory,
    MemoryQualifiers, MemoryType, Opcode, Register, ResourceIndex, ReturnType,
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
            rw.home(file, reg.index)
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
    let home = Src::new(rw.home(File::Loop, indirect.index)).splat(indirect.component);
    let address = rw.address();
    let dst = Dst::new(address).masked(WriteMask::X);
    rw.op(Opcode::Arl, Some(dst), &[home]);
    Indirect {
        file: File::Address,
        index: address.index,
        component: crate::Component::X,
        array_id: indirect.array_id,
    }
}

/// `RES` where a sampler view is wanted.
fn view(rw: &mut Rewriter<'_>, reg: &Register) -> Register {
    let target = rw.legacy.resource(reg.index).map_or(TextureTarget::Unknown, |image| image.target);
    let number = reg.index.max(0).cast_unsigned();
    let mut declaration = Declaration::new(File::SamplerView, number, number);
    declaration.attributes = FileAttributes::SamplerView(SamplerViewAttributes {
        target,
        return_types: [ReturnType::Float; 4],
    });
    rw.declare_once(declaration);
    Register { file: File::SamplerView, ..*reg }
}

/// `RES` where memory is read or written: a memory, a buffer or an image.
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
    let Some(image) = rw.legacy.resource(reg.index) else {
        rw.problem(Reason::File { file: File::Resource });
        return *reg;
    };
    one.memory = Some(Memory {
        qualifiers: MemoryQualifiers::default(),
        target: image.target,
        format: image.format,
    });
    let file = if is_byte_buffer(&image) { File::Buffer } else { File::Image };
    let mut declaration = Declaration::new(file, number, number);
    if file == File::Image {
        declaration.attributes = FileAttributes::Image(image);
    }
    rw.declare_once(declaration);
    Register { file, ..*reg }
}
