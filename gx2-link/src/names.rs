//! What the interface of a shader is called, where it lies and of which types it is.

use std::collections::{BTreeMap, BTreeSet};

use gx2_gfd::{
    AttribVar, InitialValue, SamplerType, SamplerVar, Tables, Text, UniformBlock, UniformVar,
    VarType,
};
use tgsi_ir::scan::scan;
use tgsi_ir::{File, Semantic, Shader, TextureTarget};
use tgsi_spirv::interface::{
    ConstantBuffer, ConstantKind, Interface, Member, RegisterValue, Resource, Scalar, Texture,
    ValueType,
};

use crate::Uniforms;
use crate::error::StageError;

/// The block of uniforms outside blocks, as compilers for the console name it.
const LOOSE_UNIFORMS: &str = "__cafe_loose_uniforms";
/// `UniformVar::block` of uniform registers.
const NO_BLOCK: i32 = -1;
/// Uniform blocks and textures that have a number.
const NUM_SLOTS: u16 = 16;
const NUM_UNIFORM_REGISTERS: u32 = 256;
/// Bytes of a vector, and of the units in which GX2 counts.
const VECTOR: u32 = 16;
const UNIT: u32 = 4;

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
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: VarType,
    /// Length of an array; 0 for what is none.
    pub count: u32,
    /// Its first location that is read.
    pub location: u32,
    /// Its first location, read or not: an application counts elements and columns from there.
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
    /// What lies in it.
    pub uniforms: Vec<Uniform>,
    /// What its registers hold until an application sets them.
    pub initial_values: Vec<RegisterValue>,
}

/// A uniform.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Uniform {
    /// Its name.
    pub name: String,
    /// Its type.
    pub kind: VarType,
    /// Length of an array; 1 for what is none.
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
    /// Registers are called as the text of the shader calls them.
    #[must_use]
    pub fn of_shader(shader: &Shader) -> Self {
        let mut names = Self { samplers: samplers(shader, &[]), ..Self::default() };
        let mut buffers: BTreeMap<u16, u16> = BTreeMap::new();
        for declaration in &shader.declarations {
            let range = declaration.range;
            match (declaration.file, declaration.semantic) {
                (File::Constant, _) => {
                    let last = buffers.entry(declaration.dimension.unwrap_or(0)).or_insert(0);
                    *last = range.last.max(*last);
                }
                (File::Input, None) => {
                    names.attributes.extend((range.first..=range.last).map(attribute_of_register));
                }
                _ => {}
            }
        }
        names.blocks =
            buffers.into_iter().map(|(number, last)| block_of_buffer(number, last)).collect();
        names
    }

    /// Names as a module has them.
    #[must_use]
    pub fn of_interface(shader: &Shader, interface: &Interface) -> Self {
        let inputs = interface.inputs.iter();
        let attribute = |one: &tgsi_spirv::interface::Varying| {
            let location = one.location.filter(|_| !one.is_system_value)?;
            let (kind, count) = one.ty.map_or((VarType::FLOAT4, 0), var_type);
            Some(Attribute {
                name: one.name.clone(),
                kind,
                count,
                location,
                first_location: one.first_location.unwrap_or(location),
                register: one.register,
                num_registers: one.num_registers,
            })
        };
        let name = |one: &tgsi_spirv::interface::Varying| {
            let location = u16::try_from(one.location?).ok()?;
            let semantic = if one.is_patch { Semantic::Patch } else { Semantic::Generic };
            Some(((semantic, location), one.name.clone()))
        };
        let is_vertex = shader.processor == tgsi_ir::Processor::Vertex;
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

    /// The attributes as a structure lists them: each once, however many of its elements or columns are read.
    pub(crate) fn attrib_vars(&self) -> Vec<AttribVar> {
        let var = |one: &Attribute| AttribVar {
            name: Some(Text::new(&one.name)),
            kind: one.kind,
            count: one.count,
            location: one.first_location,
        };
        let mut seen = BTreeSet::new();
        let whole =
            self.attributes.iter().filter(|one| seen.insert((&one.name, one.first_location)));
        whole.map(var).collect()
    }

    /// The location of the attribute in each input register; `u32::MAX` where there is none.
    #[must_use]
    pub fn locations(&self) -> Vec<u32> {
        let ends = self.attributes.iter().map(|one| one.register + one.num_registers);
        let registers = 0..ends.max().unwrap_or(0);
        registers.map(|register| self.location(register).unwrap_or(u32::MAX)).collect()
    }

    /// The location of the attribute in an input register.
    pub(crate) fn location(&self, register: u16) -> Option<u32> {
        let is_its =
            |one: &&Attribute| (one.register..one.register + one.num_registers).contains(&register);
        let attribute = self.attributes.iter().find(is_its)?;
        Some(attribute.location + u32::from(register - attribute.register))
    }

    /// Uniforms and samplers as a structure lists them.
    pub(crate) fn tables(&self, uniforms: Uniforms) -> Result<Tables, StageError> {
        let mut tables = Tables::default();
        for block in &self.blocks {
            let number = match uniforms {
                Uniforms::Blocks => {
                    tables.uniform_blocks.push(uniform_block(block)?);
                    tables.uniform_blocks.len() as i32 - 1
                }
                Uniforms::Registers => register_block(block)?,
            };
            tables.uniform_vars.extend(block.uniforms.iter().map(|one| uniform_var(one, number)));
            tables.initial_values.extend(block.initial_values.iter().map(initial_value));
        }
        for Sampler { name, kind, unit } in &self.samplers {
            if *unit >= NUM_SLOTS {
                return Err(StageError::Texture(*unit));
            }
            let (name, location) = (Some(Text::new(name)), u32::from(*unit));
            tables.sampler_vars.push(SamplerVar { name, kind: *kind, location });
        }
        Ok(tables)
    }
}

