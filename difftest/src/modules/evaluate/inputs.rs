//! What lanes start with.

use super::super::stage::VERTICES;
use super::{Value, parts};

/// What a lane starts with.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// At location 0.
    pub ints: [u32; 3],
    /// At location 1.
    pub floats: [f32; 4],
    /// At location 2, or a built-in: which one it is.
    pub lane: u32,
    /// Vertices of a patch, which all lanes read.
    pub patch: [Vertex; VERTICES],
    /// The uniform block, in bytes.
    pub uniforms: Vec<u8>,
    /// The buffer, of which each lane has a part.
    pub storage: Vec<u8>,
}

impl Inputs {
    /// What a fragment shader reads.
    pub(super) fn at(&self, location: u32) -> Option<Value> {
        Some(match location {
            0 => parts(&self.ints),
            1 => parts(&self.floats.map(f32::to_bits)),
            2 => Value::Bits(self.lane),
            _ => return None,
        })
    }

    /// What a shader of patches reads: a part for each vertex.
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
