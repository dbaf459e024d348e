//! The inputs of a lane.

use super::super::stage::VERTICES;
use super::{Value, parts};

/// The inputs of a lane.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// At location 0.
    pub ints: [u32; 3],
    /// At location 1.
    pub floats: [f32; 4],
    /// The number of the lane, at location 2 or in a built-in.
    pub lane: u32,
    /// The vertices of the patch, the same for all lanes.
    pub patch: [Vertex; VERTICES],
    /// The uniform block, in bytes.
    pub uniforms: Vec<u8>,
    /// The buffer. Each lane has its own part.
    pub storage: Vec<u8>,
}

impl Inputs {
    /// The inputs of a fragment shader.
    pub(super) fn at(&self, location: u32) -> Option<Value> {
        Some(match location {
            0 => parts(&self.ints),
            1 => parts(&self.floats.map(f32::to_bits)),
            2 => Value::Bits(self.lane),
            _ => return None,
        })
    }

    /// The inputs of a tessellation shader: an element for each vertex.
    pub(super) fn of_patch(&self, location: u32) -> Option<Value> {
        let of = |vertex: &Vertex| match location {
            0 => Some(parts(&vertex.ints)),
            1 => Some(parts(&vertex.floats.map(f32::to_bits))),
            2 => {
                let rows = vertex.vectors.iter().map(|row| parts(&row.map(f32::to_bits)));
                Some(Value::Parts(rows.collect()))
            }
            _ => None,
        };
        self.patch.iter().map(of).collect::<Option<Vec<Value>>>().map(Value::Parts)
    }
}

/// A vertex of a patch.
#[derive(Clone, Debug, Default)]
pub struct Vertex {
    /// At location 0.
    pub ints: [u32; 3],
    /// At location 1.
    pub floats: [f32; 4],
    /// From location 2 on.
    pub vectors: [[f32; 4]; 4],
}
