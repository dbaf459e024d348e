//! Rules of a clause of groups.

use crate::{
    AluFlags, AluGroup, AluInst, AluSel, CfAlu, CfOp, IndexMode, KcacheMode, PredSel, Slot, Slots,
};

use super::group::{self, Placed, sources};
use super::{Rule, Verifier};

/// Slots that `COUNT` can hold.
const MAX_SLOTS: usize = 128;

/// What earlier groups of the clause did.
#[derive(Default)]
struct Before<'g> {
    /// The group before; `None` where it has no slots.
    group: Option<Placed<'g>>,
    has_predicate: bool,
    has_address: bool,
}

pub(super) fn check(cx: &mut Verifier<'_>, alu: &CfAlu, groups: &[AluGroup]) {
    length(cx, groups);
    let mut before = Before::default();
    for (at, group) in groups.iter().enumerate() {
        cx.place.body = Some(at);
        let placed = group::check(cx, group);
        if at == 0 {
            forward_at_start(cx, group);
        } else {
            stale_forward(cx, group, &before);
        }
        predicate_last(cx, alu, group, at + 1 == groups.len());
        predicate_use(cx, group, &before);
        address_use(cx, group, &before);
        windows(cx, alu, group);
        before.has_predicate |= group.insts.iter().any(|inst| inst.op.sets_predicate());
        before.has_address |= group.insts.iter().any(loads_address);
        before.group = placed;
    }
    cx.place.body = None;
}

fn length(cx: &mut Verifier<'_>, groups: &[AluGroup]) {
    let slots: usize = groups.iter().map(AluGroup::num_slots).sum();
    if !(1..=MAX_SLOTS).contains(&slots) {
        cx.report(Rule::AluClauseLength, format!("the clause has {slots} slots: split it"));
    }
}

fn forwards(group: &AluGroup) -> impl Iterator<Item = Slot> {
    group.insts.iter().flat_map(sources).filter_map(|src| match src.sel {
        AluSel::Pv => Some(Slot::vector(src.chan)),
        AluSel::Ps => Some(Slot::T),
        _ => None,
    })
}

fn forward_at_start(cx: &mut Verifier<'_>, group: &AluGroup) {
    if forwards(group).next().is_some() {
        cx.report(Rule::ForwardAtStart, "PV or PS is read where no group of the clause is before");
    }
}

fn stale_forward(cx: &mut Verifier<'_>, group: &AluGroup, before: &Before<'_>) {
    let Some(earlier) = &before.group else { return };
    // A reduction's scalar is in all four channels, wherever it is written.
    let generation = cx.generation();
    let spreads = earlier.iter().any(|(_, inst)| {
        matches!(inst.op.slots(generation), Some(Slots::Replicated3 | Slots::Replicated4))
    });
    for slot in forwards(group) {
        if !spreads && !earlier.iter().any(|(own, _)| *own == slot) {
            cx.report(
                Rule::StaleForward,
                format!("slot {slot:?} of the group before is empty, its result undefined"),
            );
        }
    }
}

fn predicate_last(cx: &mut Verifier<'_>, alu: &CfAlu, group: &AluGroup, is_last: bool) {
    let narrows = group.insts.iter().any(|inst| inst.update_exec_mask);
    if alu.op == CfOp::AluPushBefore && narrows && !is_last {
        cx.report(Rule::PredicateNotLast, "groups follow the one that narrows the mask");
    }
}

fn predicate_use(cx: &mut Verifier<'_>, group: &AluGroup, before: &Before<'_>) {
    let uses = group.insts.iter().any(|inst| inst.pred_sel != PredSel::Off);
    if uses && !before.has_predicate {
        cx.report(Rule::PredicateUnset, "no earlier group of the clause sets the predicate");
    }
}

fn loads_address(inst: &AluInst) -> bool {
    inst.op.has(AluFlags::MOVE_TO_ADDRESS)
}

/// Whether an instruction adds the address register to a register or constant.
fn uses_address(inst: &AluInst) -> bool {
    let relative = inst.dst.rel || sources(inst).iter().any(|src| src.rel);
    relative && inst.index_mode != IndexMode::Loop
}

fn address_use(cx: &mut Verifier<'_>, group: &AluGroup, before: &Before<'_>) {
    if !group.insts.iter().any(uses_address) {
        return;
    }
    if group.insts.iter().any(loads_address) {
        cx.report(Rule::AddressSameGroup, "the address register is loaded and used in one group");
    } else if !before.has_address {
        cx.report(Rule::AddressUnset, "no earlier group of the clause loads the address register");
    }
}

fn windows(cx: &mut Verifier<'_>, alu: &CfAlu, group: &AluGroup) {
    for src in group.insts.iter().flat_map(sources) {
        let AluSel::Kcache { set, index } = src.sel else { continue };
        let mode = alu.kcache.get(usize::from(set)).map_or(KcacheMode::None, |w| w.mode);
        let size = mode.num_vec4();
        if index >= size {
            cx.report(
                Rule::KcacheWindow,
                format!("KC{set}[{index}] is read, the window holds {size}"),
            );
        }
    }
}
