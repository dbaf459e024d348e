//! What a user can ask of a pipeline.

use crate::clock::Clock;

/// Choices made when a pipeline is built; the default runs everything and observes nothing.
///
/// A name means every run of a pass; `NAME.2` means the second.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Names of optional passes to leave out.
    pub disabled: Vec<String>,
    /// The pass after whose run, or first run, the pipeline stops.
    pub stop_after: Option<String>,
    /// Passes after which [`Observer::dump`](crate::Observer::dump) is called.
    pub print_after: PassSet,
    /// Calls [`Observer::verify`](crate::Observer::verify) after each pass that changed something.
    pub verify_each: bool,
    /// How many rewrites optional passes may make in one run; required passes go on, so that halving this number
    /// finds the rewrite that breaks an input.
    pub fuel: Option<u64>,
    /// What times the passes.
    pub clock: Clock,
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
