//! Results of operations: the simulator's arithmetic, with the freedom of the language.

use r600_isa::{AluFlags, AluOp, Generation, Omod, ResultType, SourceType};
use r600_sim::operation;

use crate::random::Random;

use super::inputs::{Freedom, Inputs, mix};
use super::names;
use super::outcome::End;
use super::word::Word;

/// Size of the perturbation: a few units in the last place of a float, more for approximations of the hardware.
const ROUNDING: f32 = 1.0 / (1 << 21) as f32;
const APPROXIMATION: f32 = 1.0 / (1 << 19) as f32;

/// The sign of zeros in a perturbed run. Random signs that meet seldom all agree, least of all while other results are
/// perturbed, so some runs use one sign and are exact otherwise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Zeros {
    /// Of either sign, at random.
    Any,
    /// All of this sign.
    All(u32),
}

impl Zeros {
    fn of_run(number: u64) -> Self {
        match number % 8 {
            0 => Self::All(0),
            1 => Self::All(1 << 31),
            _ => Self::Any,
        }
    }
}

/// An operation with its output modifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Operation {
    pub(super) op: AluOp,
    pub(super) omod: Omod,
    pub(super) clamp: bool,
}

/// The arithmetic of one run.
#[derive(Debug)]
pub(super) struct Arithmetic<'a> {
    inputs: &'a Inputs,
    generation: Generation,
    /// The results that are perturbed, and by how much.
    near: Option<Random>,
    /// The sign of zeros that a perturbed run prefers.
    zeros: Zeros,
}

impl<'a> Arithmetic<'a> {
    /// The arithmetic of a chip. `near` numbers a run with slightly perturbed results.
    pub(super) fn new(inputs: &'a Inputs, generation: Generation, near: Option<u64>) -> Self {
        let random = near.map(|number| Random::new(mix(&[inputs.seed, number, 0x6e65_6172])));
        let zeros = near.map_or(Zeros::Any, Zeros::of_run);
        Self { inputs, generation, near: random, zeros }
    }

    /// Whether a predicate holds, if it is defined.
    pub(super) fn test(&self, op: AluOp, a: Word, b: Word) -> Result<bool, End> {
        let is_open = |word: Word| word.open || self.is_free(op, word);
        if is_open(a) || is_open(b) {
            return Err(End::Open);
        }
        let holds = operation::holds(op, [a.bits, b.bits]);
        holds.ok_or_else(|| End::Broken(format!("{} tests nothing", op.name())))
    }

    /// The result of an operation on single words. Unknown operations are answered by the outside.
    pub(super) fn alu(&mut self, operation: Operation, words: &[Word]) -> Word {
        let Operation { op, omod, clamp } = operation;
        let at = |n: usize| words.get(n).copied().unwrap_or_default();
        let src = [0, 1, 2].map(|n| at(n).bits);
        let Some(bits) = operation::compute(op, self.generation, src) else {
            return self.inputs.answer(names::number(op.name()), 0, words, 0);
        };
        let mut word = Word { bits, ..self.inherited(op, words) };
        if op.info().result == ResultType::Float {
            word.bits = self.rounded(op, bits);
            if gives_either_zero(op, src) {
                word.bits = self.either_zero(word.bits);
            }
        }
        word.bits = operation::modify_result(word.bits, omod, clamp);
        let is_float = op.info().result == ResultType::Float || clamp;
        self.finished(word, is_float)
    }

    /// The freedom that a result inherits from its operands.
    fn inherited(&self, op: AluOp, words: &[Word]) -> Word {
        if op == AluOp::Mov {
            return words[0];
        }
        if op.has(AluFlags::CONDITIONAL_MOVE) {
            // Distinct operands reveal which one is taken.
            let probe = [words[0].bits, 1, 0];
            let taken = operation::compute(op, self.generation, probe);
            let arm = words[if taken == Some(1) { 1 } else { 2 }];
            let is_open = words[0].open || self.is_free(op, words[0]);
            return Word { open: arm.open || is_open, ..arm };
        }
        let open = words.iter().any(|&word| word.open || self.is_free(op, word));
        Word { open, ..Word::default() }
    }

    /// Whether `op` makes `word` undefined: without precision if it is not a finite float; with precision, if its kind
    /// of NaN is read as bits.
    fn is_free(&self, op: AluOp, word: Word) -> bool {
        let value = f32::from_bits(word.bits);
        let shows_kind = word.kind_is_open && value.is_nan();
        match op.info().source {
            // Its result is no float, and holds the sign and the first bits of a NaN.
            SourceType::Float if op == AluOp::Flt32ToFlt16 && shows_kind => true,
            SourceType::Float => self.inputs.freedom == Freedom::Fast && !value.is_finite(),
            _ => shows_kind,
        }
    }

