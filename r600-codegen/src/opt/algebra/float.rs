//! Float identities.

use r600_isa::{AluOp, Omod};

use crate::legal;
use crate::opt::Goals;
use crate::ssa::{AluInst, Function, Operand, Source};

use super::{Rewrite, is_float, is_zero};

/// `op` of `src` with the output modifiers of `like`.
fn same_output(like: &AluInst, op: AluOp, src: &[Operand]) -> Rewrite {
    let mut inst = AluInst::new(op, src);
    (inst.omod, inst.clamp) = (like.omod, like.clamp);
    if inst.src.iter().all(|&src| legal::accepts(op, src)) {
        Rewrite::Inst(inst)
    } else {
        Rewrite::None
    }
}

/// `same_output`, as a rule's answer.
fn instead(like: &AluInst, op: AluOp, src: &[Operand]) -> Option<Rewrite> {
    match same_output(like, op, src) {
        Rewrite::None => None,
        rewrite => Some(rewrite),
    }
}

/// `x + 0` is x (but for the sign of zero).
pub(super) fn additive_identity(_: &Function, goals: &Goals, alu: &AluInst) -> Option<Rewrite> {
    let exact = |zero: Operand| zero.as_const() == Some(1 << 31);
    let (a, b) = (alu.src[0], alu.src[1]);
    for (zero, other) in [(a, b), (b, a)] {
        if is_zero(zero) && (!goals.precise || exact(zero)) {
            return Some(Rewrite::Operand(other));
        }
    }
    None
}

/// Whether `op` follows the standard for zero factors, whose product by one keeps its sign.
fn is_ieee(op: AluOp) -> bool {
    matches!(op, AluOp::MulIeee | AluOp::MuladdIeee)
}

/// `x · 1` is x, `x · −1` is −x, `x · 0` is 0 (but for infinities, and the sign where zero wins).
pub(super) fn multiplicative_identity(
    _: &Function,
    goals: &Goals,
    alu: &AluInst,
) -> Option<Rewrite> {
    let (a, b) = (alu.src[0], alu.src[1]);
    let keeps_sign = is_ieee(alu.op) || !goals.precise;
    for (known, other) in [(a, b), (b, a)] {
        if keeps_sign && is_float(known, 1.0) {
            return Some(Rewrite::Operand(other));
        }
        if keeps_sign && is_float(known, -1.0) {
            return Some(Rewrite::Operand(other.negated()));
        }
        if is_zero(known) && !goals.precise {
            return Some(Rewrite::Operand(Operand::ZERO));
        }
    }
    None
}

/// A multiply-add with a factor or summand that makes it simpler.
pub(super) fn multiply_add_identity(_: &Function, goals: &Goals, alu: &AluInst) -> Option<Rewrite> {
    let (a, b, c) = (alu.src[0], alu.src[1], alu.src[2]);
    let keeps_sign = is_ieee(alu.op) || !goals.precise;
    for (known, other) in [(a, b), (b, a)] {
        if keeps_sign && is_float(known, 1.0) {
            return instead(alu, AluOp::Add, &[other, c]);
        }
        if keeps_sign && is_float(known, -1.0) {
            return instead(alu, AluOp::Add, &[other.negated(), c]);
        }
        if is_zero(known) && !goals.precise {
            return Some(Rewrite::Operand(c));
        }
    }
    if is_zero(c) && !goals.precise {
        let op = if alu.op == AluOp::Muladd { AluOp::Mul } else { AluOp::MulIeee };
        return instead(alu, op, &[a, b]);
    }
    None
}

/// `x − x` is 0 (but for infinities).
pub(super) fn subtraction_of_equal(_: &Function, goals: &Goals, alu: &AluInst) -> Option<Rewrite> {
    let zero = !goals.precise && alu.src[0] == alu.src[1].negated();
    zero.then_some(Rewrite::Operand(Operand::ZERO))
}

/// Rounding what is whole already, and the fraction of it.
pub(super) fn rounding_twice(function: &Function, _: &Goals, alu: &AluInst) -> Option<Rewrite> {
    let rounds = |op: AluOp| matches!(op, AluOp::Floor | AluOp::Ceil | AluOp::Trunc | AluOp::Rndne);
    let inner = function.def_alu(*alu.src.first()?)?;
    let whole = rounds(inner.op) || matches!(inner.op, AluOp::IntToFlt | AluOp::UintToFlt);
    // What is halved is no longer whole.
    let is_plain = inner.omod == Omod::None && !inner.clamp;
    (whole && is_plain).then(|| Rewrite::Operand(alu.src[0]))
}

/// The larger or smaller of equal operands.
pub(super) fn extremum_of_equal(_: &Function, _: &Goals, alu: &AluInst) -> Option<Rewrite> {
    (alu.src[0] == alu.src[1]).then(|| Rewrite::Operand(alu.src[0]))
}

/// `max(min(x, 1), 0)` and `min(max(x, 0), 1)` are clamped moves; a NaN gives 0 in the one that is exact. The
/// clamp never gives a negative zero, which a limit of −0 does.
pub(super) fn clamp_of_extrema(
    function: &Function,
    goals: &Goals,
    alu: &AluInst,
) -> Option<Rewrite> {
    if alu.omod != Omod::None {
        return None;
    }
    let (outer_limit, inner_op, inner_limit) = match alu.op {
        AluOp::MaxDx10 => (0.0, AluOp::MinDx10, 1.0),
        AluOp::MinDx10 => (1.0, AluOp::MaxDx10, 0.0),
        _ => return None,
    };
    // min(max(NaN, 0), 1) is 0, as the clamp gives; max(min(NaN, 1), 0) is 1.
    if goals.precise && alu.op == AluOp::MaxDx10 {
        return None;
    }
    let inner = with_limit(alu, outer_limit)?;
    if inner.has_modifier() || !matches!(inner.source, Source::Value(_)) {
        return None;
    }
    let inner = function.def_alu(inner)?;
    if inner.op != inner_op || inner.omod != Omod::None || inner.clamp {
        return None;
    }
    let value = with_limit(inner, inner_limit)?;
    let is_negative_zero = |operand: &Operand| operand.as_const() == Some(1 << 31);
    if goals.precise && inner.src.iter().any(is_negative_zero) {
        return None;
    }
    let mut clamped = AluInst::new(AluOp::Mov, &[value]);
    clamped.clamp = true;
    Some(Rewrite::Inst(clamped))
}

/// The other operand of a two-source operation of which one is `limit`.
fn with_limit(alu: &AluInst, limit: f32) -> Option<Operand> {
    let (a, b) = (alu.src[0], alu.src[1]);
    let is_limit = |operand| is_float(operand, limit) || (limit == 0.0 && is_zero(operand));
    if is_limit(b) {
        Some(a)
    } else if is_limit(a) {
        Some(b)
    } else {
        None
    }
}
