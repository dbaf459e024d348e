//! Conditional moves.

use r600_isa::{AluOp, Omod};

use crate::legal;
use crate::opt::Goals;
use crate::opt::fold;
use crate::ssa::{AluInst, Function, Operand};

use super::{Rewrite, boolean, is_zero};

/// A test whose outcome is known.
pub(super) fn known_condition(_: &Function, _: &Goals, alu: &AluInst) -> Option<Rewrite> {
    let taken = fold::select_test(alu.op, alu.src.first()?.as_const()?)?;
    Some(Rewrite::Operand(if taken { alu.src[1] } else { alu.src[2] }))
}

/// Arms that say the same.
pub(super) fn equal_arms(_: &Function, _: &Goals, alu: &AluInst) -> Option<Rewrite> {
    (alu.src[1] == alu.src[2]).then(|| Rewrite::Operand(alu.src[1]))
}

/// A select in an arm of another one, with an arm that is the same: one select by both tests. Selects of one
/// branch share what joins the tests.
pub(super) fn nested(function: &Function, _: &Goals, alu: &AluInst) -> Option<Rewrite> {
    if alu.src[0].has_modifier() {
        return None;
    }
    let [test, failed, held] = [alu.src[0], alu.src[1], alu.src[2]];
    let inner = |arm: Operand| {
        let inner = function.def_alu(arm).filter(|_| !arm.has_modifier())?;
        let is_plain = inner.omod == Omod::None && !inner.clamp && !inner.src[0].has_modifier();
        (inner.op == AluOp::CndeInt && is_plain).then_some(inner)
    };
    let joined = Operand::value(super::first());
    if let Some(inner) = inner(failed)
        && inner.src[2] == held
    {
        let either = AluInst::new(AluOp::OrInt, &[test, inner.src[0]]);
        return both(alu, either, [joined, inner.src[1], held]);
    }
    if let Some(inner) = inner(held)
        && inner.src[1] == failed
        && boolean::is_mask(function, test)
        && boolean::is_mask(function, inner.src[0])
    {
        let each = AluInst::new(AluOp::AndInt, &[test, inner.src[0]]);
        return both(alu, each, [joined, failed, inner.src[2]]);
    }
    None
}

/// `test`, and a select by it with the output modifiers of `like`.
fn both(like: &AluInst, test: AluInst, src: [Operand; 3]) -> Option<Rewrite> {
    let mut select = AluInst::new(like.op, &src);
    (select.omod, select.clamp) = (like.omod, like.clamp);
    Some(Rewrite::Two(test, select))
}

/// What an arm reads, through a move that only modifies it.
fn arm(function: &Function, operand: Operand) -> Operand {
    match function.def_alu(operand) {
        Some(mov) if mov.op == AluOp::Mov && !mov.clamp && mov.omod == Omod::None => {
            mov.src[0].modified(operand.neg, operand.abs)
        }
        _ => operand,
    }
}

/// A select of the larger or smaller of what was compared (but for NaN and the sign of zero).
pub(super) fn extremum(function: &Function, goals: &Goals, alu: &AluInst) -> Option<Rewrite> {
    if goals.precise || alu.src[0].has_modifier() {
        return None;
    }
    let compare = function.def_alu(alu.src[0])?;
    if !matches!(compare.op, AluOp::SetgtDx10 | AluOp::SetgeDx10) {
        return None;
    }
    let (a, b) = (compare.src[0], compare.src[1]);
    let (held, failed) = (arm(function, alu.src[2]), arm(function, alu.src[1]));
    let op = match (held, failed) {
        arms if arms == (a, b) => AluOp::MaxDx10,
        arms if arms == (b, a) => AluOp::MinDx10,
        _ => return None,
    };
    let mut inst = AluInst::new(op, &[a, b]);
    inst.clamp = alu.clamp;
    Some(Rewrite::Inst(inst))
}

/// A select between a value and its negation on its sign (but for the sign of zero).
pub(super) fn absolute_value(function: &Function, goals: &Goals, alu: &AluInst) -> Option<Rewrite> {
    if goals.precise {
        return None;
    }
    let (held, failed) = (arm(function, alu.src[1]), arm(function, alu.src[2]));
    let tested = alu.src[0];
    let sign = match held {
        held if held == tested => false,
        held if held == tested.negated() => true,
        _ => return None,
    };
    if failed != held.negated() {
        return None;
    }
    let mut inst = AluInst::new(AluOp::Mov, &[tested.modified(sign, true)]);
    inst.clamp = alu.clamp;
    Some(Rewrite::Inst(inst))
}

