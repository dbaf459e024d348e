//! Deliberate errors that hardware is allowed to make.
//!
//! Several runs of a shader, with random errors as large as each opcode allows, show how far its results may lie from
//! the interpreter's. That is the tolerance for comparisons. It comes from the opcodes rather than from what makes a
//! test pass.

mod error;
mod hardware;
#[cfg(test)]
mod tests;

use crate::lanes::{LANES, Vector};

pub(crate) use error::Error;
pub use hardware::Angles;

/// Relative error of one operation in single precision, rounded up.
const UNIT: f32 = 1.2e-7;
/// The sign of a float.
const SIGN: u32 = 1 << 31;
/// The NaN that an invalid operation produces, apart from its sign.
const QUIET_NAN: u32 = 0x7FC0_0000;
/// The NaN with all bits set, apart from its sign. Some hardware produces it, and some shaders contain it.
const FULL_NAN: u32 = 0x7FFF_FFFF;
/// The NaNs that an invalid operation on half floats and doubles produces.
const QUIET_HALF: u32 = 0x7E00;
const QUIET_DOUBLE: u64 = 0x7FF8_0000_0000_0000;
/// Relative error of an approximated operation.
const APPROXIMATION: f32 = 4.0 * UNIT;

/// Which operations have errors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Errors {
    /// Operations that hardware approximates.
    Approximations,
    /// In addition, every float operation is rounded differently. Zeros keep their signs and comparisons with NaN their
    /// results. A compiler may do this even to values that decide whether a loop ends.
    Rounding,
    /// Every float operation, as if a compiler had rearranged it.
    Everything,
}

/// A deterministic source of errors.
#[derive(Clone, Debug)]
pub struct Perturbation {
    state: u64,
    model: Model,
    /// The choice made each time that several results are allowed, if this source is steady.
    habit: Option<u64>,
}

/// Where errors come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Model {
    Random(Errors),
    /// The errors of the usual recipes of graphics hardware.
    Hardware(Angles),
}

impl Perturbation {
    /// Errors of one kind from a seed.
    #[must_use]
    pub fn new(seed: u64, errors: Errors) -> Self {
        Self { state: seed, model: Model::Random(errors), habit: None }
    }

    /// As [`new`](Self::new), but a choice among several allowed results, such as kinds of NaN, is the same each time,
    /// as on hardware. A loop that ends only once some result differs may then never end.
    #[must_use]
    pub fn steady(seed: u64, errors: Errors) -> Self {
        let mut new = Self::new(seed, errors);
        new.habit = Some(Self::new(!seed, errors).bits());
        new
    }

    /// The errors of hardware that approximates nothing but follows the usual recipes: a power by way of a logarithm, a
    /// sine of an angle that is reduced to one turn. Operations that hardware computes exactly stay exact.
    #[must_use]
    pub fn like_hardware(angles: Angles) -> Self {
        Self { state: 0, model: Model::Hardware(angles), habit: None }
    }

    /// Another source of the same kind with its own errors. Either all sources forked from one fill registers with
    /// garbage, or none does.
    pub(crate) fn fork(&mut self) -> Self {
        let parity = self.state % 2;
        let state = self.bits() << 1 | parity;
        self.state = self.state & !1 | parity;
        Self { state, ..*self }
    }

    fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb)
    }

    /// A number in −1…1.
    fn next(&mut self) -> f32 {
        ((self.bits() >> 40) as f32 / (1_u64 << 23) as f32) - 1.0
    }

    fn any_of<T: Copy, const N: usize>(&mut self, values: [T; N]) -> T {
        values[self.choice() as usize % N]
    }

    /// Picks among allowed results.
    fn choice(&mut self) -> u64 {
        self.habit.unwrap_or_else(|| self.bits())
    }

    /// Whether unwritten registers hold garbage in this run, which has not begun. In every other run they hold zero, as
    /// in runs without errors, so that errors also cover the results that follow from zeros.
    pub(crate) fn fills_registers(&self) -> bool {
        matches!(self.model, Model::Random(_)) && self.state % 2 == 1
    }

    /// A possible value of an unwritten register.
    pub(crate) fn garbage(&mut self) -> u32 {
        match self.model {
            Model::Random(_) => (self.bits() >> 32) as u32,
            Model::Hardware(_) => 0,
        }
    }

    /// Fills what lanes outside of `active` hold, where derivatives look at it: anything, also what the lane beside each
    /// holds, so that a difference may be none.
    pub(crate) fn forget_idle(&mut self, active: u8, operand: &mut Vector) {
        if matches!(self.model, Model::Hardware(_)) {
            return;
        }
        let beside = self.any_of([None, Some(1), Some(2)]);
        for channel in operand {
            for lane in (0..LANES).filter(|lane| active >> lane & 1 == 0) {
                channel[lane] = match beside {
                    Some(step) => channel[lane ^ step],
                    None => self.garbage(),
                };
            }
        }
    }

    /// The result of an opcode with a permitted error; `operands` are those of the channel.
    pub(crate) fn apply(&mut self, error: Error, operands: [u32; 4], result: u32) -> u32 {
        match self.model {
            Model::Random(errors) => self.random(errors, (error, operands), result),
            Model::Hardware(angles) => hardware::result(angles, (error, operands), result),
        }
    }

    fn random(&mut self, errors: Errors, (error, operands): (Error, [u32; 4]), result: u32) -> u32 {
        if let Some(other) = error.alternative(errors, operands, result) {
            return self.any_of([other, result]);
        }
        let [x, y, z, _] = operands.map(f32::from_bits);
        let result = match error {
            // The blend may be computed the other way round, which differs at infinity.
            Error::Blend if !f32::from_bits(result).is_finite() => {
                self.any_of([result, (x * y + (1.0 - x) * z).to_bits()])
            }
            _ => result,
        };
        let value = f32::from_bits(result);
        if error == Error::Interpolation && !value.is_finite() {
            let anything = self.garbage();
            return self.any_of([result, QUIET_NAN, f32::INFINITY.to_bits(), anything]);
        }
        if value.is_nan() && error.computes() {
            return self.any_nan(operands, result);
        }
        if error == Error::Halves {
            return self.halves(result);
        }
        match error {
            // Logarithm and exponential know no sign; drivers take the root of the magnitude.
            Error::Power if x < 0.0 && self.any_of([true, false]) => return f32::NAN.to_bits(),
            Error::Root if x < 0.0 && self.any_of([true, false]) => {
                return (1.0 / x.abs().sqrt()).to_bits();
            }
            _ if !value.is_finite() => return result,
            _ => {}
        }
        let Some(erred) = self.erred(error, errors, [x, y, z], value) else { return result };
        if !error.is_among(Errors::Approximations) {
            return erred.to_bits();
        }
        // An approximation may be exact, and zero where zero is no further off: what looks at bits, or at the sign of a
        // zero, tells these from all that lie beside them.
        let zero_is_near = erred.is_sign_negative() != value.is_sign_negative();
        match self.bits() % 4 {
            0 => result,
            1 | 2 if zero_is_near => 0.0_f32.copysign(self.next()).to_bits(),
            _ => erred.to_bits(),
        }
    }

    /// The finite `value` of the operands x, y and z with an error; `None` if it has none.
    fn erred(
        &mut self,
        error: Error,
        errors: Errors,
        [x, y, z]: [f32; 3],
        value: f32,
    ) -> Option<f32> {
        Some(match error {
            // Rearranged code need not keep the sign of a zero.
            Error::Rounding if errors == Errors::Everything && value == 0.0 => {
                0.0_f32.copysign(self.next())
            }
            Error::None | Error::Minimum | Error::Maximum => return None,
            Error::Test | Error::BitTest | Error::Choice | Error::Sign => return None,
            Error::Exact | Error::Halves | Error::Derivative | Error::Interpolation => return None,
            Error::Double | Error::DoubleQuotient | Error::Scaling => return None,
            Error::DoubleMinimum | Error::DoubleMaximum => return None,
            Error::Rounding if errors == Errors::Approximations || value == 0.0 => return None,
            Error::Rounding => value * (1.0 + UNIT * self.next()),
            Error::Relative | Error::Reciprocal | Error::Quotient | Error::SquareRoot => {
                value * (1.0 + APPROXIMATION * self.next())
            }
            Error::Exponential | Error::Root => value * (1.0 + APPROXIMATION * self.next()),
            Error::Logarithm | Error::PartialLogarithm => {
                value + APPROXIMATION * self.next() * (1.0 + value.abs())
            }
            Error::Power => {
                let exponent = (y * x.abs().log2()).abs();
                value * (1.0 + APPROXIMATION * self.next() * (1.0 + exponent))
            }
            Error::Specular => {
                // Base and exponent are in other channels; the power gives the product of exponent and logarithm.
                let exponent = value.abs().max(f32::MIN_POSITIVE).log2().abs();
                value * (1.0 + APPROXIMATION * self.next() * (1.0 + exponent))
            }
            // The range reduction loses the whole turns of the angle.
            Error::Sine => self.on_circle(x, f32::sin),
            Error::Cosine => self.on_circle(x, f32::cos),
            Error::Blend => {
                let size = (x * y).abs() + ((1.0 - x) * z).abs();
                let erred = value + APPROXIMATION * self.next() * size;
                // The opposite order also gives the other zero.
                if erred == 0.0 { self.any_of([erred, -erred]) } else { erred }
            }
        })
    }

    /// A NaN in place of `result`: the NaN of an invalid operation, or that of any operand, with either sign.
    fn any_nan(&mut self, operands: [u32; 4], result: u32) -> u32 {
        let is_nan = |bits: &u32| f32::from_bits(*bits).is_nan();
        // If the operation is optimised away, even a signalling NaN stays unchanged.
        let carried = operands.into_iter().filter(is_nan).flat_map(|bits| [bits, bits | QUIET_NAN]);
        let kinds: Vec<u32> = [result, QUIET_NAN, FULL_NAN].into_iter().chain(carried).collect();
        let choice = self.choice();
        let kind = kinds[(choice >> 1) as usize % kinds.len()];
        self.any_of([kind, kind ^ SIGN])
    }

    /// The same for doubles.
    fn any_double_nan(&mut self, operands: [u64; 3], result: u64) -> u64 {
        let is_nan = |bits: &u64| f64::from_bits(*bits).is_nan();
        let carried =
            operands.into_iter().filter(is_nan).flat_map(|bits| [bits, bits | QUIET_DOUBLE]);
        let kinds: Vec<u64> = [result, QUIET_DOUBLE].into_iter().chain(carried).collect();
        let choice = self.choice();
        let kind = kinds[(choice >> 1) as usize % kinds.len()];
        self.any_of([kind, kind ^ 1 << 63])
    }

    /// As [`Perturbation::apply`], for an opcode on doubles.
    pub(crate) fn apply_to_double(&mut self, error: Error, operands: [u64; 3], result: u64) -> u64 {
        let [x, y, _] = operands;
        let is_pick = matches!(error, Error::DoubleMinimum | Error::DoubleMaximum);
        let [a, b] = [x, y].map(f64::from_bits);
        let takes_either = is_pick && (a == b || a.is_nan() && b.is_nan());
        match self.model {
            Model::Hardware(_) if takes_either => x,
            Model::Hardware(_) => result,
            Model::Random(_) if takes_either => self.any_of([x, y]),
            Model::Random(_) if f64::from_bits(result).is_nan() => {
                self.any_double_nan(operands, result)
            }
            Model::Random(_) if error == Error::DoubleQuotient && is_small(result) => {
                self.any_of([result, result + 1, result.saturating_sub(1)])
            }
            Model::Random(_) => result,
        }
    }

    /// Two half floats, in which each NaN may become a different one.
    fn halves(&mut self, word: u32) -> u32 {
        with_nan_halves(word, |half| {
            let sign = 1 << 15;
            self.any_of([half, half ^ sign, QUIET_HALF, QUIET_HALF | sign])
        })
    }

    /// A sine or cosine. An angle with too many turns to keep any precision may become any angle, including zero or
    /// half a turn.
    fn on_circle(&mut self, angle: f32, function: fn(f32) -> f32) -> f32 {
        let error = APPROXIMATION * (angle.abs() + std::f32::consts::TAU);
        let is_lost = error > 0.1;
        match self.bits() % 4 {
            0 if is_lost => function(0.0),
            1 if is_lost => function(std::f32::consts::PI),
            _ => function(angle + error * self.next()),
        }
    }
}

/// Two half floats with each NaN replaced.
fn with_nan_halves(word: u32, mut other: impl FnMut(u32) -> u32) -> u32 {
    [0, 16].into_iter().fold(0, |halves, shift| {
        let half = word >> shift & 0xffff;
        let is_nan = half & 0x7fff > 0x7c00;
        halves | if is_nan { other(half) } else { half } << shift
    })
}

/// Whether a double is in the denormal range, where a result that is rounded twice may be off by one.
fn is_small(bits: u64) -> bool {
    let magnitude = bits & (u64::MAX >> 1);
    (1..=1 << 52).contains(&magnitude)
}
