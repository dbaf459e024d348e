//! Why compilation fails.

use pass_manager::{PassId, PipelineError, RunError, Undeclared};
use tgsi_ir::modernise::Inexpressible;
use tgsi_ir::validate::Place;
use thiserror::Error;

use crate::alloc::AllocError;
use crate::internal::{Broken, Internal};
use crate::lower::error::LowerError;
use crate::refusal::Refusal;

/// Why a shader is not compiled.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CompileError {
    /// An unsupported construct.
    #[error(transparent)]
    Lower(#[from] LowerError),
    /// A legacy construct that today's opcodes cannot express.
    #[error(transparent)]
    Legacy(#[from] Inexpressible),
    /// More registers are needed than there are.
    #[error(transparent)]
    Registers(#[from] AllocError),
    /// A pass broke an invariant that a later one relies on: a bug in the compiler.
    #[error(transparent)]
    Internal(#[from] Internal),
    /// An observer rejects the result of a pass. Either the compiler has a bug or the observer asked to stop.
    #[error("pass `{pass}` broke its form: {why}")]
    Rejected {
        /// The pass that made the rejected form.
        pass: PassId,
        /// The observer's message.
        why: String,
    },
    /// The options stop the pipeline before there is a program.
    #[error("the pipeline stops before the last pass, so there is no program")]
    Stopped,
    /// The options name passes that do not exist, or that cannot be left out.
    #[error(transparent)]
    Options(#[from] OptionsError),
}

/// Invalid options about passes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct OptionsError(String);

impl From<PipelineError> for OptionsError {
    fn from(error: PipelineError) -> Self {
        Self(error.to_string())
    }
}

impl CompileError {
    /// Whether the shader is refused, rather than the compiler or the options being at fault.
    pub fn is_refusal(&self) -> bool {
        self.refusal().is_some()
    }

    /// The culprit's place in the shader that was given. [`None`] if it is the shader as a whole, or the compiler.
    pub fn place(&self) -> Option<Place> {
        match self {
            Self::Lower(error) => error.at.map(Place::Instruction),
            Self::Legacy(error) => Some(error.place).filter(|place| *place != Place::Shader),
            Self::Registers(_)
            | Self::Internal(_)
            | Self::Rejected { .. }
            | Self::Stopped
            | Self::Options(_) => None,
        }
    }

    /// What is wrong, without the place.
    pub fn complaint(&self) -> String {
        match self {
            Self::Lower(error) => format!("{}: {}", error.construct, error.reason),
            Self::Legacy(error) => error.reason.to_string(),
            other => other.to_string(),
        }
    }

    /// Why the shader is refused; [`None`] if the compiler or the options are at fault.
    pub fn refusal(&self) -> Option<Refusal> {
        match self {
            Self::Lower(error) => Some(error.reason),
            Self::Legacy(_) => Some(Refusal::Legacy),
            Self::Registers(error) => Some(error.refusal()),
            Self::Internal(_) | Self::Rejected { .. } | Self::Stopped | Self::Options(_) => None,
        }
    }
}

/// Why a pass fails.
#[derive(Clone, Debug)]
pub enum Stop {
    /// The shader is refused.
    Refused(CompileError),
    /// An earlier pass broke an invariant.
    Broken(Broken),
}

impl From<CompileError> for Stop {
    fn from(error: CompileError) -> Self {
        Self::Refused(error)
    }
}

impl From<AllocError> for Stop {
    fn from(error: AllocError) -> Self {
        Self::Refused(error.into())
    }
}

impl From<Broken> for Stop {
    fn from(broken: Broken) -> Self {
        Self::Broken(broken)
    }
}

impl From<Undeclared> for Stop {
    fn from(undeclared: Undeclared) -> Self {
        Self::Broken(Broken::new("the pass", undeclared))
    }
}

impl From<RunError<Stop>> for CompileError {
    fn from(error: RunError<Stop>) -> Self {
        match error {
            RunError::Pass { error: Stop::Refused(error), .. } => error,
            RunError::Pass { pass, error: Stop::Broken(broken) } => broken.found_by(pass).into(),
            RunError::Broke { pass, why } => Self::Rejected { pass, why },
            // The run stopped without an error because the options ask for it.
            _ => Self::Stopped,
        }
    }
}
