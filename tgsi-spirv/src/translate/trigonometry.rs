//! Angles and hyperbolic functions, by the formulas and polynomials that drivers use.

use spirv::GlslStd450Op as Glsl;
use tgsi_ir::Opcode;

use crate::code::Operand;
use crate::error::{Fault, unsupported};

use super::Translator;

const HALF_PI: f32 = std::f32::consts::FRAC_PI_2;

impl Translator<'_> {
    /// A function of angles or exponentials.
    pub(super) fn trigonometry(&mut self, op: Glsl, len: u8, a: Operand) -> Result<Operand, Fault> {
        let function = match op {
            Glsl::Tan => Self::tan,
            Glsl::Asin => Self::asin,
            Glsl::Acos => Self::acos,
            Glsl::Atan => Self::atan,
            Glsl::Sinh => Self::sinh,
            Glsl::Cosh => Self::cosh,
            Glsl::Tanh => Self::tanh,
            Glsl::Asinh => Self::asinh,
            Glsl::Acosh => Self::acosh,
            Glsl::Atanh => Self::atanh,
            _ => return Err(unsupported(format!("GLSL.std.450 {op:?}"))),
        };
        Ok(self.each(len, |this, n| function(this, a.channel(n))))
    }

    fn op(&mut self, opcode: Opcode, src: &[Operand]) -> Operand {
        self.compute(opcode, 1, src).channel(0)
    }

    /// `a * b + c`.
    fn mad(&mut self, a: Operand, b: Operand, c: Operand) -> Operand {
        self.op(Opcode::Mad, &[a, b, c])
    }

    /// A polynomial, the highest power first.
    fn polynomial(&mut self, x: Operand, coefficients: &[f32]) -> Operand {
        let mut sum = Operand::float(coefficients[0]);
        for &coefficient in &coefficients[1..] {
            sum = self.mad(sum, x, Operand::float(coefficient));
        }
        sum
    }

    fn tan(&mut self, a: Operand) -> Operand {
        let sine = self.op(Opcode::Sin, &[a]);
        let cosine = self.op(Opcode::Cos, &[a]);
        self.op(Opcode::Div, &[sine, cosine])
    }

    /// π/2 − sqrt(1 − |a|) times a polynomial: the arcsine of the magnitude.
    fn asin_of_magnitude(&mut self, a: Operand, cubic: f32, square: f32) -> Operand {
        let magnitude = a.abs();
        let coefficients = [cubic, square, HALF_PI / 2.0 - 1.0, HALF_PI];
        let magnitude = self.op(Opcode::Mov, &[magnitude]);
        let factor = self.polynomial(magnitude, &coefficients);
        let rest = self.op(Opcode::Add, &[Operand::float(1.0), magnitude.neg()]);
        let root = self.op(Opcode::Sqrt, &[rest]);
        self.mad(root.neg(), factor, Operand::float(HALF_PI))
    }

    fn asin(&mut self, a: Operand) -> Operand {
        let value = self.asin_of_magnitude(a, -0.031_029_55, 0.086_566_724);
        let sign = self.op(Opcode::Ssg, &[a]);
        self.op(Opcode::Mul, &[sign, value])
    }

    fn acos(&mut self, a: Operand) -> Operand {
        let value = self.asin_of_magnitude(a, -0.023_633_18, 0.081_324_63);
        let sign = self.op(Opcode::Ssg, &[a]);
        self.mad(sign.neg(), value, Operand::float(HALF_PI))
    }

    fn atan(&mut self, a: Operand) -> Operand {
        let one = Operand::float(1.0);
        let low = self.op(Opcode::Min, &[a.abs(), one]);
        let high = self.op(Opcode::Max, &[a.abs(), one]);
        let x = self.op(Opcode::Div, &[low, high]);
        let square = self.op(Opcode::Mul, &[x, x]);
        let coefficients =
            [-0.012_132_321, 0.053_681_38, -0.117_350_32, 0.193_892_5, -0.332_675_64, 0.999_979_3];
        let factor = self.polynomial(square, &coefficients);
        let angle = self.op(Opcode::Mul, &[factor, x]);
        // Above 1, the angle is π/2 minus that of the reciprocal.
        let is_steep = self.op(Opcode::Fslt, &[one, a.abs()]);
        let other = self.op(Opcode::Add, &[Operand::float(HALF_PI), angle.neg()]);
        let angle = self.op(Opcode::Ucmp, &[is_steep, other, angle]);
        let sign = self.op(Opcode::Ssg, &[a]);
        self.op(Opcode::Mul, &[angle, sign])
    }

    /// The angle of the point (`x`, `y`), from -π to π.
    pub(super) fn atan2(&mut self, y: Operand, x: Operand) -> Operand {
        let zero = Operand::float(0.0);
        // In the left half-plane, the coordinates are rotated by a quarter turn, which keeps the quotient finite.
        let is_left = self.op(Opcode::Fsge, &[zero, x]);
        let size = [x, y].map(|one| self.op(Opcode::Mov, &[one.abs()]));
        let s = self.op(Opcode::Ucmp, &[is_left, size[0], y]);
        let t = self.op(Opcode::Ucmp, &[is_left, y, size[0]]);
        // A divisor is scaled down if its reciprocal would not be a normal number.
        let is_large = self.op(Opcode::Fsge, &[t.abs(), Operand::float(1e18)]);
        let scale = self.op(Opcode::Ucmp, &[is_large, Operand::float(0.25), Operand::float(1.0)]);
        let scaled = self.op(Opcode::Mul, &[t, scale]);
        let reciprocal = self.op(Opcode::Rcp, &[scaled]);
        let quotient = self.op(Opcode::Mul, &[s, scale]);
        let quotient = self.op(Opcode::Mul, &[quotient, reciprocal]);
        let is_diagonal = self.op(Opcode::Fseq, &[x.abs(), y.abs()]);
        let tangent = self.op(Opcode::Mov, &[quotient.abs()]);
        let tangent = self.op(Opcode::Ucmp, &[is_diagonal, Operand::float(1.0), tangent]);
        let angle = self.atan(tangent);
        let turned = self.op(Opcode::And, &[is_left, Operand::float(HALF_PI)]);
        let angle = self.op(Opcode::Add, &[angle, turned]);
        let lower = self.op(Opcode::Min, &[y, reciprocal]);
        let is_below = self.op(Opcode::Fslt, &[lower, zero]);
        let negative = self.op(Opcode::Mov, &[angle.neg()]);
        self.op(Opcode::Ucmp, &[is_below, negative, angle])
    }

    /// e to the power of `a` and of `-a`, each divided by 2.
    fn exponentials(&mut self, a: Operand) -> (Operand, Operand) {
        let turned = self.op(Opcode::Mul, &[a, Operand::float(std::f32::consts::LOG2_E)]);
        let up = self.op(Opcode::Ex2, &[turned]);
        let down = self.op(Opcode::Ex2, &[turned.neg()]);
        let half = Operand::float(0.5);
        (self.op(Opcode::Mul, &[up, half]), self.op(Opcode::Mul, &[down, half]))
    }

    fn sinh(&mut self, a: Operand) -> Operand {
        let (up, down) = self.exponentials(a);
        self.op(Opcode::Add, &[up, down.neg()])
    }

    fn cosh(&mut self, a: Operand) -> Operand {
        let (up, down) = self.exponentials(a);
        self.op(Opcode::Add, &[up, down])
    }

    fn tanh(&mut self, a: Operand) -> Operand {
        // Beyond ten, the result is exactly one, but exponentials could overflow.
        let low = self.op(Opcode::Max, &[a, Operand::float(-10.0)]);
        let near = self.op(Opcode::Min, &[low, Operand::float(10.0)]);
        let (up, down) = self.exponentials(near);
        let difference = self.op(Opcode::Add, &[up, down.neg()]);
        let sum = self.op(Opcode::Add, &[up, down]);
        self.op(Opcode::Div, &[difference, sum])
    }

    fn ln(&mut self, a: Operand) -> Operand {
        let log = self.op(Opcode::Lg2, &[a]);
        self.op(Opcode::Mul, &[log, Operand::float(std::f32::consts::LN_2)])
    }

    fn asinh(&mut self, a: Operand) -> Operand {
        let square = self.mad(a, a, Operand::float(1.0));
        let root = self.op(Opcode::Sqrt, &[square]);
        let sum = self.op(Opcode::Add, &[root, a.abs()]);
        let log = self.ln(sum);
        let sign = self.op(Opcode::Ssg, &[a]);
        self.op(Opcode::Mul, &[sign, log])
    }

    fn acosh(&mut self, a: Operand) -> Operand {
        let square = self.mad(a, a, Operand::float(-1.0));
        let root = self.op(Opcode::Sqrt, &[square]);
        let sum = self.op(Opcode::Add, &[root, a]);
        self.ln(sum)
    }

    fn atanh(&mut self, a: Operand) -> Operand {
        let one = Operand::float(1.0);
        let above = self.op(Opcode::Add, &[one, a]);
        let below = self.op(Opcode::Add, &[one, a.neg()]);
        let quotient = self.op(Opcode::Div, &[above, below]);
        let log = self.ln(quotient);
        self.op(Opcode::Mul, &[log, Operand::float(0.5)])
    }
}
