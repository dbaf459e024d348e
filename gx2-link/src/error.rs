//! Link errors.

use std::fmt;

use gx2_gfd::UniformBlock;
use r600_codegen::{CompileError, OptionsError};
use tgsi_ir::Processor;
use tgsi_ir::fit::Misfit;
use thiserror::Error;

/// A link error. Stages are numbered in the order given.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LinkError {
    /// A stage is refused.
    #[error("{error}")]
    Stage {
        /// Its number.
        number: usize,
        /// Why.
        error: StageError,
    },
    /// A stage that the console's draws do not have.
    #[error("a draw has vertex, geometry and pixel shaders, but this is a {} shader", stage_name(*processor))]
    NoSuchStage {
        /// Its number.
        number: usize,
        /// Its stage.
        processor: Processor,
    },
    /// Two shaders of one stage.
    #[error("two shaders are of the same stage")]
    Twice {
        /// The first.
        first: usize,
        /// The second.
        second: usize,
    },
    /// A stage reads an input that the previous stage does not write.
    #[error("{}", list(missing))]
    Misfit {
        /// The previous stage.
        producer: usize,
        /// The reading stage.
        consumer: usize,
        /// What is missing.
        missing: Vec<Missing>,
    },
    /// The constant file does not reach the geometry stage.
    #[error("a geometry shader has no uniform registers, and a draw has one mode for all shaders")]
    GeometryRegisters,
}

/// An input that the previous stage does not write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Missing {
    /// The input.
    pub misfit: Misfit,
    /// Its name, if it has one.
    pub name: Option<String>,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.name {
            Some(name) => write!(f, "`{name}`: {}", self.misfit),
            None => self.misfit.fmt(f),
        }
    }
}

/// Why a stage is refused.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum StageError {
    /// The compiler refuses it.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// The options of the compiler contradict each other.
    #[error(transparent)]
    Options(#[from] OptionsError),
    /// It needs memory for registers or arrays, whose size the structures cannot hold.
    #[error("needs {0} vectors of scratch memory, which GX2's structures do not provide")]
    Scratch(u16),
    /// It needs data that only a desktop driver provides.
    #[error("reads the driver's constant {0}, which GX2 does not provide")]
    DriverConstant(&'static str),
    /// An attribute that has no register.
    #[error("attribute IN[{0}] has no place: GX2 fetches to 32 registers, IN[0] to IN[31]")]
    Attribute(u16),
    /// Positions that bypass the viewport transform.
    #[error(
        "its positions are in window space (VS_WINDOW_SPACE_POSITION), but GX2 always applies a viewport"
    )]
    WindowSpace,
    /// A parameter whose id marks unused entries.
    #[error("{name}[{index}] has id 255, which means no parameter to GX2; use {name} up to {last}")]
    ParameterId {
        /// Its semantic.
        name: &'static str,
        /// Its index.
        index: u16,
        /// The last index of this semantic that has an id of its own.
        last: u16,
    },
    /// A uniform block that has no number.
    #[error("uniform block {0} has no place: they are numbered 0 to 15")]
    Block(u16),
    /// A uniform block that is too large.
    #[error(
        "uniform block `{name}` has {size} bytes, but the hardware reads {max} of one at most: split it in two",
        max = UniformBlock::MAX_SIZE
    )]
    BlockSize {
        /// Its name.
        name: String,
        /// Its size in bytes.
        size: u32,
    },
    /// Two attributes that share a location, for example as components of it.
    #[error(
        "attributes `{first}` and `{second}` share location {location}, but GX2 fetches all of a register at once: \
         make them one, or give them locations of their own"
    )]
    SharedLocation {
        /// The name of the one.
        first: String,
        /// The name of the other.
        second: String,
        /// The first shared location.
        location: u32,
    },
    /// An attribute that fills two registers but has one location.
    #[error(
        "the attribute of location {0} fills two registers, but GX2 fetches one per location: split it in two"
    )]
    WideAttribute(u32),
    /// An attribute whose location a fetch cannot encode: the field has eight bits, and 255 means none.
    #[error(
        "attribute `{name}` has location {location}, but GX2 fetches to locations 0 to 254: give it a lower one"
    )]
    AttributeLocation {
        /// Its name.
        name: String,
        /// Its location, or the last one if it takes several.
        location: u32,
    },
    /// A texture and a sampler with different numbers; the console has one number for both.
    #[error(
        "{view} is sampled with {sampler}, but GX2 has one location for a texture and its sampler: give both one number"
    )]
    SplitUnit {
        /// The texture, as the shader has it.
        view: String,
        /// The sampler, as the shader has it.
        sampler: String,
    },
    /// A texture that has no number.
    #[error("texture {0} has no place: they are numbered 0 to 15")]
    Texture(u16),
    /// A uniform block, although uniforms are in registers.
    #[error("`{0}` is a uniform block, but uniform registers exclude blocks")]
    BlockBesideRegisters(String),
    /// More uniforms than registers.
    #[error("uniforms need {0} registers, but there are 256")]
    UniformRegisters(u32),
    /// The compiler's state sets a register that the structure cannot hold.
    #[error("internal error in link: no place for {register} {index} = {value:#x}")]
    NoPlace {
        /// The register.
        register: &'static str,
        /// Index in its array.
        index: u32,
        /// Its value.
        value: u32,
    },
}

fn list(missing: &[Missing]) -> String {
    missing.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}

fn stage_name(processor: Processor) -> &'static str {
    match processor {
        Processor::Compute => "compute",
        Processor::TessCtrl => "tessellation control",
        Processor::TessEval => "tessellation evaluation",
        _ => "other",
    }
}
