//! The options of a pipeline.

use crate::clock::Clock;

/// Options for building a pipeline. The default runs everything and observes nothing.
///
/// A name means every run of a pass; `NAME.2` means the second.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Options {
    /// Names of optional passes to disable.
    pub disabled: Vec<String>,
    /// The pipeline stops after the (first) run of this pass.
    pub stop_after: Option<String>,
    /// Passes after which [`Observer::dump`](crate::Observer::dump) is called.
    pub print_after: PassSet,
    /// Calls [`Observer::verify`](crate::Observer::verify) after each pass that changed something.
    pub verify_each: bool,
    /// How many rewrites optional passes may make in one run. Required passes are not limited, so bisecting this number
    /// finds the rewrite that breaks an input.
    pub fuel: Option<u64>,
    /// The clock that times the passes.
    pub clock: Clock,
}

impl Options {
    /// Disables these passes.
    #[must_use]
    pub fn disabled(mut self, disabled: Vec<String>) -> Self {
        self.disabled = disabled;
        self
    }

    /// Sets where the pipeline stops.
    #[must_use]
    pub fn stop_after(mut self, stop_after: Option<String>) -> Self {
        self.stop_after = stop_after;
        self
    }

    /// Sets the passes to dump after.
    #[must_use]
    pub fn print_after(mut self, print_after: PassSet) -> Self {
        self.print_after = print_after;
        self
    }

    /// Sets whether to verify after each pass.
    #[must_use]
    pub fn verify_each(mut self, verify_each: bool) -> Self {
        self.verify_each = verify_each;
        self
    }

    /// Sets the number of rewrites.
    #[must_use]
    pub fn fuel(mut self, fuel: Option<u64>) -> Self {
        self.fuel = fuel;
        self
    }

    /// Sets the clock.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }
}

/// A choice of passes by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PassSet {
    /// No pass.
    #[default]
    None,
    /// Every pass; a fixpoint counts as one.
    All,
    /// The passes of these names.
    Named(Vec<String>),
}
