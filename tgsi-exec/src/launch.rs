//! The inputs of a quad.

mod work_group;

use crate::resources::Quad;

pub use work_group::WorkGroup;

/// The inputs of a quad; missing registers are zero.
#[derive(Clone, Debug, Default)]
pub struct Inputs {
    /// `IN[n]`: values after interpolation.
    pub registers: Vec<Quad>,
    /// `SV[n]`.
    pub system_values: Vec<Quad>,
    /// `IN[vertex][n]`: the vertices of a primitive or patch, which all invocations share.
    pub vertices: Vec<Vec<[u32; 4]>>,
    /// Lanes that do not run, one bit each. Geometry shaders always run in lane 0 only.
    pub idle: u8,
    /// Lanes outside the primitive, one bit each. They run for derivatives only and write no memory.
    pub helpers: u8,
}
