//! Conditional moves.

use r600_isa::{AluOp, Omod};

use crate::legal;
use crate::opt::Goals;
use crate::opt::fold;
use crate::ssa::{AluInst, Function, Operand};

use super::{Rewrite, boolean, is_zero};

fn is_select(op: AluOp) -> bool {
    matches!(
        op,
        AluOp::Cnde
            | AluOp::Cndgt
            | AluOp::Cndge
            | AluOp::CndeInt
            | AluOp::CndgtInt
            | AluOp::CndgeInt
    )
}

/// A test whose outcome is known.
pub(super) fn known_condition(_: &Function, _: &Goals, alu: &AluInst) -> Option<Rewrite> {
    let taken = fold::select_test(alu.op, alu.src.first()?.as_const()?)?;
    Some(Rewrite::Operand(if taken { alu.src[1] } else { alu.src[2] }))
}

/// Arms that say the same.
pub(super) fn equal_arms(_: &Function, _: &Goals, alu: &AluInst) -> Option<Rewrite> {
    (is_select(alu.op) && alu.src[1] == alu.src[2]).then(|| Rewrite::Operand(alu.src[1]))
}

/// A select on a mask that a comparison with zero gave makes the comparison itself.
pub(super) fn of_comparison(function: &Function, goals: &Goals, alu: &AluInst) -> Option<Rewrite> {
    if alu.op != AluOp::CndeInt || alu.src[0].has_modifier() {
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
    if alu.op != AluOp::CndeInt || alu.clamp || alu.omod != Omod::None {
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
