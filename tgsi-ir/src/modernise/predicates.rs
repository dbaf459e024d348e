//! Register predication: `(PRED[0].x)` before an instruction.

use super::Reason;
use super::rewriter::{Rewriter, make};
use crate::{Dst, File, FlowRole, Instruction, Opcode, Predicate, Src, WriteMask};

/// Lowers an instruction with `lower`, so that it takes effect where its predicate is not zero only.
///
/// A result is computed in any case and chosen for each channel; an instruction without result goes
/// into a block.
pub(super) fn lower(
    rw: &mut Rewriter<'_>,
    mut one: Instruction,
    lower: impl FnOnce(&mut Rewriter<'_>, Instruction),
) {
    let Some(predicate) = one.predicate.take() else { return lower(rw, one) };
    let home = rw.home(File::Predicate, predicate.index);
    let holds = Src { swizzle: predicate.swizzle, ..Src::new(home) };
    let stores = one.opcode.info().is_store;
    match one.dst.first().copied() {
        Some(dst) if !stores => {
            let scratch = rw.scratch();
            one.dst[0].reg = scratch;
            lower(rw, one);
            choose(rw, dst, holds, &predicate, Src::new(scratch));
        }
        _ => lower_in_block(rw, one, holds, &predicate, lower),
    }
}

fn choose(rw: &mut Rewriter<'_>, dst: Dst, holds: Src, predicate: &Predicate, new: Src) {
    let old = Src::new(dst.reg);
    let (then, otherwise) = if predicate.negate { (old, new) } else { (new, old) };
    rw.push(make(Opcode::Ucmp, Some(dst), &[holds, then, otherwise]));
}

fn lower_in_block(
    rw: &mut Rewriter<'_>,
    one: Instruction,
    holds: Src,
    predicate: &Predicate,
    lower: impl FnOnce(&mut Rewriter<'_>, Instruction),
) {
    let brackets = !matches!(
        one.opcode.info().flow,
        FlowRole::None
            | FlowRole::Kill
            | FlowRole::KillIf
            | FlowRole::Break
            | FlowRole::Continue
            | FlowRole::Call
            | FlowRole::Return
            | FlowRole::Emit
    );
    if brackets {
        return rw.problem(Reason::PredicatedBlock);
    }
    let mut condition = holds.x();
    if predicate.negate {
        let inverse = rw.scratch();
        let zero = rw.u32(0);
        let dst = Dst::new(inverse).masked(WriteMask::X);
        rw.op(Opcode::Useq, Some(dst), &[condition, zero]);
        condition = Src::new(inverse).x();
    }
    rw.op(Opcode::Uif, None, &[condition]);
    lower(rw, one);
    rw.op(Opcode::Endif, None, &[]);
}
