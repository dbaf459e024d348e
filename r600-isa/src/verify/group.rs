//! Rules of one group.

use arrayvec::ArrayVec;

use crate::ports::{Operand, ReadPorts, has_swizzle};
use crate::{AluFlags, AluGroup, AluInst, AluSel, AluSrc, Chan, Generation, Hazard, Slot, Slots};

use super::placed::{Placed, sources};
use super::{Rule, Verifier, modifier, queue, spread};

/// Checks the rules of one group. Returns the group with its slots, if it has them.
pub(super) fn check<'g>(cx: &mut Verifier<'_>, group: &'g AluGroup) -> Option<Placed<'g>> {
    unsupported(cx, group);
    literals(cx, group);
    constant_reads(cx, group);
    mixed_constants(cx, group);
    predicates(cx, group);
    trans_result(cx, group);
    modifier::check(cx, group);
    let Some(slots) = group.slots(cx.generation()) else {
        cx.report(Rule::SlotConflict, "two instructions of the group need the same slot");
        return None;
    };
    let placed: Placed<'g> = slots.into_iter().zip(&group.insts).collect();
    slot_order(cx, &placed);
    slot_x(cx, &placed);
    spread::check(cx, &placed);
    queue::check_cycles(cx, &placed);
    queue::check_trans(cx, &placed);
    muladd_in_trans(cx, &placed);
    bank_swizzles(cx, &placed);
    trans_constants(cx, &placed);
    write_conflicts(cx, &placed);
    Some(placed)
}

fn all_sources(group: &AluGroup) -> impl Iterator<Item = &AluSrc> {
    group.insts.iter().flat_map(sources)
}

fn unsupported(cx: &mut Verifier<'_>, group: &AluGroup) {
    let generation = cx.generation();
    for inst in group.insts.iter().filter(|inst| inst.op.opcode(generation).is_none()) {
        cx.report(
            Rule::UnsupportedAlu,
            format!("{} does not exist on {generation:?}", inst.op.name()),
        );
    }
    if let Some(chip) = cx.setting.chip.filter(|chip| !chip.info().has_doubles) {
        for inst in group.insts.iter().filter(|inst| inst.op.needs_doubles()) {
            let message = format!("{} has no {}", chip.name(), inst.op.name());
            cx.report(Rule::NoDoubles, message);
        }
    }
}

fn literals(cx: &mut Verifier<'_>, group: &AluGroup) {
    let is_literal = |src: &&AluSrc| src.sel == AluSel::Literal;
    let needed = all_sources(group).filter(is_literal).map(|src| src.chan as usize + 1).max();
    if needed.is_some_and(|needed| needed > group.literals.len()) {
        let have = group.literals.len();
        cx.report(
            Rule::MissingLiteral,
            format!("a literal is read beyond the {have} of the group"),
        );
    }
}

fn is_constant_read(src: &AluSrc) -> bool {
    matches!(src.sel, AluSel::Kcache { .. } | AluSel::ConstFile(_))
}

/// R600 counts channels; later chips count pairs of channels.
fn constant_reads(cx: &mut Verifier<'_>, group: &AluGroup) {
    let (limit, shift) = if cx.generation() == Generation::R600 { (4, 0) } else { (2, 1) };
    let mut reads = ArrayVec::<(AluSel, bool, u8), 15>::new();
    for src in all_sources(group).filter(|src| is_constant_read(src)) {
        let read = (src.sel, src.rel, src.chan as u8 >> shift);
        if !reads.contains(&read) {
            reads.push(read);
        }
    }
    if reads.len() > limit {
        let count = reads.len();
        cx.report(
            Rule::ConstantReads,
            format!("{count} different constants are read, the limit is {limit}: use registers"),
        );
    }
}

fn mixed_constants(cx: &mut Verifier<'_>, group: &AluGroup) {
    let file = all_sources(group).any(|src| matches!(src.sel, AluSel::ConstFile(_)));
    let cache = all_sources(group).any(|src| matches!(src.sel, AluSel::Kcache { .. }));
    if file && cache {
        cx.report(Rule::MixedConstants, "constant file and constant cache are read together");
    }
}

/// Halves of a double comparison count once: the one of the lower slot sets the predicate.
fn predicates(cx: &mut Verifier<'_>, group: &AluGroup) {
    let is_first = |inst: &AluInst| {
        !inst.op.has(AluFlags::DOUBLE) || matches!(inst.dst.chan, Chan::X | Chan::Z)
    };
    let sets = |inst: &&AluInst| inst.op.sets_predicate() && is_first(inst);
    let count = group.insts.iter().filter(sets).count();
    let kills = group.insts.iter().any(|inst| inst.op.is_kill());
    if count > 1 {
        cx.report(Rule::SeveralPredicates, format!("{count} instructions set the predicate"));
    } else if count == 1 && kills {
        cx.report(Rule::SeveralPredicates, "the group sets the predicate and kills");
    }
}

