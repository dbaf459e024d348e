//! Errors that hardware is allowed to make, made on purpose.
//!
//! Running a shader several times with random errors of the size that each opcode allows shows how far
//! its results may lie from the interpreter's: that is the tolerance for comparing, and it comes from
//! the opcodes rather than from what makes a test pass.

mod hardware;

use tgsi_ir::Opcode;

use crate::lanes::{LANES, Vector};

pub use hardware::Angles;

/// Relative error of one operation in single precision, rounded up.
const UNIT: f32 = 1.2e-7;
/// The sign of a float.
const SIGN: u32 = 1 << 31;
/// The NaN that an invalid operation makes, but for its sign.
const QUIET_NAN: u32 = 0x7FC0_0000;
/// Relative error of an approximated operation.
const APPROXIMATION: f32 = 4.0 * UNIT;

/// Which operations err.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Errors {
    /// Those that hardware approximates.
    Approximations,
    /// Every float operation, as if a compiler had rearranged it.
    Everything,
}

/// A source of errors: the same one makes the same errors.
#[derive(Clone, Debug)]
pub struct Perturbation {
    state: u64,
    model: Model,
}

/// Where errors come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Model {
    Random(Errors),
    /// Those of the usual recipes of graphics hardware.
    Hardware(Angles),
}

impl Perturbation {
    /// Errors of one kind from a seed.
    #[must_use]
    pub fn new(seed: u64, errors: Errors) -> Self {
        Self { state: seed, model: Model::Random(errors) }
    }

    /// The errors that hardware makes which approximates nothing but follows the usual recipes: a power
    /// by way of a logarithm, a sine of an angle that is reduced to one turn. What it does exactly is exact.
    #[must_use]
    pub fn like_hardware(angles: Angles) -> Self {
        Self { state: 0, model: Model::Hardware(angles) }
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

    /// What a register may hold that nothing has written.
    pub(crate) fn garbage(&mut self) -> u32 {
        match self.model {
            Model::Random(_) => (self.bits() >> 32) as u32,
            Model::Hardware(_) => 0,
        }
    }

    /// Fills what lanes outside of `active` hold, where derivatives look at it.
    pub(crate) fn forget_idle(&mut self, active: u8, operand: &mut Vector) {
        if matches!(self.model, Model::Hardware(_)) {
            return;
        }
        for channel in operand {
            for lane in (0..LANES).filter(|lane| active >> lane & 1 == 0) {
                channel[lane] = self.garbage();
            }
        }
    }

    /// The result of an opcode with an error that it may have; `operands` are those of the channel.
    pub(crate) fn apply(&mut self, error: Error, operands: [u32; 4], result: u32) -> u32 {
        match self.model {
            Model::Random(errors) => self.random(errors, (error, operands), result),
            Model::Hardware(angles) => hardware::result(angles, (error, operands), result),
        }
    }

    fn random(&mut self, errors: Errors, (error, operands): (Error, [u32; 4]), result: u32) -> u32 {
        if let Some(other) = error.alternative(errors, operands, result) {
            return if self.next() < 0.0 { other } else { result };
        }
        let value = f32::from_bits(result);
        if value.is_nan() && error.computes() {
            // Another NaN: of the other sign, or of the kind that an invalid operation makes.
            let kinds = [result, result ^ SIGN, QUIET_NAN, QUIET_NAN | SIGN];
            return kinds[self.bits() as usize % kinds.len()];
        }
        let [x, y, z, _] = operands.map(f32::from_bits);
        match error {
            // Logarithm and exponential know no sign; drivers take the root of the magnitude.
            // The blend may be computed the other way round, which differs at infinity.
            Error::Blend if !value.is_finite() => return (x * y + (1.0 - x) * z).to_bits(),
            Error::Power if x < 0.0 && self.next() < 0.0 => return f32::NAN.to_bits(),
            Error::Root if x < 0.0 && self.next() < 0.0 => return (1.0 / x.abs().sqrt()).to_bits(),
            _ if !value.is_finite() => return result,
            _ => {}
        }
        let erred = match error {
            // Rearranged code need not keep the sign of a zero.
            Error::Rounding if errors == Errors::Everything && value == 0.0 => {
                0.0_f32.copysign(self.next())
            }
            Error::None | Error::Minimum | Error::Maximum => return result,
            Error::Test | Error::BitTest | Error::Choice => return result,
            Error::Texel | Error::Derivative => return result,
            Error::Rounding if errors == Errors::Approximations => return result,
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
                // Base and exponent are other channels; the power tells the product of exponent and logarithm.
                let exponent = value.abs().max(f32::MIN_POSITIVE).log2().abs();
                value * (1.0 + APPROXIMATION * self.next() * (1.0 + exponent))
            }
            // The range reduction loses what the angle has in whole turns.
            Error::Sine => self.on_circle(x, f32::sin),
            Error::Cosine => self.on_circle(x, f32::cos),
            Error::Blend => {
                let size = (x * y).abs() + ((1.0 - x) * z).abs();
                let erred = value + APPROXIMATION * self.next() * size;
                // The other way round also gives the other zero.
                if erred == 0.0 { erred.copysign(self.next()) } else { erred }
            }
        };
        erred.to_bits()
    }

