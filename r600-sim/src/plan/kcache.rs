//! The constant cache.

/// Lines of a constant buffer that a clause can read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct KcacheLock {
    pub(super) bank: u32,
    pub(super) bank_index: Option<u8>,
    /// First vector.
    pub(super) first: u32,
    /// Number of vectors; 0 if nothing is locked.
    pub(super) vectors: u32,
}
