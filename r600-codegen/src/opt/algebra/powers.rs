//! Reciprocals, roots and powers.

use r600_isa::{AluOp, Omod};

use crate::opt::Goals;
use crate::ssa::{AluInst, Function, Operand};

use super::{Rewrite, first};

/// The operation behind `operand`, where its result is read as it is.
fn plain(function: &Function, operand: Operand) -> Option<&AluInst> {
    let def = function.def_alu(operand)?;
    (!operand.has_modifier() && def.omod == Omod::None && !def.clamp).then_some(def)
}

/// `1/√x`, `1/(1/x)` and `1/(1/√x)` in one operation.
pub(super) fn reciprocal(function: &Function, goals: &Goals, alu: &AluInst) -> Option<Rewrite> {
    if goals.precise {
        return None;
    }
    let inner = plain(function, alu.src[0])?;
    let mut inst = match inner.op {
        AluOp::SqrtIeee => AluInst::new(AluOp::RecipsqrtIeee, &inner.src),
        AluOp::RecipsqrtIeee => AluInst::new(AluOp::SqrtIeee, &inner.src),
        AluOp::RecipIeee => AluInst::new(AluOp::Mov, &inner.src),
        _ => return None,
    };
    (inst.omod, inst.clamp) = (alu.omod, alu.clamp);
    Some(Rewrite::Inst(inst))
}

/// `2^(c · log2 x)` for the small whole and half exponents that shaders are full of.
pub(super) fn exponential_of_multiple(
    function: &Function,
    goals: &Goals,
    alu: &AluInst,
) -> Option<Rewrite> {
    if goals.precise {
        return None;
    }
    let inner = plain(function, alu.src[0])?;
    if inner.op == AluOp::LogIeee {
        return with_output(alu, AluInst::new(AluOp::Mov, &[inner.src[0]]));
    }
    if !matches!(inner.op, AluOp::Mul | AluOp::MulIeee) {
        return None;
    }
    let (base, exponent) = base_and_exponent(function, inner)?;
    let x = Operand::value(first());
    match exponent {
        0.5 => with_output(alu, AluInst::new(AluOp::SqrtIeee, &[base])),
        2.0 => with_output(alu, AluInst::new(AluOp::MulIeee, &[base, base])),
        -0.5 => with_output(alu, AluInst::new(AluOp::RecipsqrtIeee, &[base])),
        3.0 => {
            let square = AluInst::new(AluOp::MulIeee, &[base, base]);
            two(alu, square, AluInst::new(AluOp::MulIeee, &[x, base]))
        }
        4.0 => {
            let square = AluInst::new(AluOp::MulIeee, &[base, base]);
            two(alu, square, AluInst::new(AluOp::MulIeee, &[x, x]))
        }
        _ => None,
    }
}

fn base_and_exponent(function: &Function, product: &AluInst) -> Option<(Operand, f32)> {
    for (known, other) in [(product.src[0], product.src[1]), (product.src[1], product.src[0])] {
        let Some(bits) = known.as_const() else { continue };
        if let Some(log) = plain(function, other).filter(|log| log.op == AluOp::LogIeee) {
            return Some((log.src[0], f32::from_bits(bits)));
        }
    }
    None
}

fn with_output(like: &AluInst, mut inst: AluInst) -> Option<Rewrite> {
    (inst.omod, inst.clamp) = (like.omod, like.clamp);
    Some(Rewrite::Inst(inst))
}

fn two(like: &AluInst, square: AluInst, mut inst: AluInst) -> Option<Rewrite> {
    (inst.omod, inst.clamp) = (like.omod, like.clamp);
    Some(Rewrite::Two(square, inst))
}