/// A select on a mask that a comparison with zero gave makes the comparison itself.
pub(super) fn of_comparison(function: &Function, goals: &Goals, alu: &AluInst) -> Option<Rewrite> {
    if alu.src[0].has_modifier() {
        return None;
    }
    let (held, failed) = (alu.src[2], alu.src[1]);
    let compare = function.def_alu(alu.src[0])?;
    if compare.op == AluOp::NotInt && boolean::is_mask(function, compare.src[0]) {
        return arms(alu, AluOp::CndeInt, compare.src[0], held, failed);
    }
    let (a, b) = (compare.src[0], *compare.src.get(1)?);
    match compare.op {
        AluOp::SetgtDx10 if is_zero(b) => arms(alu, AluOp::Cndgt, a, held, failed),
        AluOp::SetgtDx10 if is_zero(a) => arms(alu, AluOp::Cndgt, b.negated(), held, failed),
        AluOp::SetgeDx10 if is_zero(b) => arms(alu, AluOp::Cndge, a, held, failed),
        AluOp::SetgeDx10 if is_zero(a) => arms(alu, AluOp::Cndge, b.negated(), held, failed),
        AluOp::SeteDx10 if is_zero(b) => arms(alu, AluOp::Cnde, a, held, failed),
        AluOp::SeteDx10 if is_zero(a) => arms(alu, AluOp::Cnde, b, held, failed),
        AluOp::SetneDx10 if is_zero(b) => arms(alu, AluOp::Cnde, a, failed, held),
        AluOp::SetneDx10 if is_zero(a) => arms(alu, AluOp::Cnde, b, failed, held),
        AluOp::SeteInt if b.as_const() == Some(0) => arms(alu, AluOp::CndeInt, a, held, failed),
        AluOp::SetneInt if b.as_const() == Some(0) => arms(alu, AluOp::CndeInt, a, failed, held),
        AluOp::SetgtInt if b.as_const() == Some(0) => arms(alu, AluOp::CndgtInt, a, held, failed),
        AluOp::SetgeInt if b.as_const() == Some(0) => arms(alu, AluOp::CndgeInt, a, held, failed),
        AluOp::SetgtInt if a.as_const() == Some(0) => arms(alu, AluOp::CndgeInt, b, failed, held),
        AluOp::SetgeInt if a.as_const() == Some(0) => arms(alu, AluOp::CndgtInt, b, failed, held),
        _ => difference(goals, alu),
    }
}

/// Comparisons of two values stay: their difference could be taken, but that is no fewer operations.
fn difference(_: &Goals, _: &AluInst) -> Option<Rewrite> {
    None
}

fn arms(
    like: &AluInst,
    op: AluOp,
    test: Operand,
    held: Operand,
    failed: Operand,
) -> Option<Rewrite> {
    let mut inst = AluInst::new(op, &[test, held, failed]);
    inst.clamp = like.clamp;
    inst.src.iter().all(|&src| legal::accepts(op, src)).then_some(Rewrite::Inst(inst))
}

/// A select between 1.0 and 0.0 on a comparison is the comparison with a float result.
pub(super) fn of_mask_constants(function: &Function, _: &Goals, alu: &AluInst) -> Option<Rewrite> {
    if alu.clamp || alu.omod != Omod::None {
        return None;
    }
    let mask = alu.src[0];
    if !boolean::is_mask(function, mask) {
        return None;
    }
    let one = Operand::ONE.as_const();
    match (alu.src[1].as_const(), alu.src[2].as_const()) {
        (Some(0), bits) if bits == one => {
            Some(Rewrite::Inst(AluInst::new(AluOp::AndInt, &[mask, Operand::ONE])))
        }
        (Some(0), Some(u32::MAX)) => Some(Rewrite::Operand(mask)),
        (Some(u32::MAX), Some(0)) => Some(Rewrite::Inst(AluInst::new(AluOp::NotInt, &[mask]))),
        (bits, Some(0)) if bits == one => Some(Rewrite::Two(
            AluInst::new(AluOp::NotInt, &[mask]),
            AluInst::new(AluOp::AndInt, &[Operand::value(super::first()), Operand::ONE]),
        )),
        _ => None,
    }
}
