//! Conversions between half- and single-precision bits, without host support.

/// Number of fraction bits of a single that a half drops.
const DROPPED_BITS: u32 = 13;
/// Exponent of the smallest normal half, as a biased single exponent.
const SMALLEST_NORMAL: u32 = 113;
/// The lowest biased single exponent that overflows a half.
const OVERFLOW: u32 = 143;
const SINGLE_INFINITY: u32 = 0x7f80_0000;
const HALF_INFINITY: u32 = 0x7c00;

/// Rounds a single to the nearest half, ties to even.
pub(crate) fn from_single(bits: u32) -> u32 {
    let sign = (bits >> 16) & 0x8000;
    let magnitude = bits & 0x7fff_ffff;
    sign | match magnitude {
        m if m > SINGLE_INFINITY => HALF_INFINITY | 0x200,
        m if m >= OVERFLOW << 23 => HALF_INFINITY,
        m if m >= SMALLEST_NORMAL << 23 => {
            round_shift(m - ((SMALLEST_NORMAL - 1) << 23), DROPPED_BITS)
        }
        m => small_from_single(m),
    }
}

/// A result below the normal halves: the fraction is shifted to the fixed exponent.
fn small_from_single(magnitude: u32) -> u32 {
    let exponent = magnitude >> 23;
    let shift = DROPPED_BITS + SMALLEST_NORMAL - exponent;
    if exponent == 0 || shift > 25 {
        return 0;
    }
    round_shift((magnitude & 0x007f_ffff) | 0x0080_0000, shift)
}

/// `value >> shift`, rounded to nearest even.
fn round_shift(value: u32, shift: u32) -> u32 {
    let kept = value >> shift;
    let rest = value & ((1 << shift) - 1);
    let half = 1 << (shift - 1);
    kept + u32::from(rest > half || (rest == half && kept & 1 == 1))
}

/// Widens the half in the low 16 bits; exact.
pub(crate) fn to_single(bits: u32) -> u32 {
    let sign = (bits & 0x8000) << 16;
    let magnitude = bits & 0x7fff;
    sign | match magnitude {
        0x7c00.. => SINGLE_INFINITY | ((magnitude & 0x3ff) << DROPPED_BITS),
        0x400.. => (magnitude << DROPPED_BITS) + ((SMALLEST_NORMAL - 1) << 23),
        _ => (magnitude as f32 * f32::from_bits(0x3380_0000)).to_bits(),
    }
}

#[cfg(test)]
mod tests {
    use super::{from_single, to_single};

    #[test]
    fn every_half_survives_the_round_trip() {
        for half in 0..=0xffff_u32 {
            let wide = to_single(half);
            let is_nan = f32::from_bits(wide).is_nan();
            assert!(is_nan || from_single(wide) == half, "half {half:#06x} became {wide:#010x}");
        }
    }

    #[test]
    fn rounding_goes_to_even_and_overflow_to_infinity() {
        for (single, half) in [
            (1.0_f32, 0x3c00),
            (1.0 + 1.0 / 2048.0, 0x3c00),
            (1.0 + 3.0 / 2048.0, 0x3c02),
            (65504.0, 0x7bff),
            (65519.0, 0x7bff),
            (65520.0, 0x7c00),
            (2.0_f32.powi(-24), 0x0001),
            (2.0_f32.powi(-25), 0x0000),
            (-0.0, 0x8000),
            (f32::NEG_INFINITY, 0xfc00),
        ] {
            assert_eq!(from_single(single.to_bits()), half, "{single}");
        }
    }
}
