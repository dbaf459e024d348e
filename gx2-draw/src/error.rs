//! Why drawing fails.

use gx2_gfd::UniformBlock;
use r600_sim::SimError;
use r600_sim::pipeline::StateFault;
use tgsi_exec::ExecError;
use thiserror::Error;

use crate::fetch::FetchError;

/// Why drawing fails.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The file lacks a stage.
    #[error("there is no {0} shader")]
    NoShader(&'static str),
    /// A stage that the rasteriser does not support.
    #[error("files with {0} shaders cannot be drawn")]
    Stage(&'static str),
    /// A structure without a program.
    #[error("the {0} shader has no program")]
    NoProgram(&'static str),
    /// A program that violates a hardware rule.
    #[error("{stage} shader: {error}")]
    Program {
        /// The stage.
        stage: &'static str,
        /// The violation.
        error: SimError,
    },
    /// Registers that contradict the program or each other.
    #[error("{stage} shader: {error}")]
    State {
        /// The stage.
        stage: &'static str,
        /// The contradiction.
        error: StateFault,
    },
    /// A uniform block that is larger than the hardware can read.
    #[error(
        "{stage} shader: uniform block {number} has {size} bytes, but the hardware reads {max} of one at most",
        max = UniformBlock::MAX_SIZE
    )]
    BlockSize {
        /// The stage.
        stage: &'static str,
        /// The number to which the block is bound.
        number: u32,
        /// Size in bytes according to its table.
        size: u32,
    },
    /// The interpreter stopped.
    #[error("{stage} shader: {error}")]
    Interpreter {
        /// The stage.
        stage: &'static str,
        /// Why.
        error: ExecError,
    },
    /// No fetch shader can be made for the attributes.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// A program that does not write all channels of the position.
    #[error("the vertex shader does not export a whole position")]
    NoPosition,
    /// An unknown name.
    #[error("there is no {what} `{name}`, only {known}")]
    Name {
        /// The kind of name.
        what: &'static str,
        /// The name.
        name: String,
        /// The names that exist.
        known: String,
    },
    /// A value whose length differs from its uniform's.
    #[error("`{name}` has {wanted} components, but {given} are given")]
    Length {
        /// The uniform.
        name: String,
        /// Number of components it has.
        wanted: usize,
        /// Number of components given.
        given: usize,
    },
    /// A mesh that cannot be read.
    #[error("line {line}: {message}")]
    Mesh {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// An index of no vertex.
    #[error("the mesh has no vertex {0}")]
    Vertex(u32),
}