fn uniform_block(block: &Block) -> Result<UniformBlock, StageError> {
    if block.number >= NUM_SLOTS {
        return Err(StageError::Block(block.number));
    }
    let name = block.name.as_deref().unwrap_or(LOOSE_UNIFORMS);
    let location = u32::from(block.number);
    Ok(UniformBlock { name: Some(Text::new(name)), location, size: block.size })
}

/// Only uniforms outside blocks are in registers.
fn register_block(block: &Block) -> Result<i32, StageError> {
    if block.number != 0 {
        let name = block.name.clone().unwrap_or_else(|| block.number.to_string());
        return Err(StageError::BlockBesideRegisters(name));
    }
    match block.size.div_ceil(VECTOR) {
        0..=NUM_UNIFORM_REGISTERS => Ok(NO_BLOCK),
        needed => Err(StageError::UniformRegisters(needed)),
    }
}

fn uniform_var(uniform: &Uniform, block: i32) -> UniformVar {
    UniformVar {
        name: Some(Text::new(&uniform.name)),
        kind: uniform.kind,
        count: uniform.count,
        offset: uniform.offset / UNIT,
        block,
    }
}

fn initial_value(value: &RegisterValue) -> InitialValue {
    InitialValue { value: value.words, offset: u32::from(value.register) * (VECTOR / UNIT) }
}

fn attribute_of_register(register: u16) -> Attribute {
    Attribute {
        name: format!("IN[{register}]"),
        kind: VarType::FLOAT4,
        count: 0,
        location: register.into(),
        first_location: register.into(),
        register,
        num_registers: 1,
    }
}

fn block_of_buffer(number: u16, last: u16) -> Block {
    let count = u32::from(last) + 1;
    let name = format!("CONST[{number}]");
    let uniform = Uniform { name: name.clone(), kind: VarType::FLOAT4, count, offset: 0 };
    let (uniforms, initial_values) = (vec![uniform], Vec::new());
    Block { name: Some(name), number, size: VECTOR * count, uniforms, initial_values }
}

