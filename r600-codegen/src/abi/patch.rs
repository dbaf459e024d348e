//! The layout of vertices and patches in the local data share, shared by the stages of tessellation.
//!
//! Each vertex and each patch has a vec4 slot for every semantic that an output can have, so stages need not know each
//! other. A driver buffer holds all sizes.

use tgsi_ir::Semantic;

/// The tessellation domain, which determines the number of factors.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TessDomain {
    /// Triangles: three outer factors and one inner.
    #[default]
    Triangles,
    /// Quads: four outer factors and two inner.
    Quads,
    /// Lines: two outer factors.
    Isolines,
}

impl TessDomain {
    /// The channels of the outer and inner levels, in the hardware's order of factors.
    #[must_use]
    pub fn factors(self) -> (&'static [usize], &'static [usize]) {
        match self {
            Self::Triangles => (&[0, 1, 2], &[0]),
            Self::Quads => (&[0, 1, 2, 3], &[0, 1]),
            // The hardware has them in reverse order.
            Self::Isolines => (&[1, 0], &[]),
        }
    }

    /// Bytes of the factors of a patch.
    #[must_use]
    pub fn num_bytes(self) -> u32 {
        let (outer, inner) = self.factors();
        4 * (outer.len() + inner.len()) as u32
    }
}

/// Slots of generics, in order of their indices.
const GENERICS: std::ops::Range<u16> = 4..36;
/// Slots of texture coordinates, in order of their indices.
const TEXCOORDS: std::ops::Range<u16> = 36..44;
/// The first slot of per-patch outputs.
const FIRST_PATCH: u16 = 2;

/// The most slots for per-patch outputs: the local data share holds no more.
const NUM_PATCH_SLOTS: u16 = 32 * 1024 / 16;

/// The most slots of a vertex.
pub const NUM_VERTEX_SLOTS: u16 = 54;

/// The slot of a per-vertex semantic; `None` if it has none.
#[must_use]
pub fn vertex_slot((semantic, index): (Semantic, u16)) -> Option<u16> {
    let slots = match semantic {
        Semantic::Position => 0..1,
        Semantic::Psize => 1..2,
        Semantic::Clipdist => 2..4,
        Semantic::Generic => GENERICS,
        Semantic::Texcoord => TEXCOORDS,
        Semantic::Color => 44..46,
        Semantic::Bcolor => 46..48,
        Semantic::Fog => 48..49,
        Semantic::Clipvertex => 49..50,
        Semantic::Edgeflag => 50..51,
        Semantic::Layer => 51..52,
        Semantic::ViewportIndex => 52..53,
        Semantic::Primid => 53..NUM_VERTEX_SLOTS,
        _ => return None,
    };
    slots.start.checked_add(index).filter(|slot| slots.contains(slot))
}

/// The slot of a per-patch semantic; `None` for per-vertex semantics and for slots beyond the local data share.
#[must_use]
pub fn patch_slot((semantic, index): (Semantic, u16)) -> Option<u16> {
    Some(match semantic {
        Semantic::Tessouter => 0,
        Semantic::Tessinner => 1,
        Semantic::Patch => FIRST_PATCH.checked_add(index).filter(|slot| *slot < NUM_PATCH_SLOTS)?,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_those_of_the_open_driver() {
        assert_eq!(vertex_slot((Semantic::Generic, 3)), Some(7));
        assert_eq!(vertex_slot((Semantic::Clipdist, 1)), Some(3));
        assert_eq!(vertex_slot((Semantic::Clipdist, 2)), None);
        assert_eq!(patch_slot((Semantic::Patch, 1)), Some(3));
        assert_eq!(patch_slot((Semantic::Generic, 1)), None);
        assert_eq!(patch_slot((Semantic::Patch, 2045)), Some(2047));
        assert_eq!(patch_slot((Semantic::Patch, 2046)), None);
    }

    #[test]
    fn no_slot_is_given_twice() {
        let names = (0..=255).map(Semantic::from_number);
        let all = names.flat_map(|name| (0..300).map(move |index| (name, index)));
        let slots: Vec<u16> = all.filter_map(vertex_slot).collect();
        let distinct: std::collections::BTreeSet<u16> = slots.iter().copied().collect();
        assert_eq!((slots.len(), distinct.len()), (54, 54));
        assert_eq!(distinct.last(), Some(&(NUM_VERTEX_SLOTS - 1)));
    }

    #[test]
    fn the_domain_determines_the_number_of_factors() {
        let sizes = [TessDomain::Triangles, TessDomain::Quads, TessDomain::Isolines]
            .map(TessDomain::num_bytes);
        assert_eq!(sizes, [16, 24, 8]);
    }
}
