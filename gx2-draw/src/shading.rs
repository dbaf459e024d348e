//! The interface between the rasteriser and the stages around it.

use std::collections::BTreeMap;

use crate::error::DrawError;

/// Parameters of a vertex, by a key on which the stages agree.
pub type Parameters = BTreeMap<u32, [u32; 4]>;

/// A vertex before vertex shading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vertex {
    /// Its number.
    pub index: u32,
    /// Attributes by location.
    pub attributes: BTreeMap<u32, [u32; 4]>,
}

/// A vertex after vertex shading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShadedVertex {
    /// Its position in clip space.
    pub position: [f32; 4],
    /// The parameters to interpolate.
    pub parameters: Parameters,
    /// Its clip and cull distances.
    pub distances: Distances,
}

/// Distances of a vertex, by number; `None` for those that are unused.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Distances {
    /// Only the part of a triangle where none of these is negative is drawn.
    pub clip: [Option<f32>; 8],
    /// A triangle is discarded if one of these is not ≥ 0 at any of its vertices.
    pub cull: [Option<f32>; 8],
}

/// A pixel of a quad.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lane {
    /// Whether the triangle covers it; otherwise it only serves derivatives.
    pub is_covered: bool,
    /// Its column and row.
    pub place: [u32; 2],
    /// Barycentric weights of the second and third vertex, perspective-correct.
    pub perspective: [f32; 2],
    /// The same weights, linear in the window.
    pub linear: [f32; 2],
    /// Depth, 0 to 1.
    pub depth: f32,
    /// The clip-space w.
    pub w: f32,
}

/// Two by two pixels: top left, top right, bottom left, bottom right.
pub type QuadStart = [Lane; 4];

/// Quads of one triangle.
#[derive(Clone, Debug)]
pub struct Batch<'v> {
    /// Its vertices; the first is the provoking one.
    pub vertices: [&'v ShadedVertex; 3],
    /// Whether it is front-facing.
    pub is_front: bool,
    /// At most 16 quads.
    pub quads: Vec<QuadStart>,
}

/// The results of a quad's shader, per pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShadedQuad {
    /// Colours; `None` for pixels without one.
    pub colors: [Option<[f32; 4]>; 4],
    /// Depths, if the shader writes them.
    pub depth: [Option<f32>; 4],
    /// Whether the shader killed the pixel.
    pub is_killed: [bool; 4],
    /// Whether an infinity or NaN occurred, which rearranged code may turn into anything. Compiled programs do not
    /// report it.
    pub met_not_finite: [bool; 4],
}

/// The programmable stages.
pub trait Shading {
    /// Runs the vertex shader.
    ///
    /// # Errors
    /// If the shader cannot run.
    fn vertices(&mut self, vertices: &[Vertex]) -> Result<Vec<ShadedVertex>, DrawError>;

    /// Runs the pixel shader on the quads of a batch, with one result per quad.
    ///
    /// # Errors
    /// If the shader cannot run.
    fn fragments(&mut self, batch: &Batch<'_>) -> Result<Vec<ShadedQuad>, DrawError>;
}
