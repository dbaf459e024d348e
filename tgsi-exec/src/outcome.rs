//! The results of a quad.

use crate::machine::{Patch, State};
use crate::program::Program;
use crate::resources::Quad;
use crate::watch::Watch;

/// The outputs of one vertex: `OUT[n]`.
pub type Vertex = Vec<[u32; 4]>;

/// The vertices of one primitive.
pub type Primitive = Vec<Vertex>;

/// The results of a quad.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// `OUT[n]`. Outputs of a patch are the same in every lane.
    pub outputs: Vec<Quad>,
    /// Lanes that were killed or demoted, one bit each.
    pub killed: u8,
    /// Lanes with a float result that was infinite or NaN, or with a comparison with a NaN, and lanes that read those
    /// lanes through derivatives or across the subgroup. One bit each.
    pub not_finite: u8,
    /// The primitives that a geometry shader has emitted, for each of four streams.
    pub streams: Vec<Vec<Primitive>>,
    /// `OUT[vertex][n]` of a tessellation control shader.
    pub vertices: Vec<Vertex>,
}

impl Outcome {
    pub(crate) fn new(program: &Program, state: &mut State, patch: &Patch, watch: &Watch) -> Self {
        let outputs = match program.shares_outputs() {
            true => patch.patch_outputs.iter().map(|&vector| [vector; 4]).collect(),
            false => (0..).map_while(|n| state.output(program, n)).collect(),
        };
        let is_geometry = program.processor == tgsi_ir::Processor::Geometry;
        let streams = std::mem::take(&mut state.emitted.streams);
        Self {
            outputs,
            killed: state.killed,
            not_finite: watch.not_finite,
            streams: if is_geometry { streams.into() } else { Vec::new() },
            vertices: patch.outputs.clone(),
        }
    }
}
