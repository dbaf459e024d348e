//! How much was compared.

use crate::uncompared::Uncompared;

/// How much was compared.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Channels and killed lanes that match the interpreter bit for bit.
    pub exact: u64,
    /// Channels that differ by less than the allowed error of the opcodes.
    pub near: u64,
    /// Unconstrained results, by cause.
    pub open: Uncompared,
}

impl Tally {
    /// Number of channels that were exported.
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
