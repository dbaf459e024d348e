//! What a quad starts with.

mod work_group;

use crate::resources::Quad;

pub use work_group::WorkGroup;

/// What a quad starts with; registers that are not given are zero.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// `IN[n]`: values after interpolation.
    pub registers: Vec<Quad>,
    /// `SV[n]`.
    pub system_values: Vec<Quad>,
    /// `IN[vertex][n]`: the vertices of a primitive or patch, which all invocations share.
    pub vertices: Vec<Vec<[u32; 4]>>,
    /// Lanes that do not run, a bit each. Geometry shaders run in lane 0 only, whatever this says.
    pub idle: u8,
    /// Lanes outside the primitive, a bit each: they run for the sake of derivatives and write no
    /// memory.
    pub helpers: u8,
}
