//! Limits on the work that one shader may cause.

/// Limits on a shader's work beyond its own length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// The most instructions after expanding calls, since subroutines are inlined; 131,072 by default. A program that
    /// is longer without calls may keep its own length. They may become 16 times as many operations, of which a fetch
    /// counts as eight.
    pub instructions: usize,
}

impl Limits {
    /// The default limits.
    pub const DEFAULT: Self = Self { instructions: 1 << 17 };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
