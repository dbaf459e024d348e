//! 64-bit division, one bit of the quotient per iteration.

use r600_isa::AluOp;

use crate::ssa::{Condition, If, Loop, LoopParam, Node, Operand, Region, Value};

use super::super::Lowering;
use super::{Pair, SIGN_SHIFT};

/// Bits of the quotient.
const NUM_ITERATIONS: Operand = Operand::int(64);

/// Both results of a division.
struct Division {
    quotient: Pair,
    remainder: Pair,
}

impl Lowering<'_> {
    /// All ones for a divisor of 0: every iteration subtracts it.
    pub(super) fn wide_unsigned_quotient(&mut self, n: Pair, d: Pair) -> Pair {
        self.wide_divide(n, d).quotient
    }

    /// All ones for a divisor of 0.
    pub(super) fn wide_unsigned_remainder(&mut self, n: Pair, d: Pair) -> Pair {
        let remainder = self.wide_divide(n, d).remainder;
        self.unless_zero(d, remainder, Operand::int(-1))
    }

    /// Truncated; 0 for a divisor of 0.
    pub(super) fn wide_signed_quotient(&mut self, n: Pair, d: Pair) -> Pair {
        let signs = [self.sign_mask(n), self.sign_mask(d)];
        let magnitudes = [self.wide_absolute(n), self.wide_absolute(d)];
        let quotient = self.wide_divide(magnitudes[0], magnitudes[1]).quotient;
        let sign = self.alu(AluOp::XorInt, &signs);
        let quotient = self.wide_with_sign(quotient, sign);
        self.unless_zero(d, quotient, Operand::ZERO)
    }

    /// With the sign of `n`; −1 for a divisor of 0.
    pub(super) fn wide_signed_remainder(&mut self, n: Pair, d: Pair) -> Pair {
        let sign = self.sign_mask(n);
        let magnitudes = [self.wide_absolute(n), self.wide_absolute(d)];
        let remainder = self.wide_divide(magnitudes[0], magnitudes[1]).remainder;
        let remainder = self.wide_with_sign(remainder, sign);
        self.unless_zero(d, remainder, Operand::int(-1))
    }

    /// `value`, or `other` in both halves if `d` is 0.
    fn unless_zero(&mut self, d: Pair, value: Pair, other: Operand) -> Pair {
        let any = self.alu(AluOp::OrInt, &d);
        self.wide_select(any, value, [other; 2])
    }

    /// Long division. The highest bits of the numerator move into the remainder one by one, and bits of the quotient
    /// take their place from below.
    fn wide_divide(&mut self, n: Pair, d: Pair) -> Division {
        let init = [n[0], n[1], Operand::ZERO, Operand::ZERO, Operand::ZERO];
        let params = init.map(|init| LoopParam { value: self.function.make_phi(), init });
        self.control.open_region();
        let [low, high, rest_low, rest_high, iteration] = params.map(|p| Operand::value(p.value));
        let step = self.division_step([low, high], [rest_low, rest_high], d);
        let next = self.alu(AluOp::AddInt, &[iteration, Operand::int(1)]);
        let [q, r] = [step.quotient, step.remainder];
        let then = Region { nodes: vec![Node::Break(vec![q[0], q[1], r[0], r[1], next])] };
        let condition = Condition { op: AluOp::PredSeteInt, src: [next, NUM_ITERATIONS] };
        let branch = If { condition, then, otherwise: Region::default(), phis: Vec::new() };
        self.control.push(Node::If(Box::new(branch)));
        self.control.push(Node::Continue(vec![q[0], q[1], r[0], r[1], next]));
        let body = self.control.close_region();
        let results: Vec<Value> = params.iter().map(|_| self.function.make_phi()).collect();
        let value = |n: usize| Operand::value(results[n]);
        let division = Division { quotient: [value(0), value(1)], remainder: [value(2), value(3)] };
        let node = Loop { params: params.to_vec(), body, results: results.clone() };
        self.control.push(Node::Loop(Box::new(node)));
        division
    }

    fn division_step(&mut self, n: Pair, rest: Pair, d: Pair) -> Division {
        let one = Operand::int(1);
        let bit = self.alu(AluOp::LshrInt, &[n[1], SIGN_SHIFT]);
        let carry = self.alu(AluOp::AshrInt, &[rest[1], SIGN_SHIFT]);
        let [low, high] = self.wide_shift_left(rest, one);
        let rest = [self.alu(AluOp::OrInt, &[low, bit]), high];
        let is_less = self.wide_greater(d, rest, AluOp::SetgtUint);
        let not_less = self.alu(AluOp::NotInt, &[is_less]);
        let fits = self.alu(AluOp::OrInt, &[carry, not_less]);
        let reduced = self.wide_difference(rest, d);
        let [low, high] = self.wide_shift_left(n, one);
        let bit = self.alu(AluOp::AndInt, &[fits, one]);
        Division {
            quotient: [self.alu(AluOp::OrInt, &[low, bit]), high],
            remainder: self.wide_select(fits, reduced, rest),
        }
    }
}
