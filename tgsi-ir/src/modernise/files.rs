//! Operands of files that are gone.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::Reason;
use super::immediate_arrays::{self, ImmediateArrays};
use super::rewriter::Rewriter;
use crate::{
    Declaration, Dimension, Dst, File, FileAttributes, ImageAttributes, Indirect, Instruction,
    Memory, MemoryQualifiers, MemoryType, Opcode, Register, ResourceIndex, ReturnType,
    SamplerViewAttributes, Shader, Src, SrcRole, TextureTarget, WriteMask,
};

/// Declarations of files that are gone and need more than a new name.
pub(crate) struct LegacyFiles {
    /// Arrays that become temporaries, by file and number: where each starts after the first of all, and its
    /// length.
    arrays: BTreeMap<(File, i16), (u32, u32)>,
    /// Temporaries that all arrays take.
    pub(crate) num_array_temps: u32,
    /// Resources by their first number: the last, and the attributes.
    resources: BTreeMap<u16, (u16, ImageAttributes)>,
    /// `IMMX` arrays.
    pub(super) immediate_arrays: ImmediateArrays,
}

impl LegacyFiles {
    pub(crate) fn new(shader: &Shader) -> Self {
        let mut files = Self {
            arrays: BTreeMap::new(),
            num_array_temps: 0,
            resources: BTreeMap::new(),
            immediate_arrays: ImmediateArrays::new(shader),
        };
        for declaration in &shader.declarations {
            if declaration.file == File::TemporaryArray {
                let number = declaration.dimension.unwrap_or(0).cast_signed();
                let len = u32::from(declaration.range.last) + 1;
                files.add_array(File::TemporaryArray, number, len);
            }
            if let FileAttributes::Resource(image) = declaration.attributes {
                files.resources.insert(declaration.range.first, (declaration.range.last, image));
            }
        }
        let constants: Vec<(i16, u32)> = files.immediate_arrays.in_temporaries().collect();
        for (number, len) in constants {
            files.add_array(File::ImmediateArray, number, len);
        }
        files
    }

    /// Gives an array its temporaries, the first time that it is declared.
    fn add_array(&mut self, file: File, number: i16, len: u32) {
        if let Entry::Vacant(entry) = self.arrays.entry((file, number)) {
            entry.insert((self.num_array_temps, len));
            self.num_array_temps = self.num_array_temps.saturating_add(len);
        }
    }

    /// Whether a resource is addressed by bytes.
    pub(crate) fn is_bytes(&self, reg: &Register) -> bool {
        match reg.file {
            File::Buffer | File::Memory => true,
            File::Resource => {
                let number = reg.index.max(0).cast_unsigned();
                ResourceIndex::from_number_in(crate::Dialect::Y2012, number).is_some()
                    || self.resource(reg.index).is_some_and(|image| is_byte_buffer(&image))
            }
            _ => false,
        }
    }

    /// The attributes of a resource, where it is declared.
    fn resource(&self, index: i16) -> Option<ImageAttributes> {
        let index = u16::try_from(index).ok()?;
        let (_, &(last, image)) = self.resources.range(..=index).next_back()?;
        (index <= last).then_some(image)
    }
}

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
        File::TemporaryArray => array_register(rw, &reg),
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

/// The array that a register is of; `None` when a register picks it.
pub(super) fn array_number(reg: &Register) -> Option<i16> {
    match reg.dimension {
        Some(Dimension { indirect: Some(_), .. }) => None,
        Some(Dimension { index, indirect: None }) => Some(index),
        None => Some(0),
    }
}

/// `TEMPX[array][index]`: the array becomes a range of temporaries, as do arrays of constants.
pub(super) fn array_register(rw: &mut Rewriter<'_>, reg: &Register) -> Register {
    let array = array_number(reg).and_then(|number| rw.legacy.arrays.get(&(reg.file, number)));
    let Some(&(base, len)) = array else {
        rw.problem(Reason::File { file: reg.file });
        return *reg;
    };
    let first = rw.array_start().saturating_add(base);
    let last = first.saturating_add(len).saturating_sub(1);
    rw.declare_once(Declaration::new(File::Temporary, first as u16, last as u16));
    let first = i16::try_from(first).unwrap_or(i16::MAX);
    let mut element = Register::new(File::Temporary, first.saturating_add(reg.index));
    element.indirect = reg.indirect;
    element
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

/// Whether a resource has bytes rather than texels: a buffer whose elements are not converted.
fn is_byte_buffer(image: &ImageAttributes) -> bool {
    image.target == TextureTarget::Buffer && image.raw
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
