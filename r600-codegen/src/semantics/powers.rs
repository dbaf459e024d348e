//! Powers of two and logarithms, the same on every host.
//!
//! The functions of a host are only as good as its library. These use only the four operations that the standard
//! defines, in double precision, so their error is far below the rounding error of single precision.

use std::f64::consts::LN_2;

/// Number of terms of a series. More terms change no sum.
const TERMS: u32 = 20;

/// 2 to the power of `a`.
pub(crate) fn exp2(a: u32) -> u32 {
    let x = f64::from(f32::from_bits(a));
    if x.is_nan() {
        return a;
    }
    // Beyond this range every result is infinite or 0.
    let x = x.clamp(-200.0, 200.0);
    let whole = x.round();
    let power = exponential((x - whole) * LN_2) * power_of_two(whole as i64);
    (power as f32).to_bits()
}

/// The logarithm of `a` to the base 2.
pub(crate) fn log2(a: u32) -> u32 {
    let x = f64::from(f32::from_bits(a));
    if x.is_nan() || x < 0.0 {
        return f32::NAN.to_bits();
    }
    if x == 0.0 {
        return f32::NEG_INFINITY.to_bits();
    }
    if x.is_infinite() {
        return a;
    }
    let (fraction, exponent) = split(x);
    ((logarithm(fraction) / LN_2 + exponent as f64) as f32).to_bits()
}

/// `x` as a factor between √½ and √2, and an exponent of two.
fn split(x: f64) -> (f64, i64) {
    const BIAS: i64 = 1023;
    let exponent = (x.to_bits() >> 52).cast_signed() - BIAS;
    let fraction = x / power_of_two(exponent);
    if fraction > std::f64::consts::SQRT_2 {
        (fraction / 2.0, exponent + 1)
    } else {
        (fraction, exponent)
    }
}

/// 2 to a power in the range of normal doubles.
fn power_of_two(exponent: i64) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// e to the power of a small `x`: the sum of xⁿ/n!.
fn exponential(x: f64) -> f64 {
    (1..=TERMS).rev().fold(1.0, |sum, n| 1.0 + sum * x / f64::from(n))
}

/// The natural logarithm of `x` near 1: twice the sum of yⁿ/n over odd n, with y = (x − 1)/(x + 1).
fn logarithm(x: f64) -> f64 {
    let y = (x - 1.0) / (x + 1.0);
    let sum = (0..TERMS).rev().fold(0.0, |sum, n| sum * y * y + 1.0 / f64::from(2 * n + 1));
    2.0 * y * sum
}

#[cfg(test)]
mod tests {
    use super::*;

    fn power(x: f32) -> f32 {
        f32::from_bits(exp2(x.to_bits()))
    }

    fn log(x: f32) -> f32 {
        f32::from_bits(log2(x.to_bits()))
    }

    #[test]
    fn whole_powers_are_exact_down_to_denormals() {
        for exponent in -149_i16..128 {
            let bits = if exponent < -126 {
                1 << (exponent + 149)
            } else {
                u32::from((exponent + 127).cast_unsigned()) << 23
            };
            let want = f32::from_bits(bits);
            assert_eq!(power(f32::from(exponent)).to_bits(), want.to_bits(), "{exponent}");
            assert_eq!(log(want).to_bits(), f32::from(exponent).to_bits(), "{want}");
        }
    }

    #[test]
    fn ends_of_the_range_are_the_limits() {
        assert_eq!([power(128.0), power(f32::INFINITY)], [f32::INFINITY; 2]);
        assert_eq!([power(-150.0), power(f32::NEG_INFINITY)], [0.0; 2]);
        assert_eq!([log(0.0), log(-0.0)], [f32::NEG_INFINITY; 2]);
        assert_eq!(log(f32::INFINITY), f32::INFINITY);
        assert!([log(-1.0), log(f32::NAN), power(f32::NAN)].into_iter().all(f32::is_nan));
    }

    #[test]
    fn values_are_rounded_right() {
        assert_eq!(power(0.5).to_bits(), std::f32::consts::SQRT_2.to_bits());
        assert_eq!(log(10.0).to_bits(), std::f32::consts::LOG2_10.to_bits());
        assert_eq!(log(std::f32::consts::E).to_bits(), std::f32::consts::LOG2_E.to_bits());
        let mut x = 1e-30_f32;
        while x < 1e30 {
            assert!((power(log(x)) / x - 1.0).abs() < 1e-5, "{x}");
            x *= 1.7;
        }
    }
}
