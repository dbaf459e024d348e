//! Facts about a program that its words do not state.

use crate::Chip;

/// The stage that a program runs as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// Fetch shader: fetches attributes for the vertex shader that calls it.
    Fetch,
    /// Vertices, with positions and parameters as its exports.
    Vertex,
    /// Vertices for a geometry or tessellation stage, which get them through memory.
    VertexToMemory,
    /// Primitives.
    Geometry,
    /// Pixels.
    Pixel,
    /// Thread groups.
    Compute,
}

/// Facts about a program that its words do not state. Rules that need an unknown fact are skipped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Setting {
    /// The stage that it runs as.
    pub stage: Option<Stage>,
    /// The chip that it runs on.
    pub chip: Option<Chip>,
    /// Registers that its state allocates.
    pub num_gprs: Option<u8>,
    /// Stack that its state allocates, in units of four elements.
    pub stack_size: Option<u32>,
}
