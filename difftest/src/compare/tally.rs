//! How much was compared.

use crate::uncompared::Uncompared;

/// How much was compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Channels, and killed lanes, that have the interpreter's bits.
    pub exact: u64,
    /// Channels that differ by less than the errors that opcodes may have.
    pub near: u64,
    /// What differs where nothing can be said.
    pub open: Uncompared,
}

impl Tally {
    /// Channels that were given.
    #[must_use]
    pub fn num_channels(&self) -> u64 {
        self.exact + self.near + self.open.unconstrained()
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.exact += other.exact;
        self.near += other.near;
        self.open += other.open;
    }
}
