//! Declared properties of a program.

use r600_isa::Chip;

/// Declared properties of a program, apart from its words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declaration {
    /// The chip that it is for.
    pub chip: Chip,
    /// The hardware stage that runs it.
    pub stage: Stage,
    /// Registers (`NUM_GPRS`).
    pub num_gprs: u32,
    /// Entries of the branch stack (`STACK_SIZE`).
    pub stack_entries: u32,
}

/// The hardware stage of a program, as far as it determines required exports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// The last stage before the rasteriser: must export a position and a parameter.
    Vertex,
    /// The pixel stage: must export a pixel.
    Pixel,
    /// Any other stage: no required export.
    Other,
}
