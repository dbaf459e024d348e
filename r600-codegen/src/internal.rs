//! Broken invariants: faults of the compiler, which no shader is to blame for.

use std::fmt::Display;

use pass_manager::PassId;
use thiserror::Error;

/// What a step found undone, or done wrongly, that the steps before it promise.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {what}")]
pub struct Broken {
    /// Where, as a dump prints it.
    pub place: String,
    /// The promise that is not kept.
    pub what: String,
}

impl Broken {
    /// The fault `what` at `place`.
    pub(crate) fn new(place: impl Display, what: impl Display) -> Self {
        Self { place: place.to_string(), what: what.to_string() }
    }

    /// The fault with the pass that found it.
    pub(crate) fn found_by(self, pass: PassId) -> Internal {
        Internal { pass, broken: self }
    }
}

/// A broken invariant and the pass that found it.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error(
    "internal error in pass `{pass}`, {broken}; please report this with the shader, the chip and the options"
)]
pub struct Internal {
    /// The pass that found it; an earlier one is at fault.
    pub pass: PassId,
    /// What it found.
    pub broken: Broken,
}