fn block_of_interface(buffer: &ConstantBuffer) -> Block {
    let name = match buffer.block_name.is_empty() {
        true => &buffer.name,
        false => &buffer.block_name,
    };
    let uniform = |member: &Member| {
        let (kind, count) = var_type(in_memory(member));
        // A GL calls members of named instances by the name of the block.
        let name = match buffer.is_named_instance && buffer.kind != ConstantKind::Uniforms {
            true => format!("{name}.{}", member.name),
            false => member.name.clone(),
        };
        Uniform { name, kind, count: count.max(1), offset: member.offset }
    };
    Block {
        name: Some(name.clone()).filter(|name| !name.is_empty()),
        number: buffer.buffer,
        size: buffer.size,
        uniforms: buffer.members.iter().map(uniform).collect(),
        initial_values: buffer.initial_values.clone(),
    }
}

/// The type by which an application fills a member's memory. GX2 knows matrices column by column: one that lies row by row is
/// the transpose of what the shader calls it.
fn in_memory(member: &Member) -> ValueType {
    let ty = member.ty;
    if member.is_row_major { ValueType { rows: ty.columns, columns: ty.rows, ..ty } } else { ty }
}

/// GX2's type and the length of an array, 0 for what is none. Integers of 64 bits are what they are as bits.
fn var_type(ty: ValueType) -> (VarType, u32) {
    use VarType as V;
    let vectors = match ty.scalar {
        Scalar::Bool => [V::BOOL, V::BOOL2, V::BOOL3, V::BOOL4],
        Scalar::Int => [V::INT, V::INT2, V::INT3, V::INT4],
        Scalar::Uint => [V::UINT, V::UINT2, V::UINT3, V::UINT4],
        Scalar::Float => [V::FLOAT, V::FLOAT2, V::FLOAT3, V::FLOAT4],
        Scalar::Double | Scalar::Int64 | Scalar::Uint64 => {
            [V::DOUBLE, V::DOUBLE2, V::DOUBLE3, V::DOUBLE4]
        }
    };
    let rows = usize::from(ty.rows.clamp(1, 4));
    let kind = match ty.columns {
        columns @ 2..=4 if rows >= 2 => {
            let first = if ty.scalar == Scalar::Double { V::DOUBLE2X2 } else { V::FLOAT2X2 };
            V(first.0 + 3 * (u32::from(columns) - 2) + rows as u32 - 2)
        }
        _ => vectors[rows - 1],
    };
    (kind, ty.elements.unwrap_or(0))
}

/// The textures that the shader reads, under the names that `textures` gives them.
fn samplers(shader: &Shader, textures: &[Texture]) -> Vec<Sampler> {
    let read = scan(shader).textures.into_iter();
    let sampler = |(unit, texture): (i16, tgsi_ir::scan::TextureUse)| {
        let unit = u16::try_from(unit).ok()?;
        let kind = texture.targets.first().copied().map_or(SamplerType::SAMPLER_2D, shape);
        let named = textures.iter().find(|one| one.unit == unit);
        let name = named.filter(|one| !one.image.name.is_empty()).map(|one| element(&one.image));
        Some(Sampler { name: name.unwrap_or_else(|| format!("SAMP[{unit}]")), kind, unit })
    };
    read.filter_map(sampler).collect()
}

/// The name of a texture; of an array, of one of its elements: the first goes by the name of the array.
fn element(image: &Resource) -> String {
    match image.element {
        0 => image.name.clone(),
        element => format!("{}[{element}]", image.name),
    }
}

fn shape(target: TextureTarget) -> SamplerType {
    use TextureTarget as T;
    match target {
        T::D1 | T::Shadow1d | T::D1Array | T::Shadow1dArray | T::Buffer => SamplerType::SAMPLER_1D,
        T::D3 => SamplerType::SAMPLER_3D,
        T::Cube | T::Shadowcube | T::CubeArray | T::ShadowcubeArray => SamplerType::SAMPLER_CUBE,
        _ => SamplerType::SAMPLER_2D,
    }
}
