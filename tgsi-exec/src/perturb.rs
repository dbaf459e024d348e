//! Errors that hardware is allowed to make, made on purpose.
//!
//! Running a shader several times with random errors of the size that each opcode allows shows how far
//! its results may lie from the interpreter's: that is the tolerance for comparing, and it comes from
//! the opcodes rather than from what makes a test pass.

mod error;
mod hardware;

use crate::lanes::{LANES, Vector};

pub(crate) use error::Error;
pub use hardware::Angles;

/// Relative error of one operation in single precision, rounded up.
const UNIT: f32 = 1.2e-7;
/// The sign of a float.
const SIGN: u32 = 1 << 31;
/// The NaN that an invalid operation makes, but for its sign.
const QUIET_NAN: u32 = 0x7FC0_0000;
/// The NaN of all bits, which some hardware makes and shaders ask for, likewise.
const FULL_NAN: u32 = 0x7FFF_FFFF;
/// What an invalid operation makes among half floats and doubles.
const QUIET_HALF: u32 = 0x7E00;
const QUIET_DOUBLE: u64 = 0x7FF8_0000_0000_0000;
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

    fn any_of<T: Copy, const N: usize>(&mut self, values: [T; N]) -> T {
        values[self.bits() as usize % N]
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
            return self.any_nan(operands, result);
        }
        if error == Error::Halves {
            return self.halves(result);
        }
        let [x, y, z, _] = operands.map(f32::from_bits);
        match error {
            // The blend may be computed the other way round, which differs at infinity.
            Error::Blend if !value.is_finite() => return (x * y + (1.0 - x) * z).to_bits(),
            // Logarithm and exponential know no sign; drivers take the root of the magnitude.
            Error::Power if x < 0.0 && self.next() < 0.0 => return f32::NAN.to_bits(),
            Error::Root if x < 0.0 && self.next() < 0.0 => return (1.0 / x.abs().sqrt()).to_bits(),
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

    /// The finite `value` of the operands x, y and z with an error; `None` where it has none.
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
            Error::Test | Error::BitTest | Error::Choice => return None,
            Error::Exact | Error::Halves | Error::Derivative => return None,
            Error::Double | Error::DoubleQuotient => return None,
            Error::DoubleMinimum | Error::DoubleMaximum => return None,
            Error::Rounding if errors == Errors::Approximations => return None,
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
        })
    }

    /// A NaN in the place of `result`: one that an invalid operation makes, or that of any operand, of either sign.
    fn any_nan(&mut self, operands: [u32; 4], result: u32) -> u32 {
        let is_nan = |bits: &u32| f32::from_bits(*bits).is_nan();
        // Where the operation falls away, even a signalling one stays what it is.
        let carried = operands.into_iter().filter(is_nan).flat_map(|bits| [bits, bits | QUIET_NAN]);
        let kinds: Vec<u32> = [result, QUIET_NAN, FULL_NAN].into_iter().chain(carried).collect();
        let kind = kinds[self.bits() as usize % kinds.len()];
        self.any_of([kind, kind ^ SIGN])
    }

    /// The same among doubles.
    fn any_double_nan(&mut self, operands: [u64; 3], result: u64) -> u64 {
        let is_nan = |bits: &u64| f64::from_bits(*bits).is_nan();
        let carried =
            operands.into_iter().filter(is_nan).flat_map(|bits| [bits, bits | QUIET_DOUBLE]);
        let kinds: Vec<u64> = [result, QUIET_DOUBLE].into_iter().chain(carried).collect();
        let kind = kinds[self.bits() as usize % kinds.len()];
        self.any_of([kind, kind ^ 1 << 63])
    }

    /// The result of an opcode on doubles, as [`Perturbation::apply`] has it.
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

    /// Two half floats, of which each NaN may be another one.
    fn halves(&mut self, word: u32) -> u32 {
        [0, 16].into_iter().fold(0, |halves, shift| {
            let (half, sign) = (word >> shift & 0xffff, 1 << 15);
            let is_nan = half & 0x7fff > 0x7c00;
            let kinds = [half, half ^ sign, QUIET_HALF, QUIET_HALF | sign];
            halves | if is_nan { self.any_of(kinds) } else { half } << shift
        })
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

/// Whether a double lies among the denormals, where a result that is rounded twice may be one off.
fn is_small(bits: u64) -> bool {
    let magnitude = bits & (u64::MAX >> 1);
    (1..=1 << 52).contains(&magnitude)
}

#[cfg(test)]
mod tests {
    use tgsi_ir::Opcode;

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
        }
        let plain = Errors::Approximations;
        assert_eq!(results(Opcode::Max, plain, [0.0, -1.0, 0.0], 0), [0]);
    }

    #[test]
    fn an_approximation_may_be_exact_or_the_zero_beside_it() {
        let of = |opcode, x: f32, plain: f32| {
            results(opcode, Errors::Approximations, [x, 0.0, 0.0], plain.to_bits())
        };
        assert!(of(Opcode::Lg2, 1.0, 0.0).contains(&0));
        let pi = std::f32::consts::PI;
        let found = of(Opcode::Sin, pi, pi.sin());
        assert!(found.contains(&0) && found.contains(&SIGN), "{found:x?}");
        // Where zero is further off than the error, it is still a mistake.
        let found = of(Opcode::Sin, 1.0, 1.0_f32.sin());
        assert!(found.contains(&1.0_f32.sin().to_bits()), "{found:x?}");
        assert!(found.iter().all(|&bits| (f32::from_bits(bits) - 1.0_f32.sin()).abs() < 1e-5));
    }

    #[test]
    fn either_of_two_nans_is_the_greater_one() {
        let [nan, minus] = [f32::NAN, -f32::NAN];
        let bits = [nan.to_bits(), minus.to_bits()];
        for errors in [Errors::Approximations, Errors::Everything] {
            assert_eq!(results(Opcode::Min, errors, [nan, minus, 0.0], bits[1]), bits);
        }
        // Beside a number the number comes, unless code is rearranged.
        assert_eq!(results(Opcode::Min, Errors::Approximations, [nan, 1.0, 0.0], 0), [0]);
    }

    #[test]
    fn a_limit_of_zero_has_either_sign_where_code_is_rearranged() {
        let operands = [-0.0, -3.0, 0.0];
        assert_eq!(results(Opcode::Max, Errors::Everything, operands, SIGN), [0, SIGN]);
        assert_eq!(results(Opcode::Max, Errors::Approximations, operands, SIGN), [SIGN]);
    }

    #[test]
    fn a_conditional_move_of_zeros_may_give_either_where_code_is_rearranged() {
        let operands = [-0.0, 0.0, -0.0];
        assert_eq!(results(Opcode::Cmp, Errors::Everything, operands, SIGN), [0, SIGN]);
        assert_eq!(results(Opcode::Cmp, Errors::Approximations, operands, SIGN), [SIGN]);
        assert_eq!(results(Opcode::Cmp, Errors::Everything, [-0.0, 1.0, -0.0], SIGN), [SIGN]);
    }

    #[test]
    fn the_mantissa_of_the_greatest_number_is_open() {
        let of = |x: f32, plain: f32| {
            results(Opcode::Log, Errors::Approximations, [x, 0.0, 0.0], plain.to_bits())
        };
        assert_eq!(of(f32::MAX, 0.0), [0, (1.0 - f32::EPSILON / 2.0).to_bits()]);
        // A quotient of infinities is no number, and the legacy product with their zero is 0.
        assert_eq!(of(f32::INFINITY, f32::NAN), [0, f32::NAN.to_bits()]);
        // The logarithm of 1 is 0, too, and only rounding is open.
        let found = of(1.0, 0.0);
        assert!(found.iter().all(|&bits| f32::from_bits(bits).abs() < 1e-5), "{found:?}");
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
    fn a_signalling_nan_may_pass_as_it_is() {
        let signalling = f32::from_bits(0x7f80_0001);
        let plain = f32::NAN.to_bits();
        let found = results(Opcode::Mul, Errors::Approximations, [signalling, 1.0, 0.0], plain);
        assert!(found.contains(&0x7f80_0001) && found.contains(&0x7fc0_0001), "{found:x?}");
        // What no operand holds comes from nowhere.
        assert!(!found.contains(&0x7f80_0002), "{found:x?}");
    }

    #[test]
    fn sign_and_kind_of_a_new_nan_are_open() {
        let nan = f32::NAN.to_bits();
        let operands = [f32::INFINITY, 0.0, 0.0];
        for opcode in [Opcode::Cos, Opcode::Mul, Opcode::Txl] {
            let found = results(opcode, Errors::Approximations, operands, nan);
            assert_eq!(found, [nan, FULL_NAN, nan | SIGN, FULL_NAN | SIGN]);
            let other = 0x7FFF_E000;
            let found = results(opcode, Errors::Approximations, operands, other);
            let plain = [nan, other, FULL_NAN];
            assert_eq!(found, [plain, plain.map(|kind| kind | SIGN)].concat());
        }
        assert_eq!(results(Opcode::Mov, Errors::Everything, operands, nan), [nan]);
    }

    #[test]
    fn a_nan_may_be_that_of_any_operand() {
        let (nan, own) = (f32::NAN.to_bits(), 0x7FC0_1234);
        let operands = [f32::from_bits(own), f32::NAN, 0.0];
        let found = results(Opcode::Mul, Errors::Approximations, operands, nan);
        let plain = [nan, own, FULL_NAN];
        assert_eq!(found, [plain, plain.map(|kind| kind | SIGN)].concat());
        assert_eq!(results(Opcode::Mov, Errors::Approximations, operands, own), [own]);
    }

    #[test]
    fn the_kind_of_a_nan_is_open_where_it_is_packed_or_unpacked() {
        let operands = [0.0; 3];
        let full = 0x7FFF_E000;
        let found = results(Opcode::Up2h, Errors::Approximations, operands, full);
        let plain = [QUIET_NAN, full, FULL_NAN];
        assert_eq!(found, [plain, plain.map(|kind| kind | SIGN)].concat());
        let found = results(Opcode::Pk2h, Errors::Approximations, operands, 0xFFFF_3C00);
        assert_eq!(found, [0x7E00_3C00, 0x7FFF_3C00, 0xFE00_3C00, 0xFFFF_3C00]);
        // Infinities are no NaN.
        let found = results(Opcode::Pk2h, Errors::Approximations, operands, 0xFC00_7C00);
        assert_eq!(found, [0xFC00_7C00]);
    }

    #[test]
    fn doubles_have_nans_of_any_kind_and_either_zero_as_the_smaller_one() {
        let mut perturbation = Perturbation::new(1, Errors::Approximations);
        let mut results = |opcode, [x, y]: [f64; 2], plain: u64| {
            let error = Error::of(opcode);
            let operands = [x, y, 0.0].map(f64::to_bits);
            let results = (0..64).map(|_| perturbation.apply_to_double(error, operands, plain));
            results.collect::<std::collections::BTreeSet<_>>()
        };
        let full = u64::MAX >> 1;
        let signed = |bits| [bits, bits | 1 << 63];
        let kinds = [signed(full), signed(QUIET_DOUBLE)].into_iter().flatten();
        assert_eq!(results(Opcode::Dadd, [f64::NAN; 2], full), kinds.collect());
        let own = |payload: u64| f64::from_bits(QUIET_DOUBLE | payload);
        let kinds = [7, 9, 0].map(|payload| signed(QUIET_DOUBLE | payload));
        let kinds = kinds.into_iter().flatten().collect();
        assert_eq!(results(Opcode::Ddiv, [own(7), own(9)], QUIET_DOUBLE | 7), kinds);
        assert_eq!(
            results(Opcode::Dmax, [own(7), own(9)], 7),
            [7, 9].map(|n| QUIET_DOUBLE | n).into()
        );
        assert_eq!(results(Opcode::Dmax, [0.0, -0.0], 0), signed(0).into());
        assert_eq!(results(Opcode::Dmax, [0.0, -1.0], 0), [0].into());
        assert_eq!(results(Opcode::Dadd, [0.0, -0.0], 0), [0].into());
        // A denormal quotient is rounded twice, others are not.
        assert_eq!(results(Opcode::Ddiv, [1.0, 2.0], 9), [8, 9, 10].into());
        assert_eq!(results(Opcode::Dmul, [1.0, 2.0], 9), [9].into());
        assert_eq!(results(Opcode::Ddiv, [1.0, 2.0], 1 << 60), [1 << 60].into());
        assert_eq!(results(Opcode::Ddiv, [0.0, 2.0], 0), [0].into());
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
