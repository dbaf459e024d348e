//! What became of a shader's interface: names, locations and bindings beside TGSI registers.

/// The interface of one entry point.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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
pub struct Varying {
    /// Its name in the source.
    pub name: String,
    /// Its location.
    pub location: Option<u32>,
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
}

/// A constant buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ConstantBuffer {
    /// First subscript of `CONST`.
    pub buffer: u16,
    /// Name of the block, or of its instance.
    pub name: String,
    /// What it is.
    pub kind: ConstantKind,
    /// Descriptor set.
    pub set: Option<u32>,
    /// Binding.
    pub binding: Option<u32>,
    /// Number of registers.
    pub num_registers: u16,
    /// What lies where.
    pub members: Vec<Member>,
}

/// Where the contents of a constant buffer come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "snake_case"))]
pub enum ConstantKind {
    /// Uniforms outside blocks.
    Uniforms,
    /// A uniform block.
    Block,
    /// Push constants.
    PushConstants,
}

/// A member of a constant buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Member {
    /// Its name.
    pub name: String,
    /// Its first byte.
    pub offset: u32,
    /// Location of a uniform outside blocks.
    pub location: Option<u32>,
}

/// A texture unit.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
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
pub struct SpecConstant {
    /// `SpecId`.
    pub id: u32,
    /// Its name.
    pub name: String,
    /// The bits that hold in this shader.
    pub value: u64,
}
