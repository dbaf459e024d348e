//! What operations give: the simulator's arithmetic, and where the language leaves freedom.

use r600_codegen::internals::ssa::{AluInst, DotInst, DoubleInst, InstId};
use r600_isa::{AluFlags, AluOp, ResultType, SourceType};
use r600_sim::operation;

use super::super::outcome::End;
use super::super::word::Word;
use super::{Machine, Zeros};

/// What results are off by: a few units in the last place of a float, for approximations of the hardware more.
const ROUNDING: f32 = 1.0 / (1 << 21) as f32;
const APPROXIMATION: f32 = 1.0 / (1 << 19) as f32;

impl Machine<'_> {
    /// Whether a predicate holds, if anything says so.
    pub(super) fn test(&self, op: AluOp, a: Word, b: Word) -> Result<bool, End> {
        let is_open = |word: Word| word.open || self.is_free(op, word);
        if is_open(a) || is_open(b) {
            return Err(End::Open);
        }
        let holds = operation::holds(op, [a.bits, b.bits]);
        holds.ok_or_else(|| End::Broken(format!("{} tests nothing", op.name())))
    }

    pub(super) fn alu(&mut self, id: InstId, alu: &AluInst, words: &[Word]) -> Result<Word, End> {
        let op = alu.op;
        let at = |n: usize| words.get(n).copied().unwrap_or_default();
        if op.is_kill() {
            return if self.test(op, at(0), at(1))? { Err(End::Killed) } else { Ok(at(2)) };
        }
        let src = [0, 1, 2].map(|n| at(n).bits);
        let Some(bits) = operation::compute(op, self.function.chip.generation(), src) else {
            return Ok(self.answers(id, 1, words, 0)?[0]);
        };
        let mut word = Word { bits, ..self.inherited(op, words) };
        if op.info().result == ResultType::Float {
            word.bits = self.rounded(op, bits);
            if gives_either_zero(op, src) {
                word.bits = self.either_zero(word.bits);
            }
        }
        word.bits = operation::modify_result(word.bits, alu.omod, alu.clamp);
        let is_float = op.info().result == ResultType::Float || alu.clamp;
        Ok(self.finished(word, is_float))
    }

    /// What is open about a result because it is about its operands.
    fn inherited(&self, op: AluOp, words: &[Word]) -> Word {
        if op == AluOp::Mov {
            return words[0];
        }
        if op.has(AluFlags::CONDITIONAL_MOVE) {
            // Which one is taken shows when they are told apart.
            let probe = [words[0].bits, 1, 0];
            let taken = operation::compute(op, self.function.chip.generation(), probe);
            let arm = words[if taken == Some(1) { 1 } else { 2 }];
            let is_open = words[0].open || self.is_free(op, words[0]);
            return Word { open: arm.open || is_open, ..arm };
        }
        let open = words.iter().any(|&word| word.open || self.is_free(op, word));
        Word { open, ..Word::default() }
    }

    /// Whether `op` may make anything of `word`: without precision of what is no finite float, and with it of the
    /// kind of a NaN where it is taken for bits.
    fn is_free(&self, op: AluOp, word: Word) -> bool {
        let value = f32::from_bits(word.bits);
        match op.info().source {
            SourceType::Float => !self.inputs.is_precise && !value.is_finite(),
            _ => word.kind_is_open && value.is_nan(),
        }
    }

    /// A result: a float that is not finite is open without precision, and its kind with it.
    fn finished(&self, word: Word, is_float: bool) -> Word {
        let value = f32::from_bits(word.bits);
        let open = word.open || is_float && !self.inputs.is_precise && !value.is_finite();
        let kind_is_open = word.kind_is_open || is_float && value.is_nan();
        Word { bits: word.bits, open, kind_is_open }
    }

    /// A float result, in a run that is off by a little.
    fn rounded(&mut self, op: AluOp, bits: u32) -> u32 {
        let is_precise = self.inputs.is_precise;
        let by = match op {
            _ if self.zeros != Zeros::Any => 0.0,
            _ if is_approximated(op) => APPROXIMATION,
            _ if !is_precise && rounds(op) => ROUNDING,
            _ => 0.0,
        };
        let Some(random) = &mut self.near else { return bits };
        let value = f32::from_bits(bits);
        if value.is_normal() {
            return if by == 0.0 {
                bits
            } else {
                (value * (1.0 + random.float(-by, by))).to_bits()
            };
        }
        let is_small = bits & 0x7f80_0000 == 0;
        match self.zeros {
            _ if !is_small || is_precise => bits,
            Zeros::All(zero) => zero,
            Zeros::Any if random.once_in(2) => (random.below(2) as u32) << 31,
            Zeros::Any => bits,
        }
    }

    /// A zero of either sign, in a run that is off by a little.
    fn either_zero(&mut self, bits: u32) -> u32 {
        let flips = self.near.as_mut().is_some_and(|random| random.once_in(2));
        if flips { bits ^ (1 << 31) } else { bits }
    }

    /// The sum of products, one after the other.
    pub(super) fn dot(&mut self, dot: &DotInst, words: &[Word]) -> Result<Word, End> {
        let generation = self.function.chip.generation();
        let (product, sum) = match dot.ieee {
            true => (AluOp::MulIeee, AluOp::MuladdIeee),
            false => (AluOp::Mul, AluOp::Muladd),
        };
        let mut bits = 0;
        for (n, pair) in words.chunks_exact(2).enumerate() {
            let op = if n == 0 { product } else { sum };
            let src = [pair[0].bits, pair[1].bits, bits];
            let lacks = || End::Broken(format!("the chip has no {}", op.name()));
            bits = operation::compute(op, generation, src).ok_or_else(lacks)?;
            bits = self.rounded(op, bits);
        }
        let bits = operation::modify_result(bits, r600_isa::Omod::None, dot.clamp);
        Ok(self.finished(Word { bits, ..self.inherited(product, words) }, true))
    }

    pub(super) fn double(
        &mut self,
        id: InstId,
        double: &DoubleInst,
        words: &[Word],
    ) -> Result<Vec<Word>, End> {
        let pairs: Vec<[u32; 2]> =
            words.chunks_exact(2).map(|pair| [pair[0].bits, pair[1].bits]).collect();
        let generation = self.function.chip.generation();
        let slots = double.result_slots();
        let open = words.iter().any(|word| word.open);
        match operation::compute_double(double.op, generation, &pairs) {
            Some(results) => Ok(slots
                .iter()
                .map(|&slot| Word { bits: results[slot], open, kind_is_open: true })
                .collect()),
            None => self.answers(id, slots.len(), words, 0),
        }
    }
}

