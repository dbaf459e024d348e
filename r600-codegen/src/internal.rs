//! Broken invariants: bugs in the compiler, whatever the shader.

use std::fmt::Display;

use pass_manager::PassId;
use thiserror::Error;

/// A broken invariant: something that an earlier step left undone or did wrongly.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {what}")]
pub struct Broken {
    /// The place, as a dump prints it.
    pub place: String,
    /// The invariant.
    pub what: String,
}

impl Broken {
    /// The fault `what` at `place`.
    pub(crate) fn new(place: impl Display, what: impl Display) -> Self {
        Self { place: place.to_string(), what: what.to_string() }
    }

    /// Adds the pass that found it.
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
    /// The pass that found it. The bug is in an earlier one.
    pub pass: PassId,
    /// The broken invariant.
    pub broken: Broken,
}
