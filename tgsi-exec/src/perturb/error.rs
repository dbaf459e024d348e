//! The error that each opcode may have.

use tgsi_ir::Opcode;

use super::{Errors, SIGN};

/// The kind of error that the result of an opcode may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Error {
    None,
    /// Either of two zeros, or of two NaNs, may be the smaller one. Rearranged code may take either operand if one is
    /// NaN, and give a zero of either sign, as a clamp does.
    Minimum,
    Maximum,
    /// A comparison with NaN, which rearranged code may invert: the result is 1.0 or 0.0.
    Test,
    /// The same with all bits set or none.
    BitTest,
    /// The same for the comparison in a conditional move. Rearranged code may also turn it into a magnitude, which may
    /// give either of two zeros.
    Choice,
    /// The same for the comparisons that compute a sign; the sign of a zero may be either zero.
    Sign,
    Rounding,
    /// A product that is exact except for the sign of a zero, which is undefined in rearranged code.
    Scaling,
    /// A fixed-function opcode that approximates some of its channels.
    Relative,
    Reciprocal,
    Quotient,
    SquareRoot,
    /// A reciprocal root.
    Root,
    Exponential,
    Logarithm,
    /// The fixed-function opcode. The mantissa of the greatest numbers is 0, or just below 1; that of infinity is NaN,
    /// or 0.
    PartialLogarithm,
    Power,
    /// Lighting, one channel of which is a power.
    Specular,
    Sine,
    Cosine,
    Blend,
    /// An input at another position. Hardware moves along two barycentric coordinates, so a position that is not a
    /// finite float, or too far away, gives any value.
    Interpolation,
    /// A result that is exact unless it is a NaN, which may be of any kind.
    Exact,
    /// The same for half floats in a word.
    Halves,
    /// The same for doubles.
    Double,
    /// The same for a quotient of doubles, which hardware rounds before scaling.
    DoubleQuotient,
    /// Either of two zeros may be the smaller one.
    DoubleMinimum,
    DoubleMaximum,
    /// A difference between lanes; inactive lanes may hold any value.
    Derivative,
}

impl Error {
    /// Whether operations with this error have it when `errors` is in effect.
    pub(crate) fn is_among(self, errors: Errors) -> bool {
        match self {
            Self::None | Self::Minimum | Self::Maximum => false,
            Self::Test | Self::BitTest | Self::Choice | Self::Sign => false,
            Self::Exact | Self::Halves | Self::Scaling => false,
            Self::Double | Self::DoubleQuotient => false,
            Self::DoubleMinimum | Self::DoubleMaximum => false,
            Self::Rounding => errors != Errors::Approximations,
            _ => true,
        }
    }

    /// Whether the result is a new float rather than an operand or a truth value. If so, the sign of a NaN is
    /// undefined.
    pub(super) fn computes(self) -> bool {
        let picks = matches!(self, Self::Minimum | Self::Maximum | Self::Choice);
        let tests = matches!(self, Self::Test | Self::BitTest | Self::Sign);
        !picks && !tests && !self.is_of_doubles() && !matches!(self, Self::None | Self::Halves)
    }

    /// How many of the operands, from the first, are compared as floats.
    pub(crate) fn num_compared(self) -> usize {
        match self {
            Self::Test | Self::BitTest | Self::Minimum | Self::Maximum => 2,
            Self::Choice | Self::Sign => 1,
            _ => 0,
        }
    }

    /// Whether the result is a double in two channels.
    pub(crate) fn is_of_doubles(self) -> bool {
        matches!(
            self,
            Self::Double | Self::DoubleQuotient | Self::DoubleMinimum | Self::DoubleMaximum
        )
    }

