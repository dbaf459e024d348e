//! Names, locations and types of a shader's interface.

mod blocks;
mod registers;
mod samplers;
mod tables;

use std::collections::{BTreeMap, BTreeSet};

use gx2_gfd::{AttribVar, SamplerType, Text, VarType};
use tgsi_ir::{Processor, Semantic, Shader};
use tgsi_spirv::interface::{Interface, RegisterValue};

use blocks::{block_of_interface, var_type};
use samplers::samplers;
pub(crate) use samplers::split_units;

/// The interface of a shader by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Attributes of vertices.
    pub attributes: Vec<Attribute>,
    /// Constant buffers.
    pub blocks: Vec<Block>,
    /// Textures with their samplers.
    pub samplers: Vec<Sampler>,
    /// Inputs of the stages after the first, by meaning.
    pub inputs: BTreeMap<(Semantic, u16), String>,
}

/// An attribute.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Attribute {
    /// Its name; `IN[n]` where it has none.
    pub name: String,
    /// Its type.
    pub kind: VarType,
    /// Array length; 0 for a non-array.
    pub count: u32,
    /// Its first component within its locations; other attributes may use the components before.
    pub component: u8,
    /// Its first location that is read.
    pub location: u32,
    /// Its first location, read or not. Applications count elements and columns from there.
    pub first_location: u32,
    /// Its first input register.
    pub register: u16,
    /// Registers and locations that it takes.
    pub num_registers: u16,
}

/// A constant buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Its name; uniforms outside blocks have none.
    pub name: Option<String>,
    /// Its number.
    pub number: u16,
    /// Its size in bytes.
    pub size: u32,
    /// Whether the shader reads it by byte address (`CONSTBUF`). No register holds it then, and its size is the maximum
    /// block size.
    pub is_addressed: bool,
    /// Its contents.
    pub uniforms: Vec<Uniform>,
    /// Initial register values, until an application sets them.
    pub initial_values: Vec<RegisterValue>,
}

/// A uniform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uniform {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: VarType,
    /// Array length; 1 for a non-array.
    pub count: u32,
    /// Its first byte in the block.
    pub offset: u32,
}

/// A texture with its sampler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sampler {
    /// Its name.
    pub name: String,
    /// Its shape.
    pub kind: SamplerType,
    /// Its number.
    pub unit: u16,
}

impl Names {
    /// Names of registers as in the shader's text.
    #[must_use]
    pub fn of_shader(shader: &Shader) -> Self {
        Self {
            attributes: registers::attributes(shader),
            blocks: registers::blocks(shader),
            samplers: samplers(shader, &[]),
            inputs: BTreeMap::new(),
        }
    }

    /// Names from a SPIR-V module.
    #[must_use]
    pub fn of_interface(shader: &Shader, interface: &Interface) -> Self {
        let inputs = interface.inputs.iter();
        let attribute = |one: &tgsi_spirv::interface::Varying| {
            let location = one.location.filter(|_| !one.is_system_value)?;
            let (kind, count) = one.ty.map_or((VarType::FLOAT4, 0), var_type);
            let first_location = one.first_location.unwrap_or(location);
            let name = Some(one.name.clone()).filter(|name| !name.is_empty());
            Some(Attribute {
                name: name.unwrap_or_else(|| format!("IN[{first_location}]")),
                kind,
                count,
                component: one.component,
                location,
                first_location,
                register: one.register,
                num_registers: one.num_registers,
            })
        };
        let name = |one: &tgsi_spirv::interface::Varying| {
            let location = u16::try_from(one.location?).ok()?;
            let semantic = if one.is_patch { Semantic::Patch } else { Semantic::Generic };
            Some(((semantic, location), one.name.clone()))
        };
        let is_vertex = shader.processor == Processor::Vertex;
        let mut attributes: Vec<Attribute> =
            inputs.clone().filter(|_| is_vertex).filter_map(attribute).collect();
        attributes.sort_by_key(|one| one.location);
        Self {
            attributes,
            blocks: interface.constants.iter().map(block_of_interface).collect(),
            samplers: samplers(shader, &interface.textures),
            inputs: inputs.filter_map(name).collect(),
        }
    }

    /// The attributes as a structure lists them: each once, regardless of how many of its elements or columns are read.
    pub(crate) fn attrib_vars(&self) -> Vec<AttribVar> {
        let var = |one: &Attribute| AttribVar {
            name: Some(Text::new(&one.name)),
            kind: one.kind,
            count: one.count,
            location: one.first_location,
        };
        let mut seen = BTreeSet::new();
        // Names may repeat, and so may locations if their components differ.
        let whole = self
            .attributes
            .iter()
            .filter(|one| seen.insert((&one.name, one.first_location, one.component)));
        whole.map(var).collect()
    }

    /// The location of the attribute in each input register; `u32::MAX` where there is none.
    #[must_use]
    pub fn locations(&self) -> Vec<u32> {
        let ends = self.attributes.iter().map(|one| one.registers().end);
        let registers = 0..ends.max().unwrap_or(0);
        let location = |register| u16::try_from(register).ok().and_then(|own| self.location(own));
        registers.map(|register| location(register).unwrap_or(u32::MAX)).collect()
    }

    /// The location of the attribute in an input register.
    pub(crate) fn location(&self, register: u16) -> Option<u32> {
        let is_its = |one: &&Attribute| one.registers().contains(&register.into());
        let attribute = self.attributes.iter().find(is_its)?;
        Some(attribute.location + u32::from(register - attribute.register))
    }
}

impl Attribute {
    fn registers(&self) -> std::ops::Range<u32> {
        let first = u32::from(self.register);
        first..first + u32::from(self.num_registers)
    }
}
