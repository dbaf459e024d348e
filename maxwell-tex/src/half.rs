//! 16-bit floats.

/// How a float is rounded to 16 bits.
///
/// On hardware this is state of both the shader processor and the texture unit, which must agree.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rounding {
    /// To the nearest, ties to even; values that are too large become infinity.
    #[default]
    Nearest,
    /// Towards 0; values that are too large become the largest number.
    TowardZero,
}

/// Bits of the fraction that 16 bits do not hold.
const LOST_BITS: u32 = 13;
/// Difference of the exponents' biases.
const BIAS: u32 = 127 - 15;
const INFINITY: u16 = 0x7c00;
const LARGEST: u16 = 0x7bff;
const QUIET: u16 = 0x0200;

/// The 16 bits of the float whose 32 bits are `bits`. A NaN stays a NaN, and becomes quiet.
pub(crate) fn half_bits(bits: u32, rounding: Rounding) -> u16 {
    let sign = (bits >> 16) as u16 & 0x8000;
    let (exponent, fraction) = (bits >> 23 & 0xff, bits & 0x7f_ffff);
    if exponent == 0xff {
        let payload = if fraction == 0 { 0 } else { QUIET | (fraction >> LOST_BITS) as u16 };
        return sign | INFINITY | payload;
    }
    // The number in units of the half's last place. `lost` of its bits are after the binary point.
    let (units, lost) = if exponent > BIAS {
        ((exponent - BIAS) << 23 | fraction, LOST_BITS)
    } else {
        // Too small for a normal number: the implicit leading one becomes explicit, and all is shifted down further. A
        // shift by 31 leaves nothing, so it suffices for smaller numbers.
        (0x80_0000 | fraction, (LOST_BITS + 1 + BIAS - exponent).min(31))
    };
    let kept = units >> lost;
    let rest = units & ((1 << lost) - 1);
    let tie = 1 << (lost - 1);
    let is_up = rounding == Rounding::Nearest && (rest > tie || rest == tie && kept & 1 != 0);
    let rounded = kept + u32::from(is_up);
    let most = if rounding == Rounding::Nearest { INFINITY } else { LARGEST };
    sign | (rounded.min(most.into())) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of 16 bits, by definition.
    fn value(bits: u16) -> f64 {
        let (exponent, fraction) = (i32::from(bits >> 10 & 31), f64::from(bits & 0x3ff));
        let magnitude = match exponent {
            0 => fraction * 2f64.powi(-24),
            31 if fraction == 0.0 => f64::INFINITY,
            31 => f64::NAN,
            _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
        };
        if bits & 0x8000 == 0 { magnitude } else { -magnitude }
    }

    #[test]
    fn every_half_survives() {
        for bits in 0..=u16::MAX {
            let wide = value(bits) as f32;
            for rounding in [Rounding::Nearest, Rounding::TowardZero] {
                let back = half_bits(wide.to_bits(), rounding);
                if wide.is_nan() {
                    assert!(value(back).is_nan());
                } else {
                    assert_eq!(back, bits, "{wide}");
                }
            }
        }
    }

    /// Tests each half, the midpoint between it and the next one, and numbers on either side of the midpoint.
    #[test]
    fn what_lies_between_is_rounded() {
        for bits in 0..LARGEST {
            let (low, high) = (value(bits), value(bits + 1));
            let middle = (low + high) / 2.0;
            let even = bits + (bits & 1);
            let nearest = |x: f64| half_bits((x as f32).to_bits(), Rounding::Nearest);
            assert_eq!(nearest(middle), even);
            assert_eq!(nearest((low + middle) / 2.0), bits);
            assert_eq!(nearest((middle + high) / 2.0), bits + 1);
            let down = half_bits(((middle + high) as f32 / 2.0).to_bits(), Rounding::TowardZero);
            assert_eq!(down, bits);
        }
    }

    #[test]
    fn the_ends_of_the_range() {
        let both = |x: f32| {
            [Rounding::Nearest, Rounding::TowardZero].map(|mode| half_bits(x.to_bits(), mode))
        };
        assert_eq!(both(65519.0), [LARGEST, LARGEST]);
        assert_eq!(both(65520.0), [INFINITY, LARGEST]);
        assert_eq!(both(f32::MAX), [INFINITY, LARGEST]);
        assert_eq!(both(f32::NEG_INFINITY), [0xfc00, 0xfc00]);
        assert_eq!(both(-1e-30), [0x8000, 0x8000]);
        assert_eq!(both(f32::from_bits(1)), [0, 0]);
    }
}
