//! Operands of files that are gone.

use std::collections::BTreeMap;

use super::Reason;
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

fn rewrite(rw: &mut Rewriter<'_>, reg: &Register) -> Register {
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
        File::TemporaryArray => array_element(rw, &reg),
        file @ File::ImmediateArray => {
            rw.problem(Reason::File { file });
            reg
        }
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

/// `TEMPX[array][index]`: the array becomes a range of temporaries.
fn array_element(rw: &mut Rewriter<'_>, reg: &Register) -> Register {
    let problem = Reason::File { file: File::TemporaryArray };
    let number = match reg.dimension {
        Some(Dimension { index, indirect: None }) => index,
        None => 0,
        Some(_) => {
            rw.problem(problem);
            return *reg;
        }
    };
    let declared = rw
        .shader
        .declarations
        .iter()
        .filter(|one| one.file == File::TemporaryArray)
        .find(|one| i32::from(one.dimension.unwrap_or(0)) == i32::from(number));
    let Some(declaration) = declared else {
        rw.problem(problem);
        return *reg;
    };
    let first = first_of_array(rw, number, declaration);
    let mut element = Register::new(File::Temporary, first.saturating_add(reg.index));
    element.indirect = reg.indirect;
    element
}

/// The first temporary of an array, which is laid out when it is first met.
fn first_of_array(rw: &mut Rewriter<'_>, number: i16, declaration: &Declaration) -> i16 {
    let bases: BTreeMap<i16, u32> = array_bases(rw.shader);
    let total: u32 = arrays(rw.shader).map(array_len).sum();
    let start = rw.array_start(total);
    let first = start + bases.get(&number).copied().unwrap_or(0);
    let len = array_len(declaration);
    rw.declare_once(Declaration::new(
        File::Temporary,
        first as u16,
        (first + len).saturating_sub(1) as u16,
    ));
    i16::try_from(first).unwrap_or(i16::MAX)
}

fn arrays(shader: &crate::Shader) -> impl Iterator<Item = &Declaration> {
    shader.declarations.iter().filter(|one| one.file == File::TemporaryArray)
}

fn array_len(declaration: &Declaration) -> u32 {
    u32::from(declaration.range.last) + 1
}

/// Where each array starts, from the first of all.
fn array_bases(shader: &crate::Shader) -> BTreeMap<i16, u32> {
    let mut next = 0;
    let mut bases = BTreeMap::new();
    for declaration in arrays(shader) {
        let number = declaration.dimension.unwrap_or(0).cast_signed();
        bases.entry(number).or_insert(next);
        next += array_len(declaration);
    }
    bases
}

/// The attributes of a resource, where it is declared.
fn target_of(rw: &Rewriter<'_>, index: i16) -> Option<crate::ImageAttributes> {
    rw.shader.declarations.iter().find_map(|one| match one.attributes {
        FileAttributes::Resource(image) if one.range.contains(index.into()) => Some(image),
        _ => None,
    })
}

/// `RES` where a sampler view is wanted.
fn view(rw: &mut Rewriter<'_>, reg: &Register) -> Register {
    let target = target_of(rw, reg.index).map_or(TextureTarget::Unknown, |image| image.target);
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
    let Some(image) = target_of(rw, reg.index) else {
        rw.problem(Reason::File { file: File::Resource });
        return *reg;
    };
    one.memory = Some(Memory {
        qualifiers: MemoryQualifiers::default(),
        target: image.target,
        format: image.format,
    });
    let file = if image.target == TextureTarget::Buffer { File::Buffer } else { File::Image };
    let mut declaration = Declaration::new(file, number, number);
    if file == File::Image {
        declaration.attributes = FileAttributes::Image(image);
    }
    rw.declare_once(declaration);
    Register { file, ..*reg }
}
