//! Generations of shader processors, and their missing features.

use core::fmt;

use crate::generated::enums::{SM_INFO, Sm};

pub(crate) struct SmInfo {
    pub(crate) major: u8,
    pub(crate) minor: u8,
    pub(crate) sparse: bool,
    pub(crate) f16: bool,
}

impl Sm {
    fn info(self) -> &'static SmInfo {
        &SM_INFO[self as usize]
    }

    /// The generation of a version such as 52.
    pub fn from_version(version: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|sm| sm.version() == version)
    }

    /// The version in two digits, such as 52.
    pub fn version(self) -> u8 {
        10 * self.info().major + self.info().minor
    }

    /// Whether TEX has `.LC` and the sparse predicate.
    pub fn has_sparse(self) -> bool {
        self.info().sparse
    }

    /// Whether TLDS has `.F16`.
    pub fn has_f16(self) -> bool {
        self.info().f16
    }
}

impl fmt::Display for Sm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SM {}.{}", self.info().major, self.info().minor)
    }
}
