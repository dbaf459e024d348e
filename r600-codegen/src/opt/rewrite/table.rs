//! The types of the rows that `generated/rewrites.rs` holds.

use r600_isa::{AluOp, Omod};

use super::kinds::Kinds;

/// A row without its pattern.
pub(crate) struct Row {
    /// Its name.
    pub(crate) name: &'static str,
    /// The freedom that it takes.
    pub(crate) takes: Freedom,
    /// Whether it holds only if the result is clamped.
    pub(crate) is_clamped: bool,
    /// Conditions on the operands bound to its names.
    pub(crate) guards: &'static [Guard],
    /// The result.
    pub(crate) made: Made,
}

/// The freedom that rewrites may take, the least first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Freedom {
    /// None: results have the same bits, whatever the values.
    None,
    /// Digits may differ, and denormals may become zeros, as on the chips. NaN, infinities and zeros of either sign
    /// stay as they are.
    Digits,
    /// Digits and the signs of zeros may differ.
    ZeroSigns,
    /// Assumes that nothing is NaN or infinite and that zeros have no sign.
    Finite,
}

/// One way in which a row matches: commutative operands are written out in every order.
pub(crate) struct Variant {
    /// The number of the row.
    row: u16,
    /// The patterns of the operands.
    pub(crate) args: &'static [Pattern],
    /// The kinds of operands that the patterns require.
    pub(super) asks_for: Kinds,
}

impl Variant {
    /// A variant of the row with this number.
    pub(crate) const fn new(row: u16, args: &'static [Pattern]) -> Self {
        Self { row, args, asks_for: asked_by(args) }
    }

    /// The number of the row.
    pub(super) fn row(&self) -> usize {
        self.row.into()
    }
}

/// The kinds of operands that `patterns` require, in any order.
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

/// A pattern for an operand. Names are numbers.
pub(crate) enum Pattern {
    /// Any operand, which is bound to this name.
    Bind(usize),
    /// The operand that is bound to this name, negated if the flag is set.
    Again(usize, bool),
    /// The constant with these bits.
    Bits(u32),
    /// Any constant, which is bound to this name.
    Constant(usize),
    /// The result of any operation that nothing else reads, which is bound to this name. The operand may have modifiers
    /// if the flag is set.
    Any(usize, bool),
    /// The result of an operation without output modifiers.
    Inst {
        /// The operation.
        op: AluOp,
        /// Whether the operand is negated.
        is_negated: bool,
        /// Whether nothing else may read the result.
        is_alone: bool,
        /// Its operands.
        args: &'static [Pattern],
    },
}

/// The result of a row.
pub(crate) enum Made {
    /// The operand that is bound to `of`, with modifiers on top of its own.
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
    /// A function of the constant that is bound to this name.
    Computed(fn(u32) -> u32, usize),
    /// The instruction that defines the operand bound to `of`, with additional output modifiers. Its result is read
    /// with the modifiers of that operand.
    Same {
        /// Its number.
        of: usize,
        /// The output modifiers after its own.
        output: Output,
    },
    /// An instruction.
    Inst {
        /// The operation.
        op: AluOp,
        /// Its output modifiers.
        output: Output,
        /// Its operands.
        args: &'static [Made],
    },
}

/// A condition on the operand that is bound to a name.
pub(crate) enum Guard {
    /// A fact that its defining instruction implies.
    Fact(&'static Fact, usize),
    /// A property of a constant.
    Test(fn(u32) -> bool, usize),
}

/// A property of values that their defining instructions imply.
pub(crate) struct Fact {
    /// Whether a constant has it.
    pub(crate) holds: fn(u32) -> bool,
    /// Operations whose unmodified results have it.
    pub(crate) given_by: &'static [AluOp],
    /// Operations whose unmodified results have it if all sources do.
    pub(crate) through: &'static [AluOp],
    /// Whether a value keeps it if its sign changes.
    pub(crate) keeps_signs: bool,
}

/// Output modifiers: the multiplier, then the clamp.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Output {
    /// The multiplier.
    pub(crate) omod: Omod,
    /// Whether it is clamped.
    pub(crate) clamp: bool,
}

impl Output {
    /// This followed by `outer`, if the hardware can do both at once.
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
    fn patterns_request_what_they_name() {
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
