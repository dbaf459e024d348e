//! Multiplication by powers of two, and its opposite, exact except for one rounding.

/// Beyond this no finite float is left, whatever it started from.
const FLOAT_REACH: i32 = 400;
/// The same for doubles.
const DOUBLE_REACH: i32 = 2200;

/// `value` times two to the power of `exponent`: exact in double precision, then rounded once.
pub(super) fn scaled_float(value: f32, exponent: i32) -> f32 {
    let power = power_of_two(exponent.clamp(-FLOAT_REACH, FLOAT_REACH));
    (f64::from(value) * power) as f32
}

/// `value` times two to the power of `exponent`, rounded once.
pub(super) fn scaled_double(value: f64, exponent: i32) -> f64 {
    let mut exponent = exponent.clamp(-DOUBLE_REACH, DOUBLE_REACH);
    let mut value = value;
    while exponent > 1023 {
        value *= power_of_two(1023);
        exponent -= 1023;
    }
    // Steps that leave room for the fraction, so that only the last one can round.
    while exponent < -1022 {
        value *= power_of_two(-1022 + 53);
        exponent += 1022 - 53;
    }
    value * power_of_two(exponent)
}

/// Two to the power of a number that a normal double can hold.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((1023 + exponent) as u64) << 52)
}

/// `m` with 0.5 ≤ |m| < 1 and `e`, so that the value is `m` times two to the power of `e`. Zeros,
/// infinities and NaN come back with exponent 0.
pub(crate) fn fraction_and_exponent(value: f64) -> (f64, i32) {
    if value == 0.0 || !value.is_finite() {
        return (value, 0);
    }
    let (normal, lifted) =
        if value.abs() < f64::MIN_POSITIVE { (value * power_of_two(54), -54) } else { (value, 0) };
    let exponent = (normal.to_bits() >> 52 & 0x7ff) as i32 - 1022;
    let fraction = normal.to_bits() & !(0x7ff << 52) | 1022 << 52;
    (f64::from_bits(fraction), exponent + lifted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scaling_rounds_once() {
        assert_eq!(scaled_double(1.5, 4000), f64::INFINITY);
        assert_eq!(scaled_double(f64::from_bits(1), 2098).to_bits(), (2098 - 1074 + 1023) << 52);
        // Exactly between two denormals: to the even one.
        assert_eq!(scaled_double(f64::from_bits(3), -1).to_bits(), 2);
        assert_eq!(scaled_double(1.25, -1074).to_bits(), 1);
        assert_eq!(scaled_double(1.5, -1074).to_bits(), 2);
        assert_eq!(scaled_float(1.0, -149).to_bits(), 1);
        assert_eq!(scaled_float(3.0, -150).to_bits(), 2);
        assert_eq!(scaled_float(f32::from_bits(1), i32::MAX), f32::INFINITY);
    }

    #[test]
    fn fraction_and_exponent_give_the_value_back() {
        for value in [1.0, -0.75, 3.5e-310, f64::MAX, f64::from_bits(1)] {
            let (fraction, exponent) = fraction_and_exponent(value);
            assert!((0.5..1.0).contains(&fraction.abs()));
            assert_eq!(scaled_double(fraction, exponent), value);
        }
    }
}
