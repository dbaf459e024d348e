//! Doubles, on chips with double instructions.

mod convert;
mod round;

use arrayvec::ArrayVec;
use r600_isa::AluOp;
use tgsi_ir::{Instruction, Opcode, Saturate};

use crate::ssa::{DoubleInst, InstData, Operand};

use super::pairs::{Pair, PairFn, PairRoute, PairSource, targets};
use super::{LowerError, Lowering};

/// The sign in a high half.
const SIGN: Operand = Operand::int(i32::MIN);
/// 1.0.
const ONE: Pair = [Operand::ZERO, Operand::constant(0x3FF0_0000)];

/// The function of an opcode on doubles.
pub(super) fn function<'a>(opcode: Opcode) -> Option<PairFn<'a>> {
    arithmetic(opcode)
        .or_else(|| comparison(opcode))
        .or_else(|| round::function(opcode))
        .or_else(|| convert::function(opcode))
}

fn arithmetic<'a>(opcode: Opcode) -> Option<PairFn<'a>> {
    Some(match opcode {
        Opcode::Dadd => |cx, s| Ok(cx.double_of(AluOp::Add64, s)),
        Opcode::Dmul => |cx, s| Ok(cx.double_of(AluOp::Mul64, s)),
        Opcode::Dmin => |cx, s| Ok(cx.double_of(AluOp::Min64, s)),
        Opcode::Dmax => |cx, s| Ok(cx.double_of(AluOp::Max64, s)),
        Opcode::Dfma => |cx, s| Ok(cx.double_of(AluOp::Fma64, s)),
        Opcode::Drcp => |cx, s| Ok(cx.double_of(AluOp::Recip64, s)),
        Opcode::Drsq => |cx, s| Ok(cx.double_of(AluOp::Recipsqrt64, s)),
        Opcode::Dsqrt => |cx, s| Ok(cx.double_of(AluOp::Sqrt64, s)),
        Opcode::Dfrac => |cx, s| Ok(cx.double_of(AluOp::Fract64, s)),
        Opcode::Dmad => |cx, s| {
            let product = cx.double(AluOp::Mul64, &[s[0].pair(), s[1].pair()]);
            Ok(PairSource::Wide(cx.double(AluOp::Add64, &[product, s[2].pair()])))
        },
        Opcode::Ddiv => |cx, s| Ok(PairSource::Wide(cx.double_quotient(s[0].pair(), s[1].pair()))),
        Opcode::Dneg => |cx, s| {
            let [low, high] = s[0].pair();
            Ok(PairSource::Wide([low, cx.flipped(high)]))
        },
        Opcode::Dabs => |cx, s| Ok(PairSource::Wide(cx.double_absolute(s[0].pair()))),
        Opcode::Dssg => |cx, s| Ok(PairSource::Wide(cx.double_sign(s[0].pair()))),
        Opcode::Dldexp => |cx, s| {
            let n = s[1].low();
            Ok(PairSource::Wide(cx.double(AluOp::Ldexp64, &[s[0].pair(), [n, n]])))
        },
        _ => return None,
    })
}

fn comparison<'a>(opcode: Opcode) -> Option<PairFn<'a>> {
    Some(match opcode {
        Opcode::Dslt => |cx, s| Ok(cx.double_test(AluOp::Setgt64, s[1].pair(), s[0].pair())),
        Opcode::Dsge => |cx, s| Ok(cx.double_test(AluOp::Setge64, s[0].pair(), s[1].pair())),
        Opcode::Dseq => |cx, s| Ok(cx.double_test(AluOp::Sete64, s[0].pair(), s[1].pair())),
        Opcode::Dsne => |cx, s| Ok(cx.double_test(AluOp::Setne64, s[0].pair(), s[1].pair())),
        _ => return None,
    })
}