fn trans_result(cx: &mut Verifier<'_>, group: &AluGroup) {
    if !cx.generation().has_trans_slot() && all_sources(group).any(|src| src.sel == AluSel::Ps) {
        cx.report(Rule::NoTransResult, "PS is read where there is no trans slot");
    }
}

fn slot_order(cx: &mut Verifier<'_>, placed: &Placed<'_>) {
    if !placed.is_sorted_by_key(|(slot, _)| *slot) {
        cx.report(Rule::SlotOrder, "instructions are out of the order x, y, z, w, t");
    }
}

fn slot_x(cx: &mut Verifier<'_>, placed: &Placed<'_>) {
    for (slot, inst) in placed {
        if inst.op.slots(cx.generation()) == Some(Slots::X) && *slot != Slot::X {
            cx.report(Rule::SlotX, format!("{} stands in slot {slot:?}", inst.op.name()));
        }
    }
}

/// A register as the ports see it. A relative and an absolute access are different registers.
fn operand(src: &AluSrc) -> Operand<(u8, bool)> {
    match src.sel {
        AluSel::Gpr(gpr) => Operand::Register((gpr, src.rel), src.chan),
        AluSel::Pv | AluSel::Ps => Operand::Forwarded,
        _ => Operand::Constant,
    }
}

fn bank_swizzles(cx: &mut Verifier<'_>, placed: &Placed<'_>) {
    let mut ports = ReadPorts::new();
    for (slot, inst) in placed {
        let operands: ArrayVec<_, 3> = sources(inst).iter().map(operand).collect();
        // The trans slot reads constants in early cycles, when a forwarded result cannot be read.
        let reads = operands.iter().any(|operand| match operand {
            Operand::Register(..) => true,
            Operand::Forwarded => *slot == Slot::T,
            Operand::Constant => false,
        });
        let swizzle = inst.bank_swizzle;
        if inst.op.has(AluFlags::FORCES_VEC_210) && swizzle != crate::ports::VEC_210 {
            let name = inst.op.name();
            cx.report(Rule::BankSwizzle, format!("{name} needs VEC_210 in slot {slot:?}"));
        } else if !reads {
            // Without registers the swizzle has no effect. Constants in the trans slot have their own rule.
        } else if !has_swizzle(*slot, swizzle) {
            cx.report(Rule::BankSwizzle, format!("slot {slot:?} has no bank swizzle {swizzle}"));
        } else if !ports.reserve(*slot, &operands, swizzle) {
            cx.report(
                Rule::ReadPorts,
                format!("{} in slot {slot:?} needs a read port that is taken", inst.op.name()),
            );
        }
    }
}

fn trans_constants(cx: &mut Verifier<'_>, placed: &Placed<'_>) {
    for (_, inst) in placed.iter().filter(|(slot, _)| *slot == Slot::T) {
        let count = sources(inst).iter().filter(|src| operand(src) == Operand::Constant).count();
        if count > 2 {
            cx.report(Rule::TransConstants, format!("the trans slot reads {count} constants"));
        }
    }
}

fn muladd_in_trans(cx: &mut Verifier<'_>, placed: &Placed<'_>) {
    let in_trans = placed.iter().find(|(slot, _)| *slot == Slot::T).map(|(_, inst)| inst.op);
    if let Some(op) = in_trans.filter(|op| op.is_multiply_add())
        && cx.generation().has(Hazard::MuladdInTrans)
    {
        let message = format!("{} may misbehave in the trans slot: move it", op.name());
        cx.report(Rule::MuladdInTrans, message);
    }
}

/// Only the trans slot can conflict with a vector slot's write.
fn write_conflicts(cx: &mut Verifier<'_>, placed: &Placed<'_>) {
    let Some(trans) = placed.iter().find(|(slot, _)| *slot == Slot::T) else { return };
    let mut vectors = placed.iter().filter(|(slot, _)| *slot != Slot::T);
    let (own, conflict) = (&trans.1.dst, |other: &AluInst| {
        let same = other.dst.gpr == trans.1.dst.gpr || other.dst.rel || trans.1.dst.rel;
        other.writes_gpr() && same && other.dst.chan == trans.1.dst.chan
    });
    if trans.1.writes_gpr() && vectors.any(|(_, inst)| conflict(inst)) {
        let (gpr, chan) = (own.gpr, own.chan.letter());
        cx.report(Rule::WriteConflict, format!("R{gpr}.{chan} is written twice"));
    }
}
