//! Integer division, exact for every pair of operands.
//!
//! The hardware estimates 2³²/d. One refinement step with the signed error of the estimate brings the quotient within
//! one of the exact result; the remainder then tells how to correct it. The sequence is the open driver's, with TGSI's
//! results for a zero divisor. Division by a constant uses a product and shifts.

use r600_isa::{AluOp, Generation};

use crate::quotient::{Way, way};
use crate::ssa::Operand;

use super::Lowering;

/// 2³² as a float.
const TWO_TO_32: Operand = Operand::constant(0x4F80_0000);

/// Quotient and remainder before sign and zero are dealt with.
struct Quotient {
    quotient: Operand,
    remainder: Operand,
}

/// A quotient that may be off by one.
struct Rough {
    quotient: Operand,
    /// Quotient times divisor.
    product: Operand,
    remainder: Operand,
}

impl Lowering<'_> {
    /// `n / d`; all ones for d = 0.
    pub(super) fn unsigned_quotient(&mut self, src: &[Operand]) -> Operand {
        let [n, d] = [src[0], src[1]];
        let result = self.divide(n, d).quotient;
        self.select_bits(d, result, Operand::int(-1))
    }

    /// `n mod d`; all ones for d = 0.
    pub(super) fn unsigned_remainder(&mut self, src: &[Operand]) -> Operand {
        let [n, d] = [src[0], src[1]];
        let result = self.divide(n, d).remainder;
        self.select_bits(d, result, Operand::int(-1))
    }

    /// `n / d` truncated; 0 for d = 0.
    pub(super) fn signed_quotient(&mut self, src: &[Operand]) -> Operand {
        let [n, d] = [src[0], src[1]];
        let sign = match d.as_const() {
            Some(bits) if bits.cast_signed() >= 0 => n,
            _ => self.alu(AluOp::XorInt, &[n, d]),
        };
        let magnitudes = [self.magnitude(n), self.magnitude(d)];
        let result = self.divide(magnitudes[0], magnitudes[1]).quotient;
        let result = self.with_sign_of(sign, result);
        self.select_bits(d, result, Operand::ZERO)
    }

    /// The remainder with the sign of n; −1 for d = 0.
    pub(super) fn signed_remainder(&mut self, src: &[Operand]) -> Operand {
        let [n, d] = [src[0], src[1]];
        let magnitudes = [self.magnitude(n), self.magnitude(d)];
        let result = self.divide(magnitudes[0], magnitudes[1]).remainder;
        let result = self.with_sign_of(n, result);
        self.select_bits(d, result, Operand::int(-1))
    }

    /// The magnitude of a signed number, as an unsigned number so that it always fits.
    fn magnitude(&mut self, value: Operand) -> Operand {
        match value.as_const() {
            Some(bits) => Operand::constant(bits.cast_signed().unsigned_abs()),
            None => self.integer_absolute(&[value]),
        }
    }

    /// `value`, negated where `sign` is negative.
    fn with_sign_of(&mut self, sign: Operand, value: Operand) -> Operand {
        let negated = self.alu(AluOp::SubInt, &[Operand::ZERO, value]);
        self.alu(AluOp::CndgeInt, &[sign, value, negated])
    }

    /// Unsigned division for d ≠ 0.
    fn divide(&mut self, n: Operand, d: Operand) -> Quotient {
        if let Some(way) = d.as_const().and_then(way) {
            return self.divide_by_constant(n, d, way);
        }
        let estimate = self.reciprocal_estimate(d);
        let estimate = self.refine(estimate, d);
        let quotient = self.alu(AluOp::MulhiUint, &[estimate, n]);
        let product = self.alu(AluOp::MulloUint, &[quotient, d]);
        let remainder = self.alu(AluOp::SubInt, &[n, product]);
        self.correct(n, d, &Rough { quotient, product, remainder })
    }

    fn divide_by_constant(&mut self, n: Operand, d: Operand, way: Way) -> Quotient {
        let quotient = way.emit(n, Operand::constant, |op, src| self.alu(op, &src));
        let product = match way {
            Way::Shift(shift) => self.alu(AluOp::LshlInt, &[quotient, Operand::constant(shift)]),
            _ => self.alu(AluOp::MulloUint, &[quotient, d]),
        };
        Quotient { quotient, remainder: self.alu(AluOp::SubInt, &[n, product]) }
    }

    /// About 2³²/d.
    fn reciprocal_estimate(&mut self, d: Operand) -> Operand {
        match self.generation {
            Generation::Cayman => {
                let float = self.alu(AluOp::UintToFlt, &[d]);
                let reciprocal = self.alu(AluOp::RecipIeee, &[float]);
                // Rounded rather than truncated: a small estimate must not be one too small.
                let scaled = self.alu(AluOp::MuladdIeee, &[reciprocal, TWO_TO_32, Operand::HALF]);
                self.alu(AluOp::FltToUint, &[scaled])
            }
            Generation::R600 | Generation::R700 | Generation::Evergreen => {
                self.alu(AluOp::RecipUint, &[d])
            }
        }
    }

    /// Corrects an estimate by its own error: `estimate · d` should be 2³², so its low half should be 0, with a carry
    /// into the high half.
    ///
    /// An estimate that is too small is raised by its error divided by `d`, rounded up; for that, `d` less one is added
    /// to the error. Rounded down, the estimate might stay more than one too small, and quotients might be two too
    /// small.
    fn refine(&mut self, estimate: Operand, d: Operand) -> Operand {
        let low = self.alu(AluOp::MulloUint, &[estimate, d]);
        let high = self.alu(AluOp::MulhiUint, &[estimate, d]);
        let all_but_one = self.alu(AluOp::AddInt, &[d, Operand::int(-1)]);
        let missing = self.alu(AluOp::SubInt, &[all_but_one, low]);
        let error = self.alu(AluOp::CndeInt, &[high, missing, low]);
        let step = self.alu(AluOp::MulhiUint, &[error, estimate]);
        let smaller = self.alu(AluOp::SubInt, &[estimate, step]);
        let larger = self.alu(AluOp::AddInt, &[estimate, step]);
        self.alu(AluOp::CndeInt, &[high, larger, smaller])
    }

    /// Corrects a quotient that may be one too small or too large, by its remainder.
    fn correct(&mut self, n: Operand, d: Operand, rough: &Rough) -> Quotient {
        let too_small = self.alu(AluOp::SetgeUint, &[rough.remainder, d]);
        let not_too_large = self.alu(AluOp::SetgeUint, &[n, rough.product]);
        let up = self.alu(AluOp::AndInt, &[too_small, not_too_large]);
        let mut pick = |raised: [AluOp; 2], step: Operand, value: Operand| {
            let increased = self.alu(raised[0], &[value, step]);
            let decreased = self.alu(raised[1], &[value, step]);
            let within = self.select_bits(up, increased, value);
            self.select_bits(not_too_large, within, decreased)
        };
        let one = Operand::int(1);
        Quotient {
            quotient: pick([AluOp::AddInt, AluOp::SubInt], one, rough.quotient),
            remainder: pick([AluOp::SubInt, AluOp::AddInt], d, rough.remainder),
        }
    }
}
