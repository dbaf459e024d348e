//! The form of the rows that `generated/rewrites.rs` holds.

use r600_isa::{AluOp, Omod};

use super::kinds::Kinds;

/// What a row says besides its pattern.
pub(crate) struct Row {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it takes.
    pub(crate) takes: Freedom,
    /// Whether it holds only where the result is clamped.
    pub(crate) is_clamped: bool,
    /// What must be true of what its names stand for.
    pub(crate) guards: &'static [Guard],
    /// The result.
    pub(crate) made: Made,
}

/// What rewrites may take, the less first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Freedom {
    /// None: results have the same bits, whatever the values.
    None,
    /// Digits may differ, and denormals may be zeros, as chips make them; what is NaN, infinite or a zero of either sign
    /// stays so.
    Digits,
    /// Digits and the signs of zeros may differ.
    ZeroSigns,
    /// Nothing is NaN or infinite, and zeros have no sign.
    Finite,
}

/// One way in which a row matches: commutative operands are written out in every order.
pub(crate) struct Variant {
    /// The number of the row.
    row: u16,
    /// The operands of the operation.
    pub(crate) args: &'static [Pattern],
    /// What must be among these.
    pub(super) asks_for: Kinds,
}

impl Variant {
    /// A way in which the row of this number matches.
    pub(crate) const fn new(row: u16, args: &'static [Pattern]) -> Self {
        Self { row, args, asks_for: asked_by(args) }
    }

    /// The number of the row.
    pub(super) fn row(&self) -> usize {
        self.row.into()
    }
}

/// What must be among the operands for `patterns` to match, in whatever order.
const fn asked_by(patterns: &[Pattern]) -> Kinds {
    let (mut asked, mut at) = (Kinds::NONE, 0);
    while at < patterns.len() {
        asked = asked.with(match patterns[at] {
            Pattern::Bind(_) | Pattern::Again(..) => Kinds::NONE,
            Pattern::Bits(_) | Pattern::Constant(_) => Kinds::CONSTANT,
            Pattern::Any(..) => Kinds::RESULT,
            Pattern::Inst { op, .. } => Kinds::result_of(op),
        });
        at += 1;
    }
    asked
}

/// An operand of a pattern. Numbers stand for names.
pub(crate) enum Pattern {
    /// Anything, from now on known as this.
    Bind(usize),
    /// What is known as this, or its negation.
    Again(usize, bool),
    /// A constant of these bits.
    Bits(u32),
    /// Any constant, from now on known as this.
    Constant(usize),
    /// The result of any operation, which nothing else reads, from now on known as this; whether signs may be
    /// changed where it is read.
    Any(usize, bool),
    /// The unmodified result of an operation.
    Inst {
        /// The operation.
        op: AluOp,
        /// Whether it is read with its sign changed.
        is_negated: bool,
        /// Whether nothing else may read it.
        is_alone: bool,
        /// Its operands.
        args: &'static [Pattern],
    },
}

/// What a row makes.
pub(crate) enum Made {
    /// What is known as `of`, with a sign.
    Operand {
        /// Its number.
        of: usize,
        /// Whether it is negated.
        neg: bool,
        /// Whether its absolute value is taken first.
        abs: bool,
    },
    /// A constant.
    Bits(u32),
    /// A constant that depends on the one that is known so.
    Computed(fn(u32) -> u32, usize),
    /// The instruction whose result is known as `of`, with another output; it is read with the signs of that.
    Same {
        /// Its number.
        of: usize,
        /// What happens to its result after what happens there.
        output: Output,
    },
    /// An instruction.
    Inst {
        /// What it does.
        op: AluOp,
        /// What happens to its result.
        output: Output,
        /// Its operands.
        args: &'static [Made],
    },
}

/// A condition on what is known by a number.
pub(crate) enum Guard {
    /// What the instruction that gives it tells.
    Fact(&'static Fact, usize),
    /// A property of a constant.
    Test(fn(u32) -> bool, usize),
}

/// A property of values that instructions tell.
pub(crate) struct Fact {
    /// Whether a constant has it.
    pub(crate) holds: fn(u32) -> bool,
    /// Operations whose unmodified results have it.
    pub(crate) given_by: &'static [AluOp],
    /// Operations whose unmodified results have it where all sources do.
    pub(crate) through: &'static [AluOp],
    /// Whether a value keeps it when its sign is changed.
    pub(crate) keeps_signs: bool,
}

/// What happens to a result on its way out: the multiplier, then the clamp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Output {
    /// The multiplier.
    pub(crate) omod: Omod,
    /// Whether it is clamped.
    pub(crate) clamp: bool,
}

impl Output {
    /// `outer` after this as one, where the hardware can say that.
    pub(crate) fn then(self, outer: Self) -> Option<Self> {
        let omod = match (self.omod, outer.omod) {
            (omod, Omod::None) => omod,
            (Omod::None, omod) if !self.clamp => omod,
            _ => return None,
        };
        Some(Self { omod, clamp: self.clamp || outer.clamp })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_ask_for_what_they_name() {
        let floor =
            Pattern::Inst { op: AluOp::Floor, is_negated: true, is_alone: false, args: &[] };
        let asked = asked_by(&[Pattern::Bind(0), Pattern::Again(0, true)]);
        assert_eq!(asked, Kinds::NONE);
        assert_eq!(asked_by(&[Pattern::Bind(0), Pattern::Bits(0)]), Kinds::CONSTANT);
        assert_eq!(asked_by(&[Pattern::Any(0, true), Pattern::Bind(1)]), Kinds::RESULT);
        let both = Kinds::CONSTANT.with(Kinds::result_of(AluOp::Floor));
        assert_eq!(asked_by(&[floor, Pattern::Constant(0)]), both);
    }
}
