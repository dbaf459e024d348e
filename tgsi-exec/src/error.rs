//! Why a shader does not run.

use tgsi_ir::InstructionId;
use tgsi_ir::flow::FlowError;
use thiserror::Error;

/// A shader that cannot be run, or that stopped.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ExecError {
    /// Blocks do not nest.
    #[error("{} faults in the nesting of blocks", .0.len())]
    Flow(Vec<FlowError>),
    /// An instruction that is not executed.
    #[error("{at}: {name} is not executed")]
    Opcode {
        /// Where.
        at: InstructionId,
        /// The opcode.
        name: &'static str,
    },
    /// An operand that no register stands for.
    #[error("{at}: an operand names a register that cannot be used there")]
    Operand {
        /// Where.
        at: InstructionId,
    },
    /// A register outside its file, in some lane.
    #[error("{at}, lane {lane}: register {index} lies outside its file")]
    Register {
        /// Where.
        at: InstructionId,
        /// The lane.
        lane: usize,
        /// The register, after indirect addressing.
        index: i64,
    },
    /// A texture that the launch does not provide.
    #[error("{at}: texture {unit} does not exist")]
    Texture {
        /// Where.
        at: InstructionId,
        /// The unit.
        unit: u32,
    },
    /// The step limit is reached.
    #[error("{at}: the limit of {limit} steps is reached")]
    StepLimit {
        /// Where.
        at: InstructionId,
        /// The limit.
        limit: u64,
    },
    /// Calls nest too deep.
    #[error("{at}: calls nest deeper than {limit}")]
    CallDepth {
        /// Where.
        at: InstructionId,
        /// The limit.
        limit: usize,
    },
}
