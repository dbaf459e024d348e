//! The structures that describe a shader to GX2.

use crate::error::Error;
use crate::generated::enums::ShaderMode;
use crate::registers::{ComputeRegisters, GeometryRegisters, PixelRegisters, VertexRegisters};
use crate::structure::{Structure, StructureIo};
use crate::tables::{AttribVar, Tables};

/// A buffer that GX2 manages: flags, element size, number of elements, pointer. All are 0 in files.
pub type RBuffer = [u32; 4];

/// Words of stages whose results go to rings and to stream output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ring {
    /// Dwords of an item of the ring, as the register of its size has them.
    #[cfg_attr(feature = "serde", serde(rename = "ring_item_size"))]
    pub item_size: u32,
    /// 1 where stream output is written.
    pub has_stream_out: u32,
    /// Bytes of a vertex in each buffer of stream output.
    pub stream_out_stride: [u32; 4],
}

impl Ring {
    fn describe(&mut self, io: &mut impl StructureIo) -> Result<(), Error> {
        io.word(&mut self.item_size)?;
        io.word(&mut self.has_stream_out)?;
        io.words(&mut self.stream_out_stride)
    }
}

/// `GX2VertexShader`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VertexShader {
    /// Its registers.
    pub registers: VertexRegisters,
    /// Bytes of the program.
    pub program_size: u32,
    /// Pointer to the program, 0 in files.
    pub program: u32,
    /// How uniforms are found.
    pub mode: ShaderMode,
    /// Uniforms, samplers and loop constants.
    pub tables: Tables,
    /// Attributes.
    pub attrib_vars: Vec<AttribVar>,
    /// What goes to the ring before a geometry shader and to stream output; items of `SQ_ESGS_RING_ITEMSIZE`.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub ring: Ring,
    /// The program's buffer; files of the oldest tools have none.
    pub buffer: Option<RBuffer>,
}

impl Structure for VertexShader {
    const NAME: &'static str = "GX2VertexShader";

    fn describe(&mut self, io: &mut impl StructureIo) -> Result<(), Error> {
        io.words(&mut self.registers.0)?;
        io.word(&mut self.program_size)?;
        io.program(&mut self.program)?;
        io.word(&mut self.mode.0)?;
        self.tables.describe(io)?;
        io.table(&mut self.attrib_vars)?;
        self.ring.describe(io)?;
        io.optional(&mut self.buffer)
    }
}

/// `GX2PixelShader`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PixelShader {
    /// Its registers.
    pub registers: PixelRegisters,
    /// Bytes of the program.
    pub program_size: u32,
    /// Pointer to the program, 0 in files.
    pub program: u32,
    /// How uniforms are found.
    pub mode: ShaderMode,
    /// Uniforms, samplers and loop constants.
    pub tables: Tables,
    /// The program's buffer; files of the oldest tools have none.
    pub buffer: Option<RBuffer>,
}

impl Structure for PixelShader {
    const NAME: &'static str = "GX2PixelShader";

    fn describe(&mut self, io: &mut impl StructureIo) -> Result<(), Error> {
        io.words(&mut self.registers.0)?;
        io.word(&mut self.program_size)?;
        io.program(&mut self.program)?;
        io.word(&mut self.mode.0)?;
        self.tables.describe(io)?;
        io.optional(&mut self.buffer)
    }
}

/// `GX2GeometryShader`: the shader, and the program that copies what it emits out of the ring.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GeometryShader {
    /// Its registers.
    pub registers: GeometryRegisters,
    /// Bytes of the program.
    pub program_size: u32,
    /// Pointer to the program, 0 in files.
    pub program: u32,
    /// Bytes of the program that copies.
    pub copy_program_size: u32,
    /// Pointer to it, 0 in files.
    pub copy_program: u32,
    /// How uniforms are found.
    pub mode: ShaderMode,
    /// Uniforms, samplers and loop constants.
    pub tables: Tables,
    /// What goes to the ring after the shader and to stream output; items of `SQ_GSVS_RING_ITEMSIZE`.
    #[cfg_attr(feature = "serde", serde(flatten))]
    pub ring: Ring,
    /// The program's buffer; files of the oldest tools have none.
    pub buffer: Option<RBuffer>,
    /// The buffer of the program that copies, which only some tools write.
    pub copy_buffer: Option<RBuffer>,
}

impl Structure for GeometryShader {
    const NAME: &'static str = "GX2GeometryShader";

    fn describe(&mut self, io: &mut impl StructureIo) -> Result<(), Error> {
        io.words(&mut self.registers.0)?;
        io.word(&mut self.program_size)?;
        io.program(&mut self.program)?;
        io.word(&mut self.copy_program_size)?;
        io.program(&mut self.copy_program)?;
        io.word(&mut self.mode.0)?;
        self.tables.describe(io)?;
        self.ring.describe(io)?;
        io.optional(&mut self.buffer)?;
        io.optional(&mut self.copy_buffer)
    }
}

/// `GX2ComputeShader`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComputeShader {
    /// Its registers.
    pub registers: ComputeRegisters,
    /// Bytes of the program.
    pub program_size: u32,
    /// Pointer to the program, 0 in files.
    pub program: u32,
    /// Uniforms, samplers and loop constants.
    pub tables: Tables,
    /// Lanes of a work group in each direction.
    pub work_group_size: [u32; 3],
    /// 1 where a work group has more than 64 lanes.
    pub over_64_mode: u32,
    /// Waves that a SIMD runs.
    pub waves_per_simd: u32,
    /// The program's buffer; files of the oldest tools have none.
    pub buffer: Option<RBuffer>,
}

impl Structure for ComputeShader {
    const NAME: &'static str = "GX2ComputeShader";

    fn describe(&mut self, io: &mut impl StructureIo) -> Result<(), Error> {
        io.words(&mut self.registers.0)?;
        io.word(&mut self.program_size)?;
        io.program(&mut self.program)?;
        self.tables.describe(io)?;
        io.words(&mut self.work_group_size)?;
        io.word(&mut self.over_64_mode)?;
        io.word(&mut self.waves_per_simd)?;
        io.optional(&mut self.buffer)
    }
}
