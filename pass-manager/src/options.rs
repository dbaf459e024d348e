//! What a user can ask of a pipeline.

/// Choices made when a pipeline is built; the default runs everything and observes nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Names of optional passes to leave out.
    pub disabled: Vec<String>,
    /// The last pass to run.
    pub stop_after: Option<String>,
    /// Passes after which [`Observer::dump`](crate::Observer::dump) is called.
    pub print_after: PassSet,
    /// Calls [`Observer::verify`](crate::Observer::verify) after each pass that changed something.
    pub verify_each: bool,
    /// How many changes optional passes may make in one run; the rest of them are skipped, while
    /// required passes go on, so that halving this number finds the pass that breaks a unit.
    pub fuel: Option<u64>,
}

/// A choice of passes by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum PassSet {
    /// No pass.
    #[default]
    None,
    /// Every pass.
    All,
    /// The passes of these names.
    Named(Vec<String>),
}
