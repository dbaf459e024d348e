//! Why a pipeline cannot be built, and why a run stops.

use thiserror::Error;

use crate::PassId;

/// Why a pipeline cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PipelineError {
    /// Two passes have the same name.
    #[error("pass `{0}` is registered twice")]
    Duplicate(PassId),
    /// A required pass is not registered.
    #[error("pass `{pass}` needs `{needs}`, which is not registered")]
    Missing {
        /// The pass with the requirement.
        pass: PassId,
        /// What it needs.
        needs: PassId,
    },
    /// The dependencies have a cycle: each pass depends on the one before it, the first on the last.
    #[error("passes depend on each other: {}", chain(.0))]
    Cycle(Vec<PassId>),
    /// An option names a pass that is not registered, or a run that does not exist.
    #[error("no pass is called `{name}`; known passes: {}", list(.known))]
    UnknownPass {
        /// The name in the option.
        name: String,
        /// Every registered pass, in order of registration.
        known: Vec<PassId>,
    },
    /// An option disables a required pass.
    #[error("pass `{0}` cannot be disabled: the output would be wrong without it")]
    Required(PassId),
    /// An option disables a pass whose result another pass requires.
    #[error("pass `{pass}` cannot be disabled: pass `{by}` needs it")]
    Needed {
        /// The disabled pass.
        pass: PassId,
        /// The pass that relies on it.
        by: PassId,
    },
}

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RunError<E> {
    /// A pass failed.
    #[error("{error}")]
    Pass {
        /// The pass.
        pass: PassId,
        /// Its error.
        error: E,
    },
    /// The verifier rejected the form after a pass.
    #[error("pass `{pass}` broke its form: {why}")]
    Broke {
        /// The pass.
        pass: PassId,
        /// The verifier's message.
        why: String,
    },
    /// The options stop the run after this pass.
    #[error("the run stops after pass `{0}`")]
    Stopped(PassId),
}

impl<E> RunError<E> {
    /// The pass after or in which the run stopped.
    pub fn pass(&self) -> PassId {
        match self {
            Self::Pass { pass, .. } | Self::Broke { pass, .. } | Self::Stopped(pass) => *pass,
        }
    }
}

/// `a -> b -> a`.
fn chain(passes: &[PassId]) -> String {
    let mut names: Vec<_> = passes.iter().map(|pass| pass.name()).collect();
    names.extend(passes.first().map(|pass| pass.name()));
    names.join(" -> ")
}

/// `a, b, c`.
fn list(passes: &[PassId]) -> String {
    let names: Vec<_> = passes.iter().map(|pass| pass.name()).collect();
    names.join(", ")
}
