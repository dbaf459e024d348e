//! Where the stages of tessellation find each other's vertices in the local data share.
//!
//! Each vertex, and each patch, has a slot of a vec4 for whatever an output can mean, so that stages need not know
//! each other; the sizes of all of it stand in a buffer of the driver's.

use tgsi_ir::Semantic;

/// What a patch is cut into, which decides how many factors it has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TessDomain {
    /// Triangles: three factors outside and one inside.
    #[default]
    Triangles,
    /// Quads: four factors outside and two inside.
    Quads,
    /// Lines: two factors outside.
    Isolines,
}

impl TessDomain {
    /// The channels of the outer and inner levels in the order in which the hardware takes factors.
    #[must_use]
    pub fn factors(self) -> (&'static [usize], &'static [usize]) {
        match self {
            Self::Triangles => (&[0, 1, 2], &[0]),
            Self::Quads => (&[0, 1, 2, 3], &[0, 1]),
            // The hardware counts the other way round.
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

/// Slots of texture coordinates and generics begin here.
const FIRST_GENERIC: u16 = 4;
/// Slots of a patch's own outputs begin here.
const FIRST_PATCH: u16 = 2;

/// The slot of what a vertex has; `None` where there is none.
#[must_use]
pub fn vertex_slot((semantic, index): (Semantic, u16)) -> Option<u16> {
    Some(match semantic {
        Semantic::Position => 0,
        Semantic::Psize => 1,
        Semantic::Clipdist if index < 2 => 2 + index,
        Semantic::Texcoord | Semantic::Generic => FIRST_GENERIC + index,
        _ => return None,
    })
}

/// The slot of what a patch has; `None` for what its vertices have.
#[must_use]
pub fn patch_slot((semantic, index): (Semantic, u16)) -> Option<u16> {
    Some(match semantic {
        Semantic::Tessouter => 0,
        Semantic::Tessinner => 1,
        Semantic::Patch => FIRST_PATCH + index,
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
        assert_eq!(vertex_slot((Semantic::Color, 0)), None);
        assert_eq!(patch_slot((Semantic::Patch, 1)), Some(3));
        assert_eq!(patch_slot((Semantic::Generic, 1)), None);
    }

    #[test]
    fn factors_are_as_many_as_the_domain_wants() {
        let sizes = [TessDomain::Triangles, TessDomain::Quads, TessDomain::Isolines]
            .map(TessDomain::num_bytes);
        assert_eq!(sizes, [16, 24, 8]);
    }
}
