//! Rewrites: replacements for operations.
//!
//! They are the rows of `spec/rewrites.ron`, each proved by itself (`cargo xtask prove`). Common rules are stated here.
//! Clamp and multiplier of the matched instruction become those of the result. Inner instructions of a pattern carry
//! neither. Signs are where the row has them. No replacement uses something that the hardware lacks.

mod build;
mod counts;
mod found;
mod kinds;
mod matcher;
mod table;

pub use counts::RewriteCounts;
pub(crate) use table::{Fact, Freedom, Guard, Made, Output, Pattern, Row, Variant};

use arrayvec::ArrayVec;
use cranelift_entity::EntityRef as _;
use pass_manager::Fuel;

use crate::ssa::{AluInst, Condition, Function, Operand, Stake, Value};

pub(super) use matcher::Matcher;

/// What the optimiser may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goals {
    /// Whether rewrites that could change a float result are forbidden.
    pub precise: bool,
}

impl Goals {
    /// What may be taken by a rewrite, which may be of an answer that decides whether a loop ends. A loop that compiled
    /// code never leaves and the shader does is wrong however little its results matter.
    pub(super) fn freedom(&self, stake: Stake) -> Freedom {
        match (self.precise, stake) {
            (true, _) => Freedom::None,
            (false, Stake::SignedZero) => Freedom::Digits,
            (false, Stake::Number) => Freedom::ZeroSigns,
            (false, Stake::Nothing) => Freedom::Finite,
        }
    }
}

/// What an operation becomes.
#[derive(Debug)]
pub(super) struct Replacement {
    /// The number of the row that says so.
    pub(super) row: usize,
    /// What comes first; each reads the results of those before it, and so does the last, by [`step`].
    pub(super) steps: ArrayVec<Step, 4>,
    /// What gives the result.
    pub(super) last: Last,
    /// Values that are read no longer.
    pub(super) eaten: ArrayVec<Value, 4>,
}

/// Something that a replacement needs before it.
#[derive(Debug)]
pub(super) struct Step {
    /// The instruction.
    pub(super) inst: AluInst,
    /// The value that it goes on giving, where it takes the place of the instruction that gave it.
    pub(super) instead: Option<Value>,
}

/// What gives the result of a replacement.
#[derive(Debug)]
pub(super) enum Last {
    /// An operand; clamp and multiplier of the matched instruction are still to be applied.
    Operand(Operand),
    /// An instruction, complete.
    Inst(AluInst),
}

/// The value that stands for the result of step `number` until the step has one.
pub(super) fn step(number: usize) -> Value {
    Value::new(u32::MAX as usize - 1 - number)
}

/// Puts the results of steps where they are read.
pub(super) fn resolve_steps(inst: &mut AluInst, results: &[Operand]) {
    for operand in &mut inst.src {
        let of = |number: &usize| operand.as_value() == Some(step(*number));
        if let Some(number) = (0..results.len()).find(of) {
            *operand = results[number].modified(operand.neg, operand.abs);
        }
    }
}

/// How far conditions of branches are followed.
const LONGEST_CHAIN: usize = 8;

/// Asks for a branch directly what comparisons gave as masks.
pub(super) fn rewrite_condition(
    function: &Function,
    freedom: Freedom,
    condition: &mut Condition,
    counts: &mut RewriteCounts,
    fuel: &mut Fuel,
) {
    for _ in 0..LONGEST_CHAIN {
        let test = AluInst::new(condition.op, &condition.src);
        let Some(found) = Matcher::new(function, freedom).find(&test) else { return };
        let Last::Inst(better) = found.last else { return };
        let [a, b] = better.src.as_slice() else { return };
        if !fuel.burn() {
            return;
        }
        (condition.op, condition.src) = (better.op, [*a, *b]);
        counts.note(found.row);
    }
}
