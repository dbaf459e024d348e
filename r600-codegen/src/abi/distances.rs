//! Clip and cull distances: their source, and which of them are exported.

use tgsi_ir::{PropertyName, Semantic, Shader};

use super::{OutputSlot, ShaderKey};

/// The source of distances.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DistanceSource {
    /// The shader computes them: `CLIPDIST`.
    Own,
    /// The user clip planes and `CLIPVERTEX`.
    ClipVertex,
    /// The user clip planes and `POSITION`.
    Position,
}

/// The distances that the last stage before the rasteriser exports.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Distances {
    pub(crate) source: DistanceSource,
    /// Those that clip, one bit each.
    pub(crate) clips: u8,
    /// Those that cull, one bit each.
    pub(crate) culls: u8,
}

impl Distances {
    /// The distances of a shader with these outputs.
    pub(crate) fn of(shader: &Shader, key: &ShaderKey, outputs: &[OutputSlot]) -> Self {
        let writes =
            |name: Semantic| outputs.iter().any(|slot| slot.is_drawn && slot.semantic.0 == name);
        // The user clip planes, if the shader permits them.
        let is_open = shader.property(PropertyName::VsProhibitUcps).unwrap_or(0) == 0;
        let clips = if is_open { key.clip_planes } else { 0 };
        let planes = |source| Self { source, clips, culls: 0 };
        if writes(Semantic::Clipvertex) {
            return planes(DistanceSource::ClipVertex);
        }
        if writes(Semantic::Clipdist) {
            return Self::own(shader, outputs);
        }
        if key.clip_position && writes(Semantic::Position) {
            return planes(DistanceSource::Position);
        }
        Self { source: DistanceSource::Own, clips: 0, culls: 0 }
    }

    /// Distances that are written and that a property requests: first those that clip, then those that cull. Without
    /// any such property all of them clip.
    fn own(shader: &Shader, outputs: &[OutputSlot]) -> Self {
        let of_half = |half: u16| {
            let own = (Semantic::Clipdist, half);
            let is_written = outputs.iter().any(|slot| slot.is_drawn && slot.semantic == own);
            if is_written { 0xF << (4 * half) } else { 0_u8 }
        };
        let written = of_half(0) | of_half(1);
        let count = |name: PropertyName| shader.property(name);
        let (clips, culls) = match (
            count(PropertyName::NumClipdistEnabled),
            count(PropertyName::NumCulldistEnabled),
        ) {
            (None, None) => (8, 0),
            (clips, culls) => (clips.unwrap_or(0), culls.unwrap_or(0)),
        };
        let low_bits = |count: u32| ((1_u32 << count.min(8)) - 1) as u8;
        let clip_mask = low_bits(clips);
        let cull_mask = low_bits(clips.saturating_add(culls)) & !clip_mask;
        Self { source: DistanceSource::Own, clips: written & clip_mask, culls: written & cull_mask }
    }

    /// Whether distances 0 to 3, or 4 to 7, are exported.
    pub(crate) fn has_half(self, half: u8) -> bool {
        (self.clips | self.culls) >> (4 * half) & 0xF != 0
    }
}
