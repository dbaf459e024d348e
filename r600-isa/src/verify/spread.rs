//! Rules of operations that occupy several slots of a group.

use crate::{AluFlags, AluInst, AluOp, AluSel, AluSrc, Slot, Slots};

use super::placed::{Placed, sources};
use super::{Rule, Verifier};

pub(super) fn check(cx: &mut Verifier<'_>, placed: &Placed<'_>) {
    incomplete_slots(cx, placed);
    replicated_operands(cx, placed);
    parameter(cx, placed);
    barycentrics(cx, placed);
}

fn incomplete_slots(cx: &mut Verifier<'_>, placed: &Placed<'_>) {
    for (slot, inst) in placed {
        let missing = slots_needed(inst.op, inst.op.slots(cx.generation()), *slot)
            .iter()
            .find(|need| !placed.iter().any(|(slot, other)| slot == *need && other.op == inst.op));
        if let Some(missing) = missing {
            let name = inst.op.name();
            cx.report(Rule::IncompleteSlots, format!("{name} is missing in slot {missing:?}"));
            return;
        }
    }
}

/// The slots that an operation in `slot` must occupy.
fn slots_needed(op: AluOp, slots: Option<Slots>, slot: Slot) -> &'static [Slot] {
    match (slots, slot) {
        (Some(Slots::Reduction | Slots::Replicated4 | Slots::Quad), _) => &Slot::ALL[..4],
        (Some(Slots::Replicated3), _) => &Slot::ALL[..3],
        (Some(Slots::Half), _) if op == AluOp::InterpX => &Slot::ALL[..2],
        (Some(Slots::Half), _) if op == AluOp::InterpZ => &Slot::ALL[2..4],
        (Some(Slots::Half | Slots::Pair), Slot::X | Slot::Y) => &Slot::ALL[..2],
        (Some(Slots::Half | Slots::Pair), _) => &Slot::ALL[2..4],
        _ => &[],
    }
}

/// Operations on doubles read one half in each slot. All others must read the same operands in each.
fn replicated_operands(cx: &mut Verifier<'_>, placed: &Placed<'_>) {
    let is_replicated = |inst: &AluInst| {
        let slots = inst.op.slots(cx.generation());
        matches!(slots, Some(Slots::Replicated3 | Slots::Replicated4))
            && !inst.op.has(AluFlags::DOUBLE)
    };
    let mut copies = placed.iter().map(|(_, inst)| *inst).filter(|inst| is_replicated(inst));
    let Some(first) = copies.next() else { return };
    let differs = copies.any(|copy| copy.op == first.op && sources(copy) != sources(first));
    if differs {
        let name = first.op.name();
        cx.report(Rule::ReplicatedOperands, format!("{name} has other operands in another slot"));
    }
}

/// Whether an operation interpolates a parameter with two barycentric coordinates.
fn is_interpolation(op: AluOp) -> bool {
    matches!(op, AluOp::InterpXy | AluOp::InterpZw | AluOp::InterpX | AluOp::InterpZ)
}

fn parameter(cx: &mut Verifier<'_>, placed: &Placed<'_>) {
    let mut wanted = None;
    for (_, inst) in placed {
        let name = inst.op.name();
        let read = sources(inst).iter().find_map(|src| match src.sel {
            AluSel::Param(number) => Some(number),
            _ => None,
        });
        match read {
            Some(_) if !inst.op.has(AluFlags::INTERPOLATION) => {
                cx.report(Rule::Parameter, format!("{name} reads a parameter"));
            }
            None if inst.op.has(AluFlags::INTERPOLATION) => {
                cx.report(Rule::Parameter, format!("{name} reads no parameter"));
            }
            Some(number) if *wanted.get_or_insert(number) != number => {
                cx.report(Rule::Parameter, "the group reads a second parameter");
            }
            _ => continue,
        }
        return;
    }
}

/// Checks that slots x and z read the second coordinate of a pair, and y and w the first.
fn barycentrics(cx: &mut Verifier<'_>, placed: &Placed<'_>) {
    let mut reads = placed.iter().filter(|(_, inst)| is_interpolation(inst.op));
    let pair = |slot: Slot, src: AluSrc| {
        let is_second = src.chan as u8 & 1 == 1 - (slot as u8 & 1);
        (src.sel, src.chan as u8 & 2, is_second)
    };
    let Some((slot, first)) = reads.next() else { return };
    let (sel, half, is_right) = pair(*slot, first.src[0]);
    let is_good =
        is_right && reads.all(|(slot, inst)| pair(*slot, inst.src[0]) == (sel, half, true));
    if !is_good {
        let name = first.op.name();
        cx.report(Rule::Barycentrics, format!("{name} reads no pair of coordinates in turn"));
    }
}
