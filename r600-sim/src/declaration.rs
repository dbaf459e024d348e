//! What is said of a program beside its words.

use r600_isa::Chip;

/// What a program declares beside its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The chip that it is for.
    pub chip: Chip,
    /// What the hardware runs it as.
    pub stage: Stage,
    /// Registers (`NUM_GPRS`).
    pub num_gprs: u32,
    /// Entries of the branch stack (`STACK_SIZE`).
    pub stack_entries: u32,
}

/// What the hardware runs a program as, as far as that decides what it must export.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The last stage before the rasteriser: owes a position and a parameter.
    Vertex,
    /// The pixel stage: owes a pixel export.
    Pixel,
    /// Any other: owes nothing.
    Other,
}
