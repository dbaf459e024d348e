//! What a primitive gives to interpolation.

use crate::lanes::MAX_LANES;

/// The values behind one parameter of the primitive, by channel and lane.
///
/// A lane's value is `p0 + i * p10 + j * p20`. With -0.0 in `p10` and `p20` and coordinates that
/// are not negative, every lane gets exactly its `p0`, whatever that is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Value at the first vertex.
    pub p0: [[u32; MAX_LANES]; 4],
    /// Value at the second vertex minus `p0`.
    pub p10: [[u32; MAX_LANES]; 4],
    /// Value at the third vertex minus `p0`.
    pub p20: [[u32; MAX_LANES]; 4],
}

/// Bits of -0.0, which changes nothing when it is added.
const NEUTRAL: u32 = 0x8000_0000;

impl Parameter {
    /// A parameter that is `p0` whatever the coordinates are.
    #[must_use]
    pub fn flat(p0: [[u32; MAX_LANES]; 4]) -> Self {
        let neutral = [[NEUTRAL; MAX_LANES]; 4];
        Self { p0, p10: neutral, p20: neutral }
    }
}