    /// A result. Without precision, a float that is not finite is open, and so is its kind of NaN.
    fn finished(&self, word: Word, is_float: bool) -> Word {
        let value = f32::from_bits(word.bits);
        let freedom = self.inputs.freedom;
        let open = word.open || is_float && freedom == Freedom::Fast && !value.is_finite();
        let is_nan = is_float && freedom != Freedom::None && value.is_nan();
        let kind_is_open = word.kind_is_open || is_nan;
        Word { bits: word.bits, open, kind_is_open }
    }

    /// A float result in a perturbed run.
    fn rounded(&mut self, op: AluOp, bits: u32) -> u32 {
        let is_precise = self.inputs.freedom != Freedom::Fast;
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

    /// A zero of either sign in a perturbed run.
    fn either_zero(&mut self, bits: u32) -> u32 {
        let flips = self.near.as_mut().is_some_and(|random| random.once_in(2));
        if flips { bits ^ (1 << 31) } else { bits }
    }

    /// The sum of products, added in sequence; `is_ieee` selects whether 0 · ∞ is NaN.
    pub(super) fn dot(&mut self, is_ieee: bool, clamp: bool, words: &[Word]) -> Result<Word, End> {
        let (product, sum) = match is_ieee {
            true => (AluOp::MulIeee, AluOp::MuladdIeee),
            false => (AluOp::Mul, AluOp::Muladd),
        };
        let mut bits = 0;
        for (n, pair) in words.chunks_exact(2).enumerate() {
            let op = if n == 0 { product } else { sum };
            bits = self.step(op, [pair[0].bits, pair[1].bits, bits])?;
        }
        let bits = operation::modify_result(bits, Omod::None, clamp);
        Ok(self.finished(Word { bits, ..self.inherited(product, words) }, true))
    }

    /// One of several operations that make up a result.
    fn step(&mut self, op: AluOp, src: [u32; 3]) -> Result<u32, End> {
        let bits = operation::compute(op, self.generation, src)
            .ok_or_else(|| End::Broken(format!("the chip has no {}", op.name())))?;
        Ok(self.rounded(op, bits))
    }

    /// A reduction of four pairs. Its order is undocumented: the smallest products come first, whatever the order of
    /// the pairs.
    pub(super) fn reduction(
        &mut self,
        operation: Operation,
        pairs: &[[Word; 2]; 4],
    ) -> Result<Word, End> {
        let product = match operation.op {
            AluOp::Dot4 => AluOp::Mul,
            AluOp::Dot4Ieee => AluOp::MulIeee,
            other => return Err(End::Broken(format!("{} is not a sum of products", other.name()))),
        };
        let mut products = Vec::new();
        for [a, b] in pairs {
            products.push(self.step(product, [a.bits, b.bits, 0])?);
        }
        products.sort_unstable_by_key(|bits| (bits & 0x7fff_ffff, *bits));
        let mut sum = products[0];
        for &term in &products[1..] {
            sum = self.step(AluOp::Add, [sum, term, 0])?;
        }
        let bits = operation::modify_result(sum, operation.omod, operation.clamp);
        Ok(self.finished(Word { bits, ..self.inherited(product, pairs.as_flattened()) }, true))
    }

    /// An operation on doubles, each with its low half first. Returns the results of the requested slots.
    pub(super) fn double(&self, op: AluOp, slots: &[usize], words: &[Word]) -> Vec<Word> {
        let pairs: Vec<[u32; 2]> =
            words.chunks_exact(2).map(|pair| [pair[0].bits, pair[1].bits]).collect();
        let open = words.iter().any(|word| word.open);
        let kind_is_open = self.inputs.freedom != Freedom::None;
        // The low half of a double from a NaN is no NaN as a float, and holds the last bits of its kind.
        let shows_kind = |word: &Word| word.kind_is_open && f32::from_bits(word.bits).is_nan();
        let opens_low = op == AluOp::Flt32ToFlt64 && words.iter().any(shows_kind);
        match operation::compute_double(op, self.generation, &pairs) {
            Some(results) => {
                let word = |&slot: &usize| {
                    let open = open || opens_low && slot % 2 == 0;
                    Word { bits: results[slot], open, kind_is_open }
                };
                slots.iter().map(word).collect()
            }
            None => (0..slots.len() as u64)
                .map(|n| self.inputs.answer(names::number(op.name()), n, words, 0))
                .collect(),
        }
    }
}

/// Whether `op` rounds its result.
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

/// Whether `op` may return either of two zeros.
fn gives_either_zero(op: AluOp, [a, b, _]: [u32; 3]) -> bool {
    let is_extremum = matches!(op, AluOp::Max | AluOp::Min | AluOp::MaxDx10 | AluOp::MinDx10);
    is_extremum && a != b && (a | b) == 1 << 31 && (a & b) == 0
}

/// Whether the hardware only approximates `op`, so the compiler may, too.
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
