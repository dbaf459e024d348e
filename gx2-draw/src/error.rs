//! Why nothing is drawn.

use gx2_gfd::UniformBlock;
use r600_sim::SimError;
use r600_sim::pipeline::StateFault;
use tgsi_exec::ExecError;
use thiserror::Error;

use crate::fetch::FetchError;

/// Why nothing is drawn.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DrawError {
    /// The file lacks a stage.
    #[error("there is no {0} shader")]
    NoShader(&'static str),
    /// A stage that the rasteriser does not run.
    #[error("files with {0} shaders cannot be drawn")]
    Stage(&'static str),
    /// A structure without its program.
    #[error("the {0} shader has no program")]
    NoProgram(&'static str),
    /// A program that breaks a rule of the hardware.
    #[error("{stage} shader: {error}")]
    Program {
        /// The stage.
        stage: &'static str,
        /// What it breaks.
        error: SimError,
    },
    /// Registers that contradict the program or each other.
    #[error("{stage} shader: {error}")]
    State {
        /// The stage.
        stage: &'static str,
        /// What is wrong.
        error: StateFault,
    },
    /// A uniform block that is larger than hardware reads.
    #[error(
        "{stage} shader: uniform block {number} has {size} bytes, but the hardware reads {max} of one at most",
        max = UniformBlock::MAX_SIZE
    )]
    BlockSize {
        /// The stage.
        stage: &'static str,
        /// The number that the block is bound by.
        number: u32,
        /// Bytes that its table says.
        size: u32,
    },
    /// The interpreter stops.
    #[error("{stage} shader: {error}")]
    Interpreter {
        /// The stage.
        stage: &'static str,
        /// Why.
        error: ExecError,
    },
    /// There is no fetch shader for the attributes.
    #[error(transparent)]
    Fetch(#[from] FetchError),
    /// A program leaves out a channel of the position.
    #[error("the vertex shader does not export a whole position")]
    NoPosition,
    /// No such name.
    #[error("there is no {what} `{name}`, only {known}")]
    Name {
        /// What is looked for.
        what: &'static str,
        /// The name.
        name: String,
        /// The known names.
        known: String,
    },
    /// A value of another length than its uniform.
    #[error("`{name}` has {wanted} components, but {given} are given")]
    Length {
        /// The uniform.
        name: String,
        /// Components that it has.
        wanted: usize,
        /// Components that are given.
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
    /// An index that no vertex has.
    #[error("the mesh has no vertex {0}")]
    Vertex(u32),
}
