//! Rewrites: replacements for operations.
//!
//! The rewrites are the rows of `spec/rewrites.ron`, each proved by itself (`cargo xtask prove`). Some rules are common
//! to all. Clamp and multiplier of the matched instruction become those of the result. Inner instructions that a
//! pattern names have neither. Modifiers of operands are those that the row states. A replacement that the hardware
//! lacks is not made.

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
    /// The freedom that a rewrite of a value has, given how loop termination depends on the value. A compiled loop that
    /// never ends although the shader's loop does is wrong, even if its results hardly matter.
    pub(super) fn freedom(&self, stake: Stake) -> Freedom {
        match (self.precise, stake) {
            (true, _) => Freedom::None,
            (false, Stake::SignedZero) => Freedom::Digits,
            (false, Stake::Number) => Freedom::ZeroSigns,
            (false, Stake::Nothing) => Freedom::Finite,
        }
    }
}

/// The replacement of an operation.
#[derive(Debug)]
pub(super) struct Replacement {
    /// The number of the row.
    pub(super) row: usize,
    /// The instructions before the last. Each step, and the last instruction, refers to results of earlier steps by
    /// [`step`].
    pub(super) steps: ArrayVec<Step, 4>,
    /// The operand or instruction that gives the result.
    pub(super) last: Last,
    /// Values whose only use was in the matched instructions.
    pub(super) eaten: ArrayVec<Value, 4>,
}

/// An instruction that a replacement needs before it.
#[derive(Debug)]
pub(super) struct Step {
    /// The instruction.
    pub(super) inst: AluInst,
    /// The value that the instruction defines in place of the previous definition, if it replaces one.
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

/// A placeholder for the result of step `number`.
pub(super) fn step(number: usize) -> Value {
    Value::new(u32::MAX as usize - 1 - number)
}

/// Replaces placeholders by the results of steps.
pub(super) fn resolve_steps(inst: &mut AluInst, results: &[Operand]) {
    for operand in &mut inst.src {
        let of = |number: &usize| operand.as_value() == Some(step(*number));
        if let Some(number) = (0..results.len()).find(of) {
            *operand = results[number].modified(operand.neg, operand.abs);
        }
    }
}

/// The most rewrites of one branch condition.
const LONGEST_CHAIN: usize = 8;

/// Rewrites the condition of a branch, for example a test of a comparison's mask into the comparison itself.
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