    /// A sine or cosine; an angle of so many turns that nothing is left of it may become any, also
    /// none or half a turn.
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

/// What kind of error the result of an opcode may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Error {
    None,
    /// Of two zeros either may be the smaller one; with NaN, rearranged code may take either operand.
    Minimum,
    Maximum,
    /// Of a comparison with NaN, which rearranged code may make by way of its opposite: the result is 1.0 or 0.0.
    Test,
    /// The same with all bits set or none.
    BitTest,
    /// The same for the comparison in a conditional move.
    Choice,
    Rounding,
    /// Of a fixed-function opcode, which approximates some of its channels.
    Relative,
    Reciprocal,
    Quotient,
    SquareRoot,
    /// Of a reciprocal root.
    Root,
    Exponential,
    Logarithm,
    /// Of the fixed-function opcode.
    PartialLogarithm,
    Power,
    /// Of lighting, of which a channel is a power.
    Specular,
    Sine,
    Cosine,
    Blend,
    /// Of what a texture gives, which is exact unless it is a NaN, of some kind.
    Texel,
    /// Of a difference between lanes, of which those that do not run may hold anything.
    Derivative,
}

impl Error {
    /// Whether operations with this error make it when these err.
    pub(crate) fn is_among(self, errors: Errors) -> bool {
        match self {
            Self::None | Self::Minimum | Self::Maximum => false,
            Self::Test | Self::BitTest | Self::Choice => false,
            Self::Rounding => errors == Errors::Everything,
            _ => true,
        }
    }

    /// Whether the result is a new number rather than an operand or a truth: the sign of a NaN is then open.
    fn computes(self) -> bool {
        let picks = matches!(self, Self::Minimum | Self::Maximum | Self::Choice);
        let tests = matches!(self, Self::Test | Self::BitTest);
        !picks && !tests && self != Self::None
    }

    /// The other result that an operation may have as well as `result`, where language or rearrangement
    /// leave open which.
    fn alternative(self, errors: Errors, operands: [u32; 4], result: u32) -> Option<u32> {
        let [x, y, z, _] = operands;
        let is_nan = |bits: u32| f32::from_bits(bits).is_nan();
        let rearranged = errors == Errors::Everything;
        let is_open = rearranged && (is_nan(x) || is_nan(y));
        match self {
            Self::Minimum | Self::Maximum => {
                let are_equal = f32::from_bits(x) == f32::from_bits(y);
                (are_equal || is_open).then_some(if result == x { y } else { x })
            }
            Self::Test => is_open.then_some(result ^ 1.0_f32.to_bits()),
            Self::BitTest => is_open.then_some(!result),
            Self::Choice => (rearranged && is_nan(x)).then_some(if result == y { z } else { y }),
            Self::None | Self::Rounding | Self::Relative | Self::Reciprocal | Self::Quotient => {
                None
            }
            Self::SquareRoot | Self::Root | Self::Exponential | Self::Logarithm => None,
            Self::Texel | Self::Derivative => None,
            // The greater of two zeros, as above.
            Self::Specular => (f32::from_bits(result) == 0.0).then_some(result ^ SIGN),
            Self::PartialLogarithm | Self::Power | Self::Sine | Self::Cosine | Self::Blend => None,
        }
    }

