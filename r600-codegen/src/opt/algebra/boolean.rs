//! Masks (all ones or zero), and identities of integers.

use r600_isa::{AluOp, Omod};

use crate::opt::Goals;
use crate::opt::fold;
use crate::ssa::{AluInst, Function, Operand};

use super::Rewrite;

const FLOAT_ONE: u32 = 0x3F80_0000;

/// Whether an operation gives all ones or zero.
fn gives_mask(op: AluOp) -> bool {
    matches!(
        op,
        AluOp::SeteDx10
            | AluOp::SetgtDx10
            | AluOp::SetgeDx10
            | AluOp::SetneDx10
            | AluOp::SeteInt
            | AluOp::SetgtInt
            | AluOp::SetgeInt
            | AluOp::SetneInt
            | AluOp::SetgtUint
            | AluOp::SetgeUint
    )
}

/// Whether `operand` is all ones or zero in every lane.
pub(super) fn is_mask(function: &Function, operand: Operand) -> bool {
    mask_within(function, operand, 8)
}

fn mask_within(function: &Function, operand: Operand, depth: u32) -> bool {
    if let Some(bits) = operand.as_const() {
        return bits == 0 || bits == u32::MAX;
    }
    if operand.has_modifier() || depth == 0 {
        return false;
    }
    let Some(def) = function.def_alu(operand) else { return false };
    if def.clamp || def.omod != Omod::None {
        return false;
    }
    match def.op {
        AluOp::AndInt | AluOp::OrInt | AluOp::XorInt | AluOp::NotInt => {
            def.src.iter().all(|&src| mask_within(function, src, depth - 1))
        }
        op => gives_mask(op),
    }
}

/// The comparison with a float result instead of a mask.
fn float_compare(op: AluOp) -> Option<AluOp> {
    Some(match op {
        AluOp::SeteDx10 => AluOp::Sete,
        AluOp::SetgtDx10 => AluOp::Setgt,
        AluOp::SetgeDx10 => AluOp::Setge,
        AluOp::SetneDx10 => AluOp::Setne,
        _ => return None,
    })
}

/// The operand of a two-source operation beside one that is the constant `bits`.
fn beside(alu: &AluInst, bits: u32) -> Option<Operand> {
    let (a, b) = (alu.src[0], alu.src[1]);
    if b.as_const() == Some(bits) {
        Some(a)
    } else if a.as_const() == Some(bits) {
        Some(b)
    } else {
        None
    }
}

/// A mask and 1.0 is a comparison with a float result; a mask and anything else selects it or zero.
pub(super) fn and_of_mask(function: &Function, _: &Goals, alu: &AluInst) -> Option<Rewrite> {
    if alu.src[0] == alu.src[1] {
        return Some(Rewrite::Operand(alu.src[0]));
    }
    if beside(alu, 0).is_some() {
        return Some(Rewrite::Operand(Operand::ZERO));
    }
    if let Some(other) = beside(alu, u32::MAX) {
        return Some(Rewrite::Operand(other));
    }
    let mask = beside(alu, FLOAT_ONE)?;
    let compare = function.def_alu(mask)?;
    let op = float_compare(compare.op)?;
    Some(Rewrite::Inst(AluInst::new(op, &compare.src)))
}

/// Identities of OR.
pub(super) fn or_of_masks(_: &Function, _: &Goals, alu: &AluInst) -> Option<Rewrite> {
    if alu.src[0] == alu.src[1] {
        return Some(Rewrite::Operand(alu.src[0]));
    }
    beside(alu, 0).map(Rewrite::Operand)
}

/// The complement of a comparison is the opposite comparison.
pub(super) fn complement(function: &Function, goals: &Goals, alu: &AluInst) -> Option<Rewrite> {
    let inner = function.def_alu(alu.src[0])?;
    if inner.op == AluOp::NotInt {
        return Some(Rewrite::Operand(inner.src[0]));
    }
    if !gives_mask(inner.op) {
        return None;
    }
    let predicate = fold::predicate_of_compare(inner.op)?;
    let (predicate, src) = complement_predicate(predicate, [inner.src[0], inner.src[1]], goals)?;
    let op = fold::compare_of_predicate(predicate)?;
    Some(Rewrite::Inst(AluInst::new(op, &src)))
}

