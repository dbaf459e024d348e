//! How much work a shader may ask for.

/// How much work a shader may ask for beyond its own length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Instructions that calls may grow the program to, since subroutines are compiled where they are called;
    /// 131,072 by default. A program that is longer without calls may have its own length.
    pub instructions: usize,
}

impl Limits {
    /// What holds where nothing else is said.
    pub const DEFAULT: Self = Self { instructions: 1 << 17 };
}

impl Default for Limits {
    fn default() -> Self {
        Self::DEFAULT
    }
}
