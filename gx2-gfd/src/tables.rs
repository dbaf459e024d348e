//! Tables of shader structures: what an application looks up by name.

use crate::error::Error;
use crate::generated::enums::{SamplerType, VarType};
use crate::structure::{Element, ElementIo, StructureIo};
use crate::text::Text;

/// A uniform block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UniformBlock {
    /// Its name.
    pub name: Option<Text>,
    /// The number that it is bound by, 0 to 15.
    pub location: u32,
    /// Bytes.
    pub size: u32,
}

/// A uniform: of a block, or in registers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UniformVar {
    /// Its name.
    pub name: Option<Text>,
    /// Its type.
    pub kind: VarType,
    /// Elements of an array; 1 where it is none.
    pub count: u32,
    /// Where it begins, in units of four bytes.
    pub offset: u32,
    /// Its block in the table of blocks; -1 where it lies in registers.
    pub block: i32,
}

/// What a uniform register holds until an application sets it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct InitialValue {
    /// The bits of four floats.
    pub value: [u32; 4],
    /// Where it begins, in units of four bytes.
    pub offset: u32,
}

/// The constant of a counted loop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LoopVar {
    /// Number of the constant.
    pub offset: u32,
    /// Count, first index and step, as the register has them.
    pub value: u32,
}

/// A sampler, with the texture of the same number.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SamplerVar {
    /// Its name.
    pub name: Option<Text>,
    /// Shape of the texture.
    pub kind: SamplerType,
    /// The number that texture and sampler are bound by.
    pub location: u32,
}

/// An attribute of a vertex.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AttribVar {
    /// Its name.
    pub name: Option<Text>,
    /// Its type.
    pub kind: VarType,
    /// Elements of an array; 0 where it is none.
    pub count: u32,
    /// The number that an application binds it by.
    pub location: u32,
}

impl AttribVar {
    /// The locations of all its elements and columns.
    #[must_use]
    pub fn locations(&self) -> std::ops::Range<u32> {
        let num = self.count.max(1).saturating_mul(self.kind.num_columns());
        self.location..self.location.saturating_add(num)
    }
}

impl UniformBlock {
    /// The most bytes of a block that the hardware can read.
    pub const MAX_SIZE: u32 = 0x1_0000;
}

impl VarType {
    /// Number of columns of a matrix; 1 for any other type.
    #[must_use]
    pub fn num_columns(self) -> u32 {
        /// Two, three and four rows.
        const WIDTHS: u32 = 3;
        match self.0.checked_sub(Self::FLOAT2X2.0) {
            Some(at) if self.0 <= Self::DOUBLE4X4.0 => 2 + at % (WIDTHS * WIDTHS) / WIDTHS,
            _ => 1,
        }
    }
}

impl Element for UniformBlock {
    const NAME: &'static str = "uniform blocks";
    const WORDS: usize = 3;

    fn describe(&mut self, io: &mut impl ElementIo) -> Result<(), Error> {
        io.name(&mut self.name)?;
        io.word(&mut self.location)?;
        io.word(&mut self.size)
    }
}

impl Element for UniformVar {
    const NAME: &'static str = "uniforms";
    const WORDS: usize = 5;

    fn describe(&mut self, io: &mut impl ElementIo) -> Result<(), Error> {
        let mut block = self.block.cast_unsigned();
        io.name(&mut self.name)?;
        io.word(&mut self.kind.0)?;
        io.word(&mut self.count)?;
        io.word(&mut self.offset)?;
        io.word(&mut block)?;
        self.block = block.cast_signed();
        Ok(())
    }
}

impl Element for InitialValue {
    const NAME: &'static str = "initial values";
    const WORDS: usize = 5;

    fn describe(&mut self, io: &mut impl ElementIo) -> Result<(), Error> {
        self.value.iter_mut().try_for_each(|word| io.word(word))?;
        io.word(&mut self.offset)
    }
}

impl Element for LoopVar {
    const NAME: &'static str = "loop constants";
    const WORDS: usize = 2;

    fn describe(&mut self, io: &mut impl ElementIo) -> Result<(), Error> {
        io.word(&mut self.offset)?;
        io.word(&mut self.value)
    }
}

impl Element for SamplerVar {
    const NAME: &'static str = "samplers";
    const WORDS: usize = 3;

    fn describe(&mut self, io: &mut impl ElementIo) -> Result<(), Error> {
        io.name(&mut self.name)?;
        io.word(&mut self.kind.0)?;
        io.word(&mut self.location)
    }
}

impl Element for AttribVar {
    const NAME: &'static str = "attributes";
    const WORDS: usize = 4;

    fn describe(&mut self, io: &mut impl ElementIo) -> Result<(), Error> {
        io.name(&mut self.name)?;
        io.word(&mut self.kind.0)?;
        io.word(&mut self.count)?;
        io.word(&mut self.location)
    }
}

/// The tables that shaders of every stage have.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "serde", serde(default))]
pub struct Tables {
    /// Uniform blocks.
    pub uniform_blocks: Vec<UniformBlock>,
    /// Uniforms.
    pub uniform_vars: Vec<UniformVar>,
    /// Initial values of uniforms.
    pub initial_values: Vec<InitialValue>,
    /// Constants of loops.
    pub loop_vars: Vec<LoopVar>,
    /// Samplers.
    pub sampler_vars: Vec<SamplerVar>,
}

impl Tables {
    pub(crate) fn describe(&mut self, io: &mut impl StructureIo) -> Result<(), Error> {
        io.table(&mut self.uniform_blocks)?;
        io.table(&mut self.uniform_vars)?;
        io.table(&mut self.initial_values)?;
        io.table(&mut self.loop_vars)?;
        io.table(&mut self.sampler_vars)
    }
}