/// Whether `op` rounds what it gives.
fn rounds(op: AluOp) -> bool {
    matches!(
        op,
        AluOp::Add
            | AluOp::Mul
            | AluOp::MulIeee
            | AluOp::Muladd
            | AluOp::MuladdM2
            | AluOp::MuladdM4
            | AluOp::MuladdD2
            | AluOp::MuladdIeee
            | AluOp::Fma
            | AluOp::Fract
            | AluOp::IntToFlt
            | AluOp::UintToFlt
    )
}

/// Whether `op` takes one of two zeros, of which no one says which.
fn gives_either_zero(op: AluOp, [a, b, _]: [u32; 3]) -> bool {
    let is_extremum = matches!(op, AluOp::Max | AluOp::Min | AluOp::MaxDx10 | AluOp::MinDx10);
    is_extremum && a != b && (a | b) == 1 << 31 && (a & b) == 0
}

/// Whether the hardware only comes near to what `op` stands for, so that the compiler may as well.
fn is_approximated(op: AluOp) -> bool {
    matches!(
        op,
        AluOp::ExpIeee
            | AluOp::LogIeee
            | AluOp::LogClamped
            | AluOp::RecipIeee
            | AluOp::RecipClamped
            | AluOp::RecipFf
            | AluOp::RecipsqrtIeee
            | AluOp::RecipsqrtClamped
            | AluOp::RecipsqrtFf
            | AluOp::SqrtIeee
            | AluOp::Sin
            | AluOp::Cos
    )
}
