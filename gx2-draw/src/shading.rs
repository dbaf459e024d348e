//! What the rasteriser asks of the two stages around it.

use std::collections::BTreeMap;

use crate::error::DrawError;

/// Parameters of a vertex, by whatever key the stages agree on.
pub type Parameters = BTreeMap<u32, [u32; 4]>;

/// A vertex before its shader.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Vertex {
    /// Its number.
    pub index: u32,
    /// Attributes by location.
    pub attributes: BTreeMap<u32, [u32; 4]>,
}

/// A vertex after its shader.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShadedVertex {
    /// Its position in clip space.
    pub position: [f32; 4],
    /// What is interpolated.
    pub parameters: Parameters,
    /// Its distances from planes beyond which nothing is drawn.
    pub distances: Distances,
}

/// Distances of a vertex, by number; `None` for those that count for nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Distances {
    /// Of a triangle only the part is drawn where none of these is negative.
    pub clip: [Option<f32>; 8],
    /// A triangle is left out where one of these is positive or zero at none of its vertices.
    pub cull: [Option<f32>; 8],
}

/// A pixel of a quad.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lane {
    /// Whether the triangle covers it; others only serve derivatives.
    pub is_covered: bool,
    /// Its column and row.
    pub place: [u32; 2],
    /// Weights of the second and the third vertex, with perspective.
    pub perspective: [f32; 2],
    /// The same without.
    pub linear: [f32; 2],
    /// Depth, 0 to 1.
    pub depth: f32,
    /// The w of clip space.
    pub w: f32,
}

/// Two by two pixels: top left, top right, bottom left, bottom right.
pub type QuadStart = [Lane; 4];

/// Quads of one triangle.
#[derive(Clone, Debug)]
pub struct Batch<'v> {
    /// Its vertices; the first gives what is not interpolated.
    pub vertices: [&'v ShadedVertex; 3],
    /// Whether its front is seen.
    pub is_front: bool,
    /// At most 16 quads.
    pub quads: Vec<QuadStart>,
}

/// What a quad's shader leaves, a pixel each.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ShadedQuad {
    /// Colours; those of pixels without one are `None`.
    pub colors: [Option<[f32; 4]>; 4],
    /// Depths, where the shader gives them.
    pub depth: [Option<f32>; 4],
    /// Whether the shader threw the pixel away.
    pub is_killed: [bool; 4],
    /// Whether infinities or NaN came up on the way, which rearranged code may turn into anything. Programs do not tell.
    pub met_not_finite: [bool; 4],
}

/// The programmable stages.
pub trait Shading {
    /// Runs the vertex shader.
    ///
    /// # Errors
    /// Where it cannot run.
    fn vertices(&mut self, vertices: &[Vertex]) -> Result<Vec<ShadedVertex>, DrawError>;

    /// Runs the pixel shader on the quads of a batch: a result for each.
    ///
    /// # Errors
    /// Where it cannot run.
    fn fragments(&mut self, batch: &Batch<'_>) -> Result<Vec<ShadedQuad>, DrawError>;
}
