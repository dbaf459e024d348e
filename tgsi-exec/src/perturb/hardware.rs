//! The results of the usual hardware recipes for approximated opcodes.
//!
//! Each step of a recipe is rounded correctly, which a real unit need not do. So this is one of many results that
//! hardware may have, and code that follows the recipes has exactly this result in a simulator.

use super::{Error, QUIET_HALF, with_nan_halves};

/// 1/2π and the numbers of the range reduction, in single precision.
const TURNS_PER_RADIAN: f32 = std::f32::consts::FRAC_1_PI / 2.0;

/// The unit of the sine unit's operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Angles {
    /// Radians, from −π to π.
    Radians,
    /// Revolutions, from 0 to 1.
    Revolutions,
}

/// The result of an opcode; `exact` is the result that the language defines.
pub(super) fn result(angles: Angles, (error, operands): (Error, [u32; 4]), exact: u32) -> u32 {
    let [a, b, ..] = operands.map(f32::from_bits);
    let approximated = match error {
        Error::None | Error::Rounding | Error::Blend => return exact,
        Error::Exact | Error::Derivative | Error::Interpolation => return exact,
        // Always the same one: a loop that packs a NaN in each iteration gets the same bits in all of them.
        Error::Halves => return with_nan_halves(exact, |half| half & 1 << 15 | QUIET_HALF),
        Error::Double | Error::DoubleQuotient | Error::Scaling => return exact,
        Error::DoubleMinimum | Error::DoubleMaximum => return exact,
        Error::Relative | Error::Specular | Error::PartialLogarithm => return exact,
        Error::Test | Error::BitTest | Error::Choice | Error::Sign => return exact,
        Error::Minimum if a == b => a,
        Error::Maximum if a == b => a,
        Error::Minimum | Error::Maximum => return exact,
        Error::Reciprocal => through_double(a, |a| 1.0 / a),
        Error::Quotient => a * through_double(b, |b| 1.0 / b),
        Error::SquareRoot => through_double(a, f64::sqrt),
        Error::Root => through_double(a, |a| 1.0 / a.sqrt()),
        Error::Exponential => through_double(a, f64::exp2),
        Error::Logarithm => through_double(a, f64::log2),
        Error::Power => power(a, b),
        Error::Sine => on_circle(angles, a, f64::sin),
        Error::Cosine => on_circle(angles, a, f64::cos),
    };
    approximated.to_bits()
}

fn through_double(a: f32, function: fn(f64) -> f64) -> f32 {
    function(f64::from(a)) as f32
}

/// A zero exponent makes 1, whatever the base is.
fn power(base: f32, exponent: f32) -> f32 {
    let log = through_double(base, f64::log2);
    let product = if exponent == 0.0 || log == 0.0 { 0.0 } else { exponent * log };
    through_double(product, f64::exp2)
}

fn on_circle(angles: Angles, angle: f32, function: fn(f64) -> f64) -> f32 {
    let turns = angle * TURNS_PER_RADIAN;
    let fraction = |number: f32| number - number.floor();
    let radians = match angles {
        Angles::Radians => {
            let shifted = fraction(turns + 0.5);
            f64::from(shifted * std::f32::consts::TAU - std::f32::consts::PI)
        }
        Angles::Revolutions => f64::from(fraction(turns)) * std::f64::consts::TAU,
    };
    function(radians) as f32
}
