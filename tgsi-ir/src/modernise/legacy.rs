//! A shader's declarations of removed files.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use crate::{
    Dialect, Dimension, File, FileAttributes, ImageAttributes, Instruction, Register,
    ResourceIndex, Shader, SrcRole, TextureTarget,
};

/// Declarations of removed files that need more than a new name.
pub(crate) struct LegacyFiles {
    /// Arrays that become temporaries, by file and number: where each starts after the first of all, and its
    /// length.
    pub(super) arrays: BTreeMap<(File, i16), (u32, u32)>,
    /// Temporaries that all arrays take.
    pub(crate) num_array_temps: u32,
    /// Resources by their first number: the last, and the attributes.
    resources: BTreeMap<u16, (u16, ImageAttributes)>,
    /// The kinds of those that an index picks.
    picked: Vec<Kind>,
    /// `IMMX` arrays.
    pub(super) immediate_arrays: ImmediateArrays,
}

impl LegacyFiles {
    pub(crate) fn new(shader: &Shader) -> Self {
        let mut files = Self {
            arrays: BTreeMap::new(),
            num_array_temps: 0,
            resources: BTreeMap::new(),
            picked: Vec::new(),
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
        for (purpose, reg) in shader.instructions.iter().flat_map(resource_operands) {
            let named = files.named(&reg).filter(|_| reg.indirect.is_some());
            let kind = named.map(|image| kind(&image, purpose));
            files.picked.extend(kind.filter(|kind| !files.picked.contains(kind)));
        }
        files
    }

    /// Assigns temporaries to an array at its first declaration.
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
                ResourceIndex::from_number_in(Dialect::Y2012, number).is_some()
                    || self.resource(reg.index).is_some_and(|image| is_byte_buffer(&image))
            }
            _ => false,
        }
    }

    /// The attributes of a resource, if it is declared.
    fn resource(&self, index: i16) -> Option<ImageAttributes> {
        let index = u16::try_from(index).ok()?;
        let (_, &(last, image)) = self.resources.range(..=index).next_back()?;
        (index <= last).then_some(image)
    }

    /// The attributes of what a register names; where an index starts at no resource, of the first one.
    pub(super) fn named(&self, reg: &Register) -> Option<ImageAttributes> {
        let first = || self.resources.values().next().filter(|_| reg.indirect.is_some());
        self.resource(reg.index).or_else(|| first().map(|&(_, image)| image))
    }

    /// Whether an index picks among resources like this one, which are all declared then.
    pub(super) fn is_picked(&self, image: &ImageAttributes, purpose: Purpose) -> bool {
        self.picked.contains(&kind(image, purpose))
    }

    /// The resources that an index can pick, with what for.
    pub(super) fn picked(&self) -> impl Iterator<Item = (Purpose, u16, u16, ImageAttributes)> {
        let of_kind = move |(&first, &(last, image)): (&u16, &(u16, ImageAttributes))| {
            let purposes = [Purpose::View, Purpose::Memory].into_iter();
            purposes
                .filter(move |purpose| self.is_picked(&image, *purpose))
                .map(move |purpose| (purpose, first, last, image))
        };
        self.resources.iter().flat_map(of_kind)
    }
}

/// The purpose of a resource in an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// A texture.
    View,
    /// A memory, a buffer or an image.
    Memory,
}

/// The purpose of a resource, its target, and whether it has bytes. An index stays within one kind.
type Kind = (Purpose, TextureTarget, bool);

fn kind(image: &ImageAttributes, purpose: Purpose) -> Kind {
    (purpose, image.target, purpose == Purpose::Memory && is_byte_buffer(image))
}

/// The resources that an instruction names, and what for.
fn resource_operands(one: &Instruction) -> impl Iterator<Item = (Purpose, Register)> {
    let roles = one.opcode.info().src_roles;
    let purpose = |index| match roles.get(index) {
        Some(SrcRole::View) => Purpose::View,
        _ => Purpose::Memory,
    };
    let sources = one.src.iter().enumerate().map(move |(index, src)| (purpose(index), src.reg));
    let destinations = one.dst.iter().map(|dst| (Purpose::Memory, dst.reg));
    destinations.chain(sources).filter(|(_, reg)| reg.file == File::Resource)
}

/// The arrays of constants that a shader declares.
#[derive(Default)]
pub(super) struct ImmediateArrays {
    /// The values of each array, by its number.
    pub(super) values: BTreeMap<i16, Vec<[u32; 4]>>,
    /// Arrays that are read with a subscript in a register.
    pub(super) subscripted: BTreeSet<i16>,
}

impl ImmediateArrays {
    pub(super) fn new(shader: &Shader) -> Self {
        let mut arrays = Self::default();
        for declaration in &shader.declarations {
            if let FileAttributes::Values(values) = &declaration.attributes {
                let number = declaration.dimension.unwrap_or(0).cast_signed();
                arrays.values.entry(number).or_insert_with(|| values.clone());
            }
        }
        let sources = shader.instructions.iter().flat_map(|one| &one.src);
        let subscripted = sources
            .filter(|src| src.reg.file == File::ImmediateArray && src.reg.indirect.is_some())
            .filter_map(|src| array_number(&src.reg));
        arrays.subscripted.extend(subscripted.filter(|number| arrays.values.contains_key(number)));
        arrays
    }

    /// The numbers and lengths of the arrays that need temporaries.
    pub(super) fn in_temporaries(&self) -> impl Iterator<Item = (i16, u32)> {
        let len = |number| self.values.get(number).map_or(0, Vec::len) as u32;
        self.subscripted.iter().map(move |number| (*number, len(number)))
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

/// Whether a resource has bytes rather than texels: a buffer whose elements are not converted.
pub(super) fn is_byte_buffer(image: &ImageAttributes) -> bool {
    image.target == TextureTarget::Buffer && image.raw
}
