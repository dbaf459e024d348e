//! Register predication: `(PRED[0].x)` before an instruction.

use super::error::Reason;
use super::rewriter::{Rewriter, make};
use crate::{
    Component, Dst, File, FlowRole, Indirect, Instruction, Opcode, Predicate, Register, Src,
    WriteMask,
};

/// Lowers an instruction with `lower`, so that it takes effect only where its predicate is not zero.
///
/// Results are always computed, then selected for each channel. An instruction with an effect beyond its results goes
/// into a block.
pub(super) fn lower(
    rw: &mut Rewriter<'_>,
    one: Instruction,
    lower: impl FnOnce(&mut Rewriter<'_>, Instruction),
) {
    let Some(predicate) = &one.predicate else { return lower(rw, one) };
    let temporary = rw.temporary_for(File::Predicate, predicate.index);
    let masks: Vec<WriteMask> = (0..one.dst.len()).map(|index| one.written_mask(index)).collect();
    lower_by(rw, one, (temporary, &masks), lower);
}

/// As [`lower`], for a predicate in a register and a channel mask for each destination.
pub(crate) fn lower_by(
    rw: &mut Rewriter<'_>,
    mut one: Instruction,
    (temporary, masks): (Register, &[WriteMask]),
    lower: impl FnOnce(&mut Rewriter<'_>, Instruction),
) {
    let Some(predicate) = one.predicate.take() else { return lower(rw, one) };
    if is_bracket(one.opcode.info().flow) {
        return rw.problem(Reason::PredicatedBlock);
    }
    let holds = Src { swizzle: predicate.swizzle, ..Src::new(temporary) };
    if has_effect(&one) {
        lower_in_block(rw, one, holds, &predicate, lower);
    } else if has_picked(&one) {
        // The subscripts of a lane that takes no channel over may lie outside of their files.
        let condition = anywhere(rw, masks, holds, predicate.negate);
        rw.op(Opcode::Uif, None, &[condition]);
        lower_results(rw, (one, masks), (holds, &predicate), lower);
        rw.op(Opcode::Endif, None, &[]);
    } else {
        lower_results(rw, (one, masks), (holds, &predicate), lower);
    }
}

/// Whether an instruction of this role opens, divides or closes a block, or ends the main program.
const fn is_bracket(role: FlowRole) -> bool {
    match role {
        FlowRole::If
        | FlowRole::Else
        | FlowRole::EndIf
        | FlowRole::LoopBegin
        | FlowRole::LoopEnd
        | FlowRole::SwitchBegin
        | FlowRole::Case
        | FlowRole::Default
        | FlowRole::SwitchEnd
        | FlowRole::SubBegin
        | FlowRole::SubEnd
        | FlowRole::Branch
        | FlowRole::End => true,
        FlowRole::None
        | FlowRole::Break
        | FlowRole::Continue
        | FlowRole::Call
        | FlowRole::Return
        | FlowRole::Kill
        | FlowRole::KillIf
        | FlowRole::Demote
        | FlowRole::Emit
        | FlowRole::Barrier => false,
    }
}

/// Whether an instruction does more than write its destinations, or writes none: the destination of a fence or
/// of a store is what it acts on.
fn has_effect(one: &Instruction) -> bool {
    let info = one.opcode.info();
    one.dst.is_empty() || info.is_store || info.flow != FlowRole::None
}

/// Whether a register of an instruction is picked by another.
fn has_picked(one: &Instruction) -> bool {
    let registers = one.dst.iter().map(|dst| &dst.reg).chain(one.src.iter().map(|src| &src.reg));
    let is_picked = |reg: &Register| {
        reg.indirect.is_some()
            || reg.dimension.is_some_and(|dimension| dimension.indirect.is_some())
    };
    registers.into_iter().any(is_picked)
}

/// Whether the predicate holds for any channel of the masks.
fn anywhere(rw: &mut Rewriter<'_>, masks: &[WriteMask], holds: Src, is_negated: bool) -> Src {
    let mut each = holds;
    let zero = rw.u32(0);
    if is_negated {
        each = Src::new(rw.scratch());
        rw.op(Opcode::Useq, Some(Dst::new(each.reg)), &[holds, zero]);
    }
    let mask = masks.iter().fold(WriteMask::NONE, |all, mask| all.union(*mask));
    let any = rw.scratch();
    let dst = Dst::new(any).masked(WriteMask::X);
    rw.op(Opcode::Mov, Some(dst), &[zero]);
    for component in mask.iter() {
        rw.op(Opcode::Or, Some(dst), &[Src::new(any).x(), each.splat(component)]);
    }
    Src::new(any).x()
}

/// Computes all results, and takes them over channel by channel.
fn lower_results(
    rw: &mut Rewriter<'_>,
    (mut one, masks): (Instruction, &[WriteMask]),
    (holds, predicate): (Src, &Predicate),
    lower: impl FnOnce(&mut Rewriter<'_>, Instruction),
) {
    let mut wanted = Vec::new();
    let mut computed = Vec::new();
    for (dst, mask) in one.dst.iter_mut().zip(masks).filter(|(dst, _)| dst.reg.file != File::Null) {
        wanted.push(dst.masked(*mask));
        dst.reg = rw.scratch();
        computed.push(dst.reg);
    }
    lower(rw, one);
    let holds = keep_places(rw, &mut wanted, holds);
    for (dst, reg) in wanted.into_iter().zip(computed).filter(|(dst, _)| !dst.mask.is_empty()) {
        choose(rw, dst, holds, predicate, Src::new(reg));
    }
}

/// Saves what the first of several results may overwrite: the subscripts of the others, and the predicate. Returns the
/// saved predicate.
fn keep_places(rw: &mut Rewriter<'_>, wanted: &mut [Dst], holds: Src) -> Src {
    let Some((_, others)) = wanted.split_first_mut().filter(|(_, others)| !others.is_empty())
    else {
        return holds;
    };
    others.iter_mut().for_each(|dst| keep_place(rw, dst));
    let kept = rw.scratch();
    rw.op(Opcode::Mov, Some(Dst::new(kept)), &[Src::new(holds.reg)]);
    Src { reg: kept, ..holds }
}

/// Saves the subscripts of a destination before earlier writes change them.
pub(crate) fn keep_place(rw: &mut Rewriter<'_>, dst: &mut Dst) {
    dst.reg.indirect = dst.reg.indirect.map(|index| keep_index(rw, index));
    if let Some(dimension) = &mut dst.reg.dimension {
        dimension.indirect = dimension.indirect.map(|index| keep_index(rw, index));
    }
}

/// A subscript in an address register of its own. The counter of a loop is a float.
fn keep_index(rw: &mut Rewriter<'_>, index: Indirect) -> Indirect {
    let address = rw.address();
    let from = Src::new(Register::new(index.file, index.index)).splat(index.component);
    let load = if index.file == File::Loop { Opcode::Arl } else { Opcode::Uarl };
    rw.op(load, Some(Dst::new(address).masked(WriteMask::X)), &[from]);
    Indirect { file: address.file, index: address.index, component: Component::X, ..index }
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
