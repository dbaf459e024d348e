//! Interpolation parameters of a primitive.

use crate::lanes::MAX_LANES;

/// One interpolation parameter of the primitive, by channel and lane.
///
/// A lane's value is `p0 + i * p10 + j * p20`. With -0.0 in `p10` and `p20` and nonnegative coordinates, every lane
/// gets exactly its `p0`, whatever its bits are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Value at the first vertex.
    pub p0: [[u32; MAX_LANES]; 4],
    /// Value at the second vertex minus `p0`.
    pub p10: [[u32; MAX_LANES]; 4],
    /// Value at the third vertex minus `p0`.
    pub p20: [[u32; MAX_LANES]; 4],
}

/// Bits of the quiet NaN without sign.
const QUIET: u32 = 0x7fc0_0000;
/// Bits of -0.0, which changes no sum.
const NEUTRAL: u32 = 0x8000_0000;

impl Parameter {
    /// A parameter that is `p0` whatever the coordinates are.
    #[must_use]
    pub fn flat(p0: [[u32; MAX_LANES]; 4]) -> Self {
        let neutral = [[NEUTRAL; MAX_LANES]; 4];
        Self { p0, p10: neutral, p20: neutral }
    }

    /// Bits of the value at coordinates `i` and `j`; `parts` are `p0`, `p10` and `p20`. If a NaN arises that is none of
    /// them, the result is the quiet NaN without sign, on every host.
    #[must_use]
    pub fn at(parts: [f32; 3], [i, j]: [f32; 2]) -> u32 {
        let [p0, p10, p20] = parts;
        let value = p0 + i * p10 + j * p20;
        let is_given = parts.iter().chain(&[i, j]).any(|part| part.is_nan());
        if value.is_nan() && !is_given { QUIET } else { value.to_bits() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newly_created_nan_has_no_sign() {
        let infinite = [f32::INFINITY, f32::NEG_INFINITY, 0.0];
        assert_eq!(Parameter::at(infinite, [1.0, 0.5]), QUIET);
        let given = f32::from_bits(0xffc0_0001);
        assert_eq!(Parameter::at([given, -0.0, -0.0], [0.5, 0.5]), 0xffc0_0001);
    }
}
