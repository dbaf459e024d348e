//! The layout of the vertices that a geometry shader writes to the ring after it.

use r600_isa::{Chip, Generation};
use tgsi_ir::{PropertyName, Shader};

use super::SLOT_DWORDS;

/// Number of vertex streams of Evergreen and Cayman; other chips have one.
pub(crate) const NUM_STREAMS: usize = 4;

/// The most dwords of ring space that a primitive can take: `SQ_GSVS_RING_ITEMSIZE` has 15 bits.
const MAX_ITEM: u32 = 0x7FFF;

/// The part of a primitive in the ring after a geometry shader: the vertices of each stream, stream by stream. Every
/// stream with vertices holds all outputs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EmittedLayout {
    /// Dwords per vertex.
    vertex: u32,
    max_vertices: u32,
    /// Streams with vertices, one bit each.
    streams: u8,
}

impl EmittedLayout {
    /// The layout for `geometry` with `num_outputs` outputs, emitting to `streams`; the first stream always has room.
    pub(crate) fn of(geometry: &Shader, num_outputs: usize, streams: u8) -> Self {
        let max_vertices = geometry.property(PropertyName::GsMaxOutputVertices).unwrap_or(0);
        let vertex = num_outputs as u32 * u32::from(SLOT_DWORDS);
        Self { vertex, max_vertices, streams: streams | 1 }
    }

    /// Dwords per vertex of a stream.
    pub(crate) fn vertex_dwords(self, stream: usize) -> u32 {
        if self.streams >> stream & 1 == 1 { self.vertex } else { 0 }
    }

    /// The offset of a stream, in dwords.
    pub(crate) fn offset(self, stream: usize) -> u32 {
        let before = (0..stream).map(|earlier| self.vertex_dwords(earlier));
        before.fold(0, u32::saturating_add).saturating_mul(self.max_vertices)
    }

    /// Dwords per primitive, rounded up as some of the first chips require.
    pub(crate) fn num_dwords(self, chip: Chip) -> u32 {
        let used = self.offset(NUM_STREAMS);
        used.checked_next_multiple_of(alignment(chip)).unwrap_or(used)
    }

    /// Whether a primitive fits into the ring.
    pub(crate) fn fits(self, chip: Chip) -> bool {
        self.num_dwords(chip) <= MAX_ITEM
    }
}

/// The multiple of dwords to which some of the first chips round the ring space of a primitive.
fn alignment(chip: Chip) -> u32 {
    match chip {
        Chip::Rv610 => 32,
        _ if chip.generation() != Generation::R600 => 1,
        Chip::Rs780 | Chip::Rs880 => 1,
        _ => 16,
    }
}