/// The predicate that holds where `op` does not. Float orderings have one only without NaN.
pub(super) fn complement_predicate(
    op: AluOp,
    src: [Operand; 2],
    goals: &Goals,
) -> Option<(AluOp, [Operand; 2])> {
    let [a, b] = src;
    Some(match op {
        AluOp::PredSete => (AluOp::PredSetne, src),
        AluOp::PredSetne => (AluOp::PredSete, src),
        AluOp::PredSetgt if !goals.precise => (AluOp::PredSetge, [b, a]),
        AluOp::PredSetge if !goals.precise => (AluOp::PredSetgt, [b, a]),
        AluOp::PredSeteInt => (AluOp::PredSetneInt, src),
        AluOp::PredSetneInt => (AluOp::PredSeteInt, src),
        AluOp::PredSetgtInt => (AluOp::PredSetgeInt, [b, a]),
        AluOp::PredSetgeInt => (AluOp::PredSetgtInt, [b, a]),
        AluOp::PredSetgtUint => (AluOp::PredSetgeUint, [b, a]),
        AluOp::PredSetgeUint => (AluOp::PredSetgtUint, [b, a]),
        _ => return None,
    })
}

/// Identities of integer sums, shifts and products.
pub(super) fn int_identity(_: &Function, _: &Goals, alu: &AluInst) -> Option<Rewrite> {
    match alu.op {
        AluOp::AddInt => beside(alu, 0).map(Rewrite::Operand),
        AluOp::SubInt if alu.src[0] == alu.src[1] => Some(Rewrite::Operand(Operand::ZERO)),
        AluOp::SubInt | AluOp::LshlInt | AluOp::LshrInt | AluOp::AshrInt
            if alu.src[1].as_const() == Some(0) =>
        {
            Some(Rewrite::Operand(alu.src[0]))
        }
        AluOp::MulloInt | AluOp::MulloUint => product_identity(alu),
        _ => None,
    }
}

/// Products by 0, 1 and powers of two; the shift is cheaper by far.
fn product_identity(alu: &AluInst) -> Option<Rewrite> {
    for (known, other) in [(alu.src[0], alu.src[1]), (alu.src[1], alu.src[0])] {
        match known.as_const() {
            Some(0) => return Some(Rewrite::Operand(Operand::ZERO)),
            Some(1) => return Some(Rewrite::Operand(other)),
            Some(bits) if bits.is_power_of_two() => {
                let shift = Operand::constant(bits.trailing_zeros());
                return Some(Rewrite::Inst(AluInst::new(AluOp::LshlInt, &[other, shift])));
            }
            _ => {}
        }
    }
    None
}

/// Comparing a mask with zero is the mask or its complement.
pub(super) fn compare_of_mask(function: &Function, _: &Goals, alu: &AluInst) -> Option<Rewrite> {
    let equal = match alu.op {
        AluOp::SeteInt => true,
        AluOp::SetneInt => false,
        _ => return None,
    };
    let mask = beside(alu, 0).filter(|&mask| is_mask(function, mask))?;
    if equal {
        Some(Rewrite::Inst(AluInst::new(AluOp::NotInt, &[mask])))
    } else {
        Some(Rewrite::Operand(mask))
    }
}

/// `0 − (0 − x)` is x.
pub(super) fn double_negation(function: &Function, _: &Goals, alu: &AluInst) -> Option<Rewrite> {
    let negates = |alu: &AluInst| alu.op == AluOp::SubInt && alu.src[0].as_const() == Some(0);
    if !negates(alu) {
        return None;
    }
    let inner = function.def_alu(alu.src[1])?;
    negates(inner).then(|| Rewrite::Operand(inner.src[1]))
}
