//! Algebra: what an operation can be replaced by.
//!
//! Rules that could change a result (signed zeros, NaN, rounding) hold under the fast-math default only;
//! [`Goals::precise`] leaves the exact ones.

mod boolean;
mod float;
mod powers;
mod select;

use cranelift_entity::EntityRef as _;
use r600_isa::{AluOp, Omod};

use crate::ssa::{AluInst, Function, If, Operand, Value};

use super::Goals;
use super::fold;

/// What becomes of an operation.
pub(super) enum Rewrite {
    /// Nothing better is known.
    None,
    /// Its result (before clamp and multiplier) equals an operand.
    Operand(Operand),
    /// Another operation does the same, or less.
    Inst(AluInst),
    /// Two operations: the second reads the result of the first as [`first`].
    Two(AluInst, AluInst),
}

/// The operand by which the second operation of [`Rewrite::Two`] reads the first.
pub(super) fn first() -> Value {
    Value::new(u32::MAX as usize - 1)
}

/// One attempt to improve an operation.
type Rule = fn(&Function, &Goals, &AluInst) -> Option<Rewrite>;

/// The rules for an operation, cheap ones first.
fn rules_for(op: AluOp) -> &'static [Rule] {
    match op {
        AluOp::Add => &[float::additive_identity, float::subtraction_of_equal],
        AluOp::Mul | AluOp::MulIeee => &[float::multiplicative_identity],
        AluOp::Muladd | AluOp::MuladdIeee => &[float::multiply_add_identity],
        AluOp::Floor | AluOp::Ceil | AluOp::Trunc | AluOp::Rndne => &[float::rounding_twice],
        AluOp::MaxDx10 | AluOp::MinDx10 => &[float::extremum_of_equal, float::clamp_of_extrema],
        AluOp::MaxInt | AluOp::MinInt | AluOp::MaxUint | AluOp::MinUint => {
            &[float::extremum_of_equal]
        }
        AluOp::RecipIeee => &[powers::reciprocal],
        AluOp::ExpIeee => &[powers::exponential_of_multiple],
        AluOp::AndInt => &[boolean::and_of_mask],
        AluOp::OrInt => &[boolean::or_of_masks],
        AluOp::NotInt => &[boolean::complement],
        AluOp::SubInt => &[boolean::int_identity, boolean::double_negation],
        AluOp::AddInt | AluOp::LshlInt | AluOp::LshrInt | AluOp::AshrInt => {
            &[boolean::int_identity]
        }
        AluOp::MulloInt | AluOp::MulloUint => &[boolean::int_identity],
        AluOp::SeteInt | AluOp::SetneInt => &[boolean::compare_of_mask],
        AluOp::Cnde | AluOp::CndgtInt | AluOp::CndgeInt => {
            &[select::known_condition, select::equal_arms]
        }
        AluOp::Cndgt | AluOp::Cndge => {
            &[select::known_condition, select::equal_arms, select::absolute_value]
        }
        AluOp::CndeInt => &[
            select::known_condition,
            select::equal_arms,
            select::nested,
            select::extremum,
            select::of_comparison,
            select::of_mask_constants,
        ],
        _ => &[],
    }
}

/// The best single step for `alu`.
pub(super) fn rewrite(function: &Function, goals: &Goals, alu: &AluInst) -> Rewrite {
    let rules = rules_for(alu.op).iter();
    rules.copied().find_map(|rule| rule(function, goals, alu)).unwrap_or(Rewrite::None)
}

/// Whether `operand` is zero, of either sign.
pub(super) fn is_zero(operand: Operand) -> bool {
    operand.as_const().is_some_and(|bits| bits & !(1 << 31) == 0)
}

/// Whether `operand` is the float `value`.
pub(super) fn is_float(operand: Operand, value: f32) -> bool {
    operand.as_const() == Some(value.to_bits())
}

/// `bits` after the multiplier and clamp of `alu`.
pub(super) fn modify_output(bits: u32, alu: &AluInst) -> u32 {
    let scale = match alu.omod {
        Omod::None if !alu.clamp => return bits,
        Omod::None => 1.0,
        Omod::Times2 => 2.0,
        Omod::Times4 => 4.0,
        Omod::Half => 0.5,
    };
    let value = f32::from_bits(bits) * scale;
    if !alu.clamp {
        return value.to_bits();
    }
    // DX10 clamp: a NaN becomes 0, and so does a negative zero.
    (if value > 0.0 { value.min(1.0) } else { 0.0 }).to_bits()
}

/// Tests directly what a comparison gave as a mask, and swaps arms where the test is for its opposite.
pub(super) fn rewrite_condition(function: &Function, goals: &Goals, branch: &mut If) {
    for _ in 0..8 {
        if !rewrite_condition_once(function, goals, branch) {
            return;
        }
    }
}

fn rewrite_condition_once(function: &Function, goals: &Goals, branch: &mut If) -> bool {
    let condition = &mut branch.condition;
    let against_zero = condition.src[1].as_const() == Some(0);
    let wanted = match condition.op {
        AluOp::PredSetneInt | AluOp::PredSetne if against_zero => true,
        AluOp::PredSeteInt | AluOp::PredSete if against_zero => false,
        _ => return false,
    };
    let is_int = matches!(condition.op, AluOp::PredSetneInt | AluOp::PredSeteInt);
    let Some(compare) = function.def_alu(condition.src[0]) else { return false };
    if compare.clamp || condition.src[0].has_modifier() || compare.omod != Omod::None {
        return false;
    }
    if is_int && compare.op == AluOp::NotInt && boolean::is_mask(function, compare.src[0]) {
        condition.src[0] = compare.src[0];
        condition.op = if wanted { AluOp::PredSeteInt } else { AluOp::PredSetneInt };
        return true;
    }
    // A mask is no float: its bits as a float are NaN, and NaN differs from zero as it should.
    let gives_float =
        matches!(compare.op, AluOp::Sete | AluOp::Setgt | AluOp::Setge | AluOp::Setne);
    if gives_float == is_int && !is_int {
        return false;
    }
    let Some(op) = fold::predicate_of_compare(compare.op) else { return false };
    let src = [compare.src[0], compare.src[1]];
    if wanted {
        condition.op = op;
        condition.src = src;
        return true;
    }
    let Some((op, src)) = boolean::complement_predicate(op, src, goals) else { return false };
    condition.op = op;
    condition.src = src;
    true
}