    /// The other result that an operation may have instead of `result`, if the language or rearrangement allows both.
    pub(super) fn alternative(
        self,
        errors: Errors,
        operands: [u32; 4],
        result: u32,
    ) -> Option<u32> {
        let [x, y, z, _] = operands;
        let is_nan = |bits: u32| f32::from_bits(bits).is_nan();
        let is_zero = |bits: u32| f32::from_bits(bits) == 0.0;
        let rearranged = errors == Errors::Everything;
        let is_open = rearranged && (is_nan(x) || is_nan(y));
        match self {
            Self::Minimum | Self::Maximum => {
                let are_equal = f32::from_bits(x) == f32::from_bits(y);
                let are_nan = is_nan(x) && is_nan(y);
                if rearranged && is_zero(result) {
                    return Some(result ^ SIGN);
                }
                (are_equal || are_nan || is_open).then_some(if result == x { y } else { x })
            }
            Self::Test => is_open.then_some(result ^ 1.0_f32.to_bits()),
            Self::BitTest => is_open.then_some(!result),
            Self::Choice => {
                let are_zeros = is_zero(y) && is_zero(z);
                let is_open = rearranged && (is_nan(x) || are_zeros);
                is_open.then_some(if result == y { z } else { y })
            }
            Self::Sign if rearranged && is_nan(x) => Some((-1.0_f32).to_bits()),
            Self::Sign => (rearranged && is_zero(x)).then_some(result ^ SIGN),
            // A product with zero.
            Self::Quotient | Self::Scaling => {
                (rearranged && is_zero(result)).then_some(result ^ SIGN)
            }
            Self::None | Self::Rounding | Self::Relative | Self::Reciprocal => None,
            Self::SquareRoot | Self::Root | Self::Exponential | Self::Logarithm => None,
            Self::Exact | Self::Halves | Self::Derivative | Self::Interpolation => None,
            Self::Double | Self::DoubleQuotient => None,
            Self::DoubleMinimum | Self::DoubleMaximum => None,
            // The greater of two zeros, as above.
            Self::Specular => (f32::from_bits(result) == 0.0).then_some(result ^ SIGN),
            Self::PartialLogarithm => overflown_mantissa(x, result),
            Self::Power | Self::Sine | Self::Cosine | Self::Blend => None,
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
            Opcode::Ssg => Self::Sign,
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
            Opcode::Pk2h => Self::Halves,
            Opcode::Dmin => Self::DoubleMinimum,
            Opcode::Dmax => Self::DoubleMaximum,
            Opcode::Add | Opcode::Mul | Opcode::Mad | Opcode::Fma => Self::Rounding,
            Opcode::Dp2 | Opcode::Dp3 | Opcode::Dp4 | Opcode::Dst => Self::Rounding,
            Opcode::Frc | Opcode::Flr | Opcode::Ceil | Opcode::Round | Opcode::Trunc => Self::Exact,
            Opcode::Up2h | Opcode::D2f | Opcode::Lodq => Self::Exact,
            Opcode::Ldexp => Self::Scaling,
            Opcode::InterpCentroid | Opcode::InterpSample => Self::Exact,
            Opcode::InterpOffset => Self::Interpolation,
            Opcode::Tex | Opcode::TexLz | Opcode::Txd | Opcode::Txb | Opcode::Txl => Self::Exact,
            Opcode::Tex2 | Opcode::Txb2 | Opcode::Txl2 | Opcode::Tg4 | Opcode::Txf => Self::Exact,
            Opcode::Sample | Opcode::SampleB | Opcode::SampleC | Opcode::SampleCLz => Self::Exact,
            Opcode::SampleD | Opcode::SampleL | Opcode::SampleI | Opcode::SampleIMs => Self::Exact,
            Opcode::Gather4 => Self::Exact,
            Opcode::Ddiv => Self::DoubleQuotient,
            Opcode::Dadd | Opcode::Dmul | Opcode::Dmad | Opcode::Dfma => Self::Double,
            Opcode::Dabs | Opcode::Dneg | Opcode::Drcp | Opcode::Dsqrt | Opcode::Drsq => {
                Self::Double
            }
            Opcode::Dfrac | Opcode::Dflr | Opcode::Dceil | Opcode::Dtrunc => Self::Double,
            Opcode::Dround | Opcode::Dldexp | Opcode::Dfracexp | Opcode::F2d => Self::Double,
            _ => Self::None,
        }
    }
}

/// The mantissa of a number whose logarithm is rounded up to 128, by a power that a float does not hold: 0 by one division,
/// just below 1 by two. That of infinity is no number by a division, and 0 by a product with the legacy zero.
fn overflown_mantissa(operand: u32, result: u32) -> Option<u32> {
    let magnitude = f32::from_bits(operand).abs();
    if magnitude == f32::INFINITY && f32::from_bits(result).is_nan() {
        return Some(0);
    }
    let is_open = result == 0 && magnitude.is_finite() && magnitude.log2() >= 128.0;
    is_open.then(|| (magnitude * 2.0_f32.powi(-127) * 0.5).to_bits())
}
