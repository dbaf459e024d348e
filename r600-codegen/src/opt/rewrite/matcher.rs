//! Finds the row that matches an instruction.

use r600_isa::{AluOp, Omod};

use crate::generated::rewrites::{ROWS, fusions, variants};
use crate::ssa::{AluInst, Function, Operand, Uses};

use super::Replacement;
use super::build::build;
use super::found::Match;
use super::kinds::Kinds;
use super::table::{Fact, Freedom, Guard, Output, Pattern, Row, Variant};

/// The most operations through which a fact is followed.
const DEPTH: u32 = 8;

/// Finds rows that match.
pub(in crate::opt) struct Matcher<'a> {
    pub(super) function: &'a Function,
    /// The most freedom that a row may take.
    freedom: Freedom,
    /// Use counts of values. With them only fusion rows are tried, without them only the other rows.
    uses: Option<&'a Uses>,
}

impl<'a> Matcher<'a> {
    /// A matcher for rows that do not depend on use counts.
    pub(in crate::opt) fn new(function: &'a Function, freedom: Freedom) -> Self {
        Self { function, freedom, uses: None }
    }

    /// A matcher for fusion rows, which combine an operation with its only reader.
    pub(in crate::opt) fn of_fusions(
        function: &'a Function,
        freedom: Freedom,
        uses: &'a Uses,
    ) -> Self {
        Self { uses: Some(uses), ..Self::new(function, freedom) }
    }

    /// The replacement of `root` by the first row that matches.
    pub(in crate::opt) fn find(&self, root: &AluInst) -> Option<Replacement> {
        let candidates = if self.uses.is_some() { fusions(root.op) } else { variants(root.op) };
        if candidates.is_empty() {
            return None;
        }
        let kinds = Kinds::of(self.function, &root.src);
        let mut possible = candidates.iter().filter(|variant| kinds.has(variant.asks_for));
        possible.find_map(|variant| self.attempt(variant, root))
    }

    fn attempt(&self, variant: &Variant, root: &AluInst) -> Option<Replacement> {
        let row: &Row = ROWS.get(variant.row())?;
        if row.takes > self.freedom || row.is_clamped && !root.clamp {
            return None;
        }
        let mut found = Match::default();
        let matches = self.all(variant.args, &root.src, &mut found)
            && row.guards.iter().all(|guard| self.holds(guard, &found));
        if !matches {
            return None;
        }
        let output = Output { omod: root.omod, clamp: root.clamp };
        let (steps, last) = build(self.function, &row.made, output, &found)?;
        Some(Replacement { row: variant.row(), steps, last, eaten: found.eaten })
    }

    fn all(&self, patterns: &[Pattern], operands: &[Operand], found: &mut Match) -> bool {
        patterns.len() == operands.len()
            && patterns
                .iter()
                .zip(operands)
                .all(|(pattern, &operand)| self.matches(pattern, operand, found))
    }

    fn matches(&self, pattern: &Pattern, operand: Operand, found: &mut Match) -> bool {
        match *pattern {
            Pattern::Bind(number) => found.bind(number, operand),
            Pattern::Again(number, neg) => found
                .get(number)
                .is_some_and(|known| self.is_same(operand, known.modified(neg, false))),
            Pattern::Bits(bits) => operand.as_const() == Some(bits),
            Pattern::Constant(number) => {
                operand.as_const().is_some() && found.bind(number, operand)
            }
            Pattern::Any(number, is_signed) => {
                (is_signed || !operand.has_modifier())
                    && self.function.def_alu(operand).is_some_and(|def| !def.op.is_kill())
                    && self.eat(operand, found)
                    && found.bind(number, operand)
            }
            Pattern::Inst { op, is_negated, is_alone, args } => {
                if operand.abs || operand.neg != is_negated {
                    return false;
                }
                let Some(def) = self.function.def_alu(operand) else { return false };
                def.op == op
                    && is_plain(def)
                    && (!is_alone || self.eat(operand, found))
                    && self.all(args, &def.src, found)
            }
        }
    }

    /// Records that this is the only use of `operand`; false if it is not.
    fn eat(&self, operand: Operand, found: &mut Match) -> bool {
        let Some((value, uses)) = operand.as_value().zip(self.uses) else { return false };
        uses[value] == 1 && found.eaten.try_push(value).is_ok()
    }

    /// Whether two operands are equal, possibly after looking through moves: some moves stay because the operation does
    /// not accept their modifiers.
    fn is_same(&self, a: Operand, b: Operand) -> bool {
        a == b || self.through_move(a) == self.through_move(b)
    }

    fn through_move(&self, operand: Operand) -> Operand {
        match self.function.def_alu(operand) {
            Some(mov) if mov.op == AluOp::Mov && is_plain(mov) => {
                mov.src[0].modified(operand.neg, operand.abs)
            }
            _ => operand,
        }
    }

    fn holds(&self, guard: &Guard, found: &Match) -> bool {
        match *guard {
            Guard::Fact(fact, number) => {
                found.get(number).is_some_and(|operand| self.is_fact(fact, operand, DEPTH))
            }
            Guard::Test(test, number) => {
                found.get(number).and_then(Operand::as_const).is_some_and(test)
            }
        }
    }

    /// Whether `fact` holds of `operand` in every lane.
    fn is_fact(&self, fact: &Fact, operand: Operand, depth: u32) -> bool {
        if let Some(bits) = operand.as_const() {
            return (fact.holds)(bits);
        }
        if depth == 0 || operand.has_modifier() && !fact.keeps_signs {
            return false;
        }
        let Some(def) = self.function.def_alu(operand).filter(|def| is_plain(def)) else {
            return false;
        };
        fact.given_by.contains(&def.op)
            || fact.through.contains(&def.op)
                && def.src.iter().all(|&src| self.is_fact(fact, src, depth - 1))
    }
}

/// Whether an instruction has no output modifiers.
fn is_plain(inst: &AluInst) -> bool {
    inst.omod == Omod::None && !inst.clamp
}