    pub(crate) fn of(opcode: Opcode) -> Self {
        match opcode {
            Opcode::Min => Self::Minimum,
            Opcode::Max => Self::Maximum,
            Opcode::Slt | Opcode::Sge | Opcode::Sgt | Opcode::Sle => Self::Test,
            Opcode::Seq | Opcode::Sne => Self::Test,
            Opcode::Fslt | Opcode::Fsge | Opcode::Fseq | Opcode::Fsne => Self::BitTest,
            Opcode::Cmp => Self::Choice,
            Opcode::Rsq => Self::Root,
            Opcode::Rcp => Self::Reciprocal,
            Opcode::Div => Self::Quotient,
            Opcode::Sqrt => Self::SquareRoot,
            Opcode::Ex2 => Self::Exponential,
            Opcode::Exp | Opcode::Txp => Self::Relative,
            Opcode::Lit => Self::Specular,
            Opcode::Lg2 => Self::Logarithm,
            Opcode::Log => Self::PartialLogarithm,
            Opcode::Pow => Self::Power,
            Opcode::Sin => Self::Sine,
            Opcode::Cos => Self::Cosine,
            Opcode::Lrp => Self::Blend,
            Opcode::Ddx | Opcode::Ddy | Opcode::DdxFine | Opcode::DdyFine => Self::Derivative,
            Opcode::Tex | Opcode::TexLz | Opcode::Txd | Opcode::Txb | Opcode::Txl => Self::Texel,
            Opcode::Tex2 | Opcode::Txb2 | Opcode::Txl2 | Opcode::Tg4 => Self::Texel,
            Opcode::Sample | Opcode::SampleB | Opcode::SampleC | Opcode::SampleCLz => Self::Texel,
            Opcode::SampleD | Opcode::SampleL | Opcode::Gather4 => Self::Texel,
            Opcode::Add | Opcode::Mul | Opcode::Mad | Opcode::Fma => Self::Rounding,
            Opcode::Dp2 | Opcode::Dp3 | Opcode::Dp4 => Self::Rounding,
            _ => Self::None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The results that runs with random errors have.
    fn results(opcode: Opcode, errors: Errors, operands: [f32; 3], plain: u32) -> Vec<u32> {
        let [a, b, c] = operands.map(f32::to_bits);
        let mut perturbation = Perturbation::new(1, errors);
        let mut results: Vec<u32> =
            (0..64).map(|_| perturbation.apply(Error::of(opcode), [a, b, c, 0], plain)).collect();
        results.sort_unstable();
        results.dedup();
        results
    }

    #[test]
    fn either_of_two_zeros_is_the_greater_one() {
        let minus = (-0.0_f32).to_bits();
        for errors in [Errors::Approximations, Errors::Everything] {
            assert_eq!(results(Opcode::Max, errors, [0.0, -0.0, 0.0], 0), [0, minus]);
            assert_eq!(results(Opcode::Min, errors, [0.0, -0.0, 0.0], minus), [0, minus]);
            assert_eq!(results(Opcode::Max, errors, [0.0, -1.0, 0.0], 0), [0]);
        }
    }

    #[test]
    fn lighting_errs_like_the_power_that_it_has() {
        // As far as a logarithm in single precision leaves open at 2 to the 119th.
        let power = 2.0_f32.powi(119);
        let found = results(Opcode::Lit, Errors::Approximations, [0.0; 3], power.to_bits());
        let furthest = found.iter().map(|bits| (f32::from_bits(*bits) / power - 1.0).abs());
        assert!(furthest.fold(0.0, f32::max) > 119.0 * UNIT);
    }

    #[test]
    fn lighting_may_take_either_of_two_zeros() {
        let minus = (-0.0_f32).to_bits();
        assert_eq!(results(Opcode::Lit, Errors::Approximations, [-0.0; 3], 0), [0, minus]);
    }

    #[test]
    fn the_sign_of_a_zero_is_open_where_code_is_rearranged() {
        let zeros = [0, SIGN];
        assert_eq!(results(Opcode::Mul, Errors::Everything, [0.0, 1.0, 0.0], 0), zeros);
        assert_eq!(results(Opcode::Mul, Errors::Approximations, [0.0, 1.0, 0.0], 0), [0]);
    }

    #[test]
    fn a_blend_computed_the_other_way_round_may_give_the_other_zero() {
        // 0 * -1 + 1 * -0 is -0, and 0 * (-1 - -0) + -0 is, too; with 1 for -1 both are 0.
        for y in [-1.0, 1.0] {
            let found = results(Opcode::Lrp, Errors::Approximations, [0.0, y, -0.0], SIGN);
            assert_eq!(found, [0, SIGN]);
        }
    }

    #[test]
    fn sign_and_kind_of_a_new_nan_are_open() {
        let nan = f32::NAN.to_bits();
        let operands = [f32::INFINITY, 0.0, 0.0];
        for opcode in [Opcode::Cos, Opcode::Mul, Opcode::Txl] {
            let found = results(opcode, Errors::Approximations, operands, nan);
            assert_eq!(found, [nan, nan | SIGN]);
            let full = 0x7FFF_E000;
            let found = results(opcode, Errors::Approximations, operands, full);
            assert_eq!(found, [nan, full, nan | SIGN, full | SIGN]);
        }
        assert_eq!(results(Opcode::Mov, Errors::Everything, operands, nan), [nan]);
    }

    #[test]
    fn comparisons_with_nan_are_open_where_code_is_rearranged() {
        let one = 1.0_f32.to_bits();
        let nan = [f32::NAN, 1.0, 2.0];
        let open = |opcode, plain| results(opcode, Errors::Everything, nan, plain);
        assert_eq!(open(Opcode::Slt, 0), [0, one]);
        assert_eq!(open(Opcode::Fslt, 0), [0, u32::MAX]);
        assert_eq!(open(Opcode::Max, one), [one, f32::NAN.to_bits()]);
        assert_eq!(open(Opcode::Cmp, 2.0_f32.to_bits()), [one, 2.0_f32.to_bits()]);
        for opcode in [Opcode::Slt, Opcode::Fslt] {
            assert_eq!(results(opcode, Errors::Approximations, nan, 0), [0]);
            assert_eq!(results(opcode, Errors::Everything, [3.0, 1.0, 2.0], 0), [0]);
        }
    }
}
