//! Why a shader cannot run, or why it stopped.

use tgsi_ir::InstructionId;
use tgsi_ir::flow::FlowError;
use tgsi_ir::modernise::Inexpressible;
use thiserror::Error;

/// A shader that cannot be run, or that stopped.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ExecError {
    /// Blocks do not nest.
    #[error("{} in the nesting of blocks", faults(.0.len()))]
    Flow(Vec<FlowError>),
    /// A construct of an old dialect without a counterpart today.
    #[error("{}", .0.first().map_or_else(String::new, ToString::to_string))]
    Legacy(Vec<Inexpressible>),
    /// An unsupported instruction.
    #[error("{at}: unsupported opcode {name}")]
    Opcode {
        /// The instruction.
        at: InstructionId,
        /// The opcode.
        name: &'static str,
    },
    /// An operand is missing, or names no register.
    #[error("{at}: an operand is missing or names a register that cannot be used there")]
    Operand {
        /// The instruction.
        at: InstructionId,
    },
    /// More registers than the memory limit allows.
    #[error("its registers take {bytes} bytes, more than the limit of {limit}")]
    Memory {
        /// Size of a quad's registers in bytes.
        bytes: usize,
        /// The limit.
        limit: usize,
    },
    /// A work group with more invocations than any API allows.
    #[error("its work group has {invocations} invocations, more than the limit of {limit}")]
    Group {
        /// Its number of invocations.
        invocations: u64,
        /// The limit.
        limit: u32,
    },
    /// A register outside its file, in some lane.
    #[error("{at}, lane {lane}: register {index} lies outside its file")]
    Register {
        /// The instruction.
        at: InstructionId,
        /// The lane.
        lane: usize,
        /// The register, after indirect addressing.
        index: i64,
    },
    /// A texture that the launch does not provide.
    #[error("{at}, lane {lane}: texture {unit} does not exist")]
    Texture {
        /// The instruction.
        at: InstructionId,
        /// The first lane that accesses it.
        lane: usize,
        /// The unit.
        unit: u32,
    },
    /// An image that the launch does not provide.
    #[error("{at}, lane {lane}: image {unit} does not exist")]
    Image {
        /// The instruction.
        at: InstructionId,
        /// The first lane that accesses it.
        lane: usize,
        /// The unit.
        unit: u32,
    },
    /// An index reaches an undeclared resource, and the launch does not define the result.
    #[error("{at}, lane {lane}: the index leads to {file}[{number}], which is not declared{}", in_array(*array))]
    Undeclared {
        /// The instruction.
        at: InstructionId,
        /// The lane.
        lane: usize,
        /// The file.
        file: &'static str,
        /// The named array; 0 if none.
        array: u16,
        /// The number, after indirect addressing.
        number: i64,
    },
    /// A misaligned memory access, and the launch does not define its effect.
    #[error("{at}, lane {lane}: address {address} is not that of a whole word in memory")]
    Address {
        /// The instruction.
        at: InstructionId,
        /// The lane.
        lane: usize,
        /// The first byte.
        address: u64,
    },
    /// The step limit is reached.
    #[error("{at}, lane {lane}: the limit of {limit} steps is reached")]
    StepLimit {
        /// The instruction.
        at: InstructionId,
        /// The first lane that runs.
        lane: usize,
        /// The limit.
        limit: u64,
    },
    /// More vertices than the memory limit allows.
    #[error("{at}, lane {lane}: the limit of {limit} emitted vertices is reached")]
    VertexLimit {
        /// The instruction.
        at: InstructionId,
        /// The lane.
        lane: usize,
        /// The limit.
        limit: usize,
    },
    /// Calls nest too deeply.
    #[error("{at}, lane {lane}: calls nest deeper than {limit}")]
    CallDepth {
        /// The instruction.
        at: InstructionId,
        /// The first lane that runs.
        lane: usize,
        /// The limit.
        limit: usize,
    },
    /// Some invocations of a group wait at a barrier that others never reach.
    #[error("{at}, lane {lane}: waits at a barrier that other invocations do not reach")]
    Barrier {
        /// The instruction.
        at: InstructionId,
        /// The first lane that waits.
        lane: usize,
    },
}

impl ExecError {
    /// The lane that stops the run, 0 to 3, or the first of several; `None` if the error belongs to no lane.
    #[must_use]
    pub fn lane(&self) -> Option<usize> {
        match self {
            Self::Flow(_)
            | Self::Legacy(_)
            | Self::Opcode { .. }
            | Self::Operand { .. }
            | Self::Memory { .. }
            | Self::Group { .. } => None,
            Self::Register { lane, .. }
            | Self::Texture { lane, .. }
            | Self::Image { lane, .. }
            | Self::Undeclared { lane, .. }
            | Self::Address { lane, .. }
            | Self::StepLimit { lane, .. }
            | Self::VertexLimit { lane, .. }
            | Self::CallDepth { lane, .. }
            | Self::Barrier { lane, .. } => Some(*lane),
        }
    }

    /// How to get past a limit.
    #[must_use]
    pub fn help(&self) -> Option<&'static str> {
        match self {
            Self::StepLimit { .. } => Some("`--max-steps` of `tgsi` raises the limit"),
            Self::Memory { .. } => {
                Some("`Limits::memory` sets the limit, `--max-memory` in `tgsi`")
            }
            Self::VertexLimit { .. } => {
                Some("the property GS_MAX_OUTPUT_VERTICES bounds what a shader emits")
            }
            Self::CallDepth { .. } => Some("a subroutine that calls itself never ends"),
            _ => None,
        }
    }

    /// The instruction at fault, if there is one.
    #[must_use]
    pub fn at(&self) -> Option<InstructionId> {
        match self {
            Self::Legacy(all) => all.first()?.place.instruction(),
            _ => self.clone().at_mut().copied(),
        }
    }

    /// The same error with the instruction at fault mapped by `origin`. It stays if `origin` gives `None`.
    #[must_use]
    pub fn placed_by(mut self, origin: impl Fn(InstructionId) -> Option<InstructionId>) -> Self {
        if let Some(at) = self.at_mut() {
            *at = origin(*at).unwrap_or(*at);
        }
        self
    }

    fn at_mut(&mut self) -> Option<&mut InstructionId> {
        match self {
            Self::Flow(_) | Self::Legacy(_) | Self::Memory { .. } | Self::Group { .. } => None,
            Self::Opcode { at, .. }
            | Self::Operand { at }
            | Self::Register { at, .. }
            | Self::Texture { at, .. }
            | Self::Image { at, .. }
            | Self::Address { at, .. }
            | Self::Undeclared { at, .. }
            | Self::StepLimit { at, .. }
            | Self::VertexLimit { at, .. }
            | Self::CallDepth { at, .. }
            | Self::Barrier { at, .. } => Some(at),
        }
    }
}

fn in_array(array: u16) -> String {
    if array == 0 { String::new() } else { format!(" in ARRAY({array})") }
}

fn faults(count: usize) -> String {
    if count == 1 { "1 fault".to_owned() } else { format!("{count} faults") }
}