impl Lowering<'_> {
    /// Emits an operation on doubles; returns its results in the order of slots.
    pub(super) fn double_inst(&mut self, op: AluOp, src: &[Pair]) -> ArrayVec<Operand, 4> {
        let src =
            src.iter().map(|pair| [self.plain(pair[0]), self.high_for(op, pair[1])]).collect();
        let results = self.emit(InstData::Double(Box::new(DoubleInst { op, src })));
        results.into_iter().map(Operand::value).collect()
    }

    /// A high half in a form that `op` accepts: operations with three sources accept no absolute values.
    fn high_for(&mut self, op: AluOp, high: Operand) -> Operand {
        if !op.is_op3() || !high.abs {
            return high;
        }
        let magnitude = self.plain_high(high.unmodified().absolute());
        if high.neg { magnitude.negated() } else { magnitude }
    }

    /// A high half without modifiers. Bit operations change the sign: a move with a modifier would treat the half as a
    /// float, and might turn a small one into 0.
    pub(super) fn plain_high(&mut self, high: Operand) -> Operand {
        let bits = high.unmodified();
        match (high.abs, high.neg) {
            (false, false) => high,
            (true, false) => self.alu(AluOp::AndInt, &[bits, Operand::int(i32::MAX)]),
            (true, true) => self.alu(AluOp::OrInt, &[bits, SIGN]),
            (false, true) => self.alu(AluOp::XorInt, &[bits, SIGN]),
        }
    }

    /// An operation whose result is a double.
    pub(super) fn double(&mut self, op: AluOp, src: &[Pair]) -> Pair {
        let results = self.double_inst(op, src);
        [results[0], results[1]]
    }

    fn double_of(&mut self, op: AluOp, sources: &[PairSource]) -> PairSource {
        let pairs: ArrayVec<Pair, 4> = sources.iter().map(|source| source.pair()).collect();
        PairSource::Wide(self.double(op, &pairs))
    }

    /// All ones where a comparison holds.
    pub(super) fn compare_doubles(&mut self, op: AluOp, a: Pair, b: Pair) -> Operand {
        self.double_inst(op, &[a, b])[0]
    }

    fn double_test(&mut self, op: AluOp, a: Pair, b: Pair) -> PairSource {
        PairSource::Narrow(self.compare_doubles(op, a, b))
    }

    /// A high half with its sign flipped, even that of a NaN.
    pub(super) fn flipped(&mut self, high: Operand) -> Operand {
        let high = self.plain_high(high);
        self.alu(AluOp::XorInt, &[high, SIGN])
    }

    /// The quotient of the significands, scaled by the exponents, so that intermediate results neither overflow nor
    /// underflow.
    fn double_quotient(&mut self, a: Pair, b: Pair) -> Pair {
        let a = self.double_inst(AluOp::Frexp64, &[a]);
        let b = self.double_inst(AluOp::Frexp64, &[b]);
        let quotient = self.quotient_of_significands([a[1], a[2]], [b[1], b[2]]);
        let exponent = self.alu(AluOp::SubInt, &[a[0], b[0]]);
        self.double(AluOp::Ldexp64, &[quotient, [exponent; 2]])
    }

    /// Multiplies by the reciprocal, then corrects the quotient by its remainder. Zeros, infinities and NaN are their
    /// own significands, and their correction is NaN; then the first quotient stands. The sign is always that of the
    /// first quotient, because the correction may lose the sign of a zero.
    fn quotient_of_significands(&mut self, a: Pair, b: Pair) -> Pair {
        let reciprocal = self.double(AluOp::Recip64, &[b]);
        let quotient = self.double(AluOp::Mul64, &[a, reciprocal]);
        let negated = [quotient[0], self.flipped(quotient[1])];
        let rest = self.double(AluOp::Fma64, &[negated, b, a]);
        let better = self.double(AluOp::Fma64, &[rest, reciprocal, quotient]);
        let magnitude = Operand::int(i32::MAX);
        let high = self.alu(AluOp::BfiInt, &[magnitude, better[1], quotient[1]]);
        let better = [better[0], high];
        let is_number = self.compare_doubles(AluOp::Sete64, better, better);
        self.wide_select(is_number, better, quotient)
    }

    /// The value if it is not less than 0, else its negation. −0 keeps its sign.
    fn double_absolute(&mut self, a: Pair) -> Pair {
        let is_kept = self.compare_doubles(AluOp::Setge64, a, [Operand::ZERO; 2]);
        let high = self.plain_high(a[1]);
        let flipped = self.flipped(high);
        [a[0], self.select_bits(is_kept, high, flipped)]
    }

    /// −1, 0 or 1.
    fn double_sign(&mut self, a: Pair) -> Pair {
        let zero = [Operand::ZERO; 2];
        let is_positive = self.compare_doubles(AluOp::Setgt64, a, zero);
        let is_negative = self.compare_doubles(AluOp::Setgt64, zero, a);
        let plus = self.alu(AluOp::AndInt, &[is_positive, ONE[1]]);
        let minus = self.alu(AluOp::AndInt, &[is_negative, Operand::constant(0xBFF0_0000)]);
        [Operand::ZERO, self.alu(AluOp::OrInt, &[plus, minus])]
    }

    /// Clamped to 0…1; a NaN gives 0.
    pub(super) fn saturated_double(&mut self, value: Pair) -> Result<Pair, LowerError> {
        let raised = self.double(AluOp::Max64, &[value, [Operand::ZERO; 2]]);
        Ok(self.double(AluOp::Min64, &[raised, ONE]))
    }

    /// `DFRACEXP`: significand to the first destination, exponent to the second.
    pub(super) fn fraction_and_exponent(&mut self, inst: &Instruction) -> Result<(), LowerError> {
        let value = self.wide_source(inst, 0, 0)?;
        let results = self.double_inst(AluOp::Frexp64, &[value]);
        let mut significand = PairSource::Wide([results[1], results[2]]);
        if inst.saturate != Saturate::None {
            significand = self.saturated_pair(inst, PairRoute::Wide, significand)?;
        }
        if let Some(dst) = inst.dst.first() {
            for to in targets(PairRoute::Wide, dst.mask).into_iter().flatten() {
                self.write_pair(dst, to, significand)?;
            }
        }
        if let Some(dst) = inst.dst.get(1) {
            for component in dst.mask.iter() {
                self.write_channel(dst, component, results[0])?;
            }
        }
        Ok(())
    }
}
