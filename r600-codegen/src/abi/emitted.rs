//! What a geometry shader leaves in the ring behind it.

use r600_isa::{Chip, Generation};
use tgsi_ir::{PropertyName, Shader};

use super::SLOT_DWORDS;

/// Vertex streams of Evergreen and Cayman; the others have one.
pub(crate) const NUM_STREAMS: usize = 4;

/// Dwords that the ring holds of a primitive at most: `SQ_GSVS_RING_ITEMSIZE` has 15 bits.
const MAX_ITEM: u32 = 0x7FFF;

/// What the ring after a geometry shader holds of each primitive: the vertices of each stream, one stream after the
/// other. Every stream that has vertices has all outputs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EmittedLayout {
    /// Dwords of a vertex.
    vertex: u32,
    max_vertices: u32,
    /// Streams with vertices, a bit each.
    streams: u8,
}

impl EmittedLayout {
    /// The layout of `geometry`, which has so many outputs and emits to `streams`; the first stream always has room.
    pub(crate) fn of(geometry: &Shader, num_outputs: usize, streams: u8) -> Self {
        let max_vertices = geometry.property(PropertyName::GsMaxOutputVertices).unwrap_or(0);
        let vertex = num_outputs as u32 * u32::from(SLOT_DWORDS);
        Self { vertex, max_vertices, streams: streams | 1 }
    }

    /// Dwords of a vertex of a stream.
    pub(crate) fn vertex_dwords(self, stream: usize) -> u32 {
        if self.streams >> stream & 1 == 1 { self.vertex } else { 0 }
    }

    /// Where a stream begins, in dwords.
    pub(crate) fn offset(self, stream: usize) -> u32 {
        let before = (0..stream).map(|earlier| self.vertex_dwords(earlier));
        before.fold(0, u32::saturating_add).saturating_mul(self.max_vertices)
    }

    /// Dwords of a primitive, rounded up as some of the first chips want it.
    pub(crate) fn num_dwords(self, chip: Chip) -> u32 {
        let used = self.offset(NUM_STREAMS);
        used.checked_next_multiple_of(alignment(chip)).unwrap_or(used)
    }

    /// Whether the ring takes as much.
    pub(crate) fn fits(self, chip: Chip) -> bool {
        self.num_dwords(chip) <= MAX_ITEM
    }
}

/// Dwords to which some of the first chips round the size of what a primitive puts into the ring.
fn alignment(chip: Chip) -> u32 {
    match chip {
        Chip::Rv610 => 32,
        _ if chip.generation() != Generation::R600 => 1,
        Chip::Rs780 | Chip::Rs880 => 1,
        _ => 16,
    }
}
