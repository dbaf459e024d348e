//! What a value is in a run.

/// 32 bits, and what is not said about them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) bits: u32,
    /// Whether a pass may make anything of them.
    pub(super) open: bool,
    /// Whether, if they are a NaN, it may be any.
    pub(super) kind_is_open: bool,
}

impl Word {
    pub(super) fn of(bits: u32) -> Self {
        Self { bits, open: false, kind_is_open: false }
    }
}
