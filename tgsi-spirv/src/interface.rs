//! A shader's interface: names, locations and bindings with their TGSI registers.

/// The interface of one entry point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interface {
    /// What is read: attributes, varyings, built-ins.
    pub inputs: Vec<Varying>,
    /// What is written.
    pub outputs: Vec<Varying>,
    /// `CONST[buffer]`.
    pub constants: Vec<ConstantBuffer>,
    /// `SAMP` and `SVIEW`.
    pub textures: Vec<Texture>,
    /// `BUFFER`.
    pub buffers: Vec<Resource>,
    /// `IMAGE`.
    pub images: Vec<Resource>,
    /// `HWATOMIC`.
    pub counters: Vec<Resource>,
    /// Bytes of `MEMORY[0]`.
    pub shared_bytes: u32,
    /// Specialisation constants.
    pub specialization: Vec<SpecConstant>,
}

/// A variable of an interface between stages, or one that the hardware supplies or takes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Varying {
    /// Its name in the source.
    pub name: String,
    /// Its location.
    pub location: Option<u32>,
    /// The location of the whole variable: where nothing reads its first elements or columns, its own is a later one.
    pub first_location: Option<u32>,
    /// Its first component within the location.
    pub component: u8,
    /// Its built-in, as SPIR-V calls it.
    pub built_in: Option<String>,
    /// Whether it belongs to a patch as a whole.
    pub is_patch: bool,
    /// Its first register: of `IN`, `OUT`, or `SV`.
    pub register: u16,
    /// Number of registers.
    pub num_registers: u16,
    /// Whether the register is one of `SV`.
    pub is_system_value: bool,
    /// Number of components that each location holds.
    pub num_components: u8,
    /// Its type; `None` for structures.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub ty: Option<ValueType>,
}

/// The type of a variable or a member: scalars, vectors and matrices, and arrays of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ValueType {
    /// What a component is.
    pub scalar: Scalar,
    /// Components of a vector, or of a column.
    pub rows: u8,
    /// Columns of a matrix; 1 for scalars and vectors.
    pub columns: u8,
    /// Length of an array.
    pub elements: Option<u32>,
}

/// What a component is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[allow(missing_docs, reason = "the names say it")]
pub enum Scalar {
    Bool,
    Int,
    Uint,
    Float,
    Int64,
    Uint64,
    Double,
}

impl Scalar {
    /// Bytes in memory.
    #[must_use]
    pub fn size(self) -> u32 {
        match self {
            Self::Bool | Self::Int | Self::Uint | Self::Float => 4,
            Self::Int64 | Self::Uint64 | Self::Double => 8,
        }
    }
}

/// A constant buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConstantBuffer {
    /// First subscript of `CONST`.
    pub buffer: u16,
    /// Name of the instance, or of the block where the instance has none.
    pub name: String,
    /// Name of the block, which is that of its type.
    pub block_name: String,
    /// Whether the instance has a name: then members are known as `Block.member`.
    pub is_named_instance: bool,
    /// What it is.
    pub kind: ConstantKind,
    /// Descriptor set.
    pub set: Option<u32>,
    /// Binding.
    pub binding: Option<u32>,
    /// Element of an array of blocks.
    pub element: u32,
    /// Number of registers.
    pub num_registers: u16,
    /// Bytes up to the end of the last member.
    pub size: u32,
    /// What lies where.
    pub members: Vec<Member>,
    /// What registers hold until an application sets them: initializers of uniforms outside blocks.
    pub initial_values: Vec<RegisterValue>,
}

/// What a register of a constant buffer holds at first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RegisterValue {
    /// Second subscript of `CONST`.
    pub register: u16,
    /// Its four words.
    pub words: [u32; 4],
}

/// Where the contents of a constant buffer come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum ConstantKind {
    /// Uniforms outside blocks.
    Uniforms,
    /// A uniform block.
    Block,
    /// Push constants.
    PushConstants,
}

/// A member of a constant buffer. Members of structures are apart, with their paths as names: `light[1].color`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its first byte.
    pub offset: u32,
    /// Its type.
    #[cfg_attr(feature = "serde", serde(rename = "type"))]
    pub ty: ValueType,
    /// Whether a matrix lies in memory row by row; it has its columns one after the other otherwise.
    pub is_row_major: bool,
    /// Location of a uniform outside blocks.
    pub location: Option<u32>,
}

/// A texture unit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Texture {
    /// Number of `SAMP` and `SVIEW`.
    pub unit: u16,
    /// Where the image comes from.
    pub image: Resource,
    /// Where the sampler comes from, if not from where the image does.
    pub sampler: Option<Resource>,
}

/// A resource of a descriptor set.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Resource {
    /// Number of the register; for texture units, that of the unit.
    pub register: u16,
    /// Its name.
    pub name: String,
    /// Descriptor set.
    pub set: Option<u32>,
    /// Binding.
    pub binding: Option<u32>,
    /// Location, of uniforms outside blocks.
    pub location: Option<u32>,
    /// Element of an array of resources.
    pub element: u32,
}

/// A specialisation constant.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SpecConstant {
    /// `SpecId`.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// The bits that hold in this shader.
    pub value: u64,
}
