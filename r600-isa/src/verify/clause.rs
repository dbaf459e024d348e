//! Rules of a clause of groups.

use crate::{AluGroup, AluPart, CfAlu, CfOp, KcacheMode, MAX_ALU_CLAUSE_SLOTS, PredSel};

use super::address::Address;
use super::group;
use super::placed::{Placed, sources};
use super::queue::Queues;
use super::temporary::Temporaries;
use super::{Rule, Verifier, forward, last, raw};

/// State left by earlier groups of the clause.
#[derive(Default)]
struct Before<'g> {
    /// The preceding group; `None` if its instructions have no slots.
    group: Option<Placed<'g>>,
    has_predicate: bool,
    address: Address,
    queues: Queues,
    temporaries: Temporaries,
}

pub(super) fn check(cx: &mut Verifier<'_>, alu: &CfAlu, groups: &[AluGroup]) {
    length(cx, groups);
    let mut before = Before::default();
    for (at, group) in groups.iter().enumerate() {
        cx.place.body = Some(at);
        let placed = group::check(cx, group);
        if at == 0 {
            forward::at_start(cx, group);
        } else {
            forward::check(cx, group, before.group.as_ref());
        }
        predicate_last(cx, alu, group, at + 1 == groups.len());
        predicate_use(cx, group, &before);
        before.address.step(cx, alu, group);
        before.queues.step(cx, group);
        before.temporaries.step(cx, group);
        windows(cx, alu, group);
        before.has_predicate |= group.insts.iter().any(|inst| inst.update_pred);
        before.group = placed;
    }
    cx.place.body = None;
    before.queues.finish(cx);
    unused_windows(cx, alu, groups);
    last::check(cx, groups);
}

/// Checks a clause with unknown words: each group on its own, since the state before it is unknown.
pub(super) fn check_parts(cx: &mut Verifier<'_>, parts: &[AluPart]) {
    for (at, part) in parts.iter().enumerate() {
        cx.place.body = Some(at);
        match part {
            AluPart::Group(group) => {
                group::check(cx, group);
            }
            AluPart::Raw(words) => raw::check(cx, words),
        }
    }
    cx.place.body = None;
}

fn length(cx: &mut Verifier<'_>, groups: &[AluGroup]) {
    let slots: usize = groups.iter().map(AluGroup::num_slots).sum();
    if !(1..=MAX_ALU_CLAUSE_SLOTS).contains(&slots) {
        cx.report(Rule::AluClauseLength, format!("the clause has {slots} slots: split it"));
    }
}

fn predicate_last(cx: &mut Verifier<'_>, alu: &CfAlu, group: &AluGroup, is_last: bool) {
    let narrows = group.insts.iter().any(|inst| inst.update_exec_mask);
    if alu.op == CfOp::AluPushBefore && narrows && !is_last {
        cx.report(
            Rule::PredicateNotLast,
            "the group that narrows the mask is not the last of its clause",
        );
    }
}

fn predicate_use(cx: &mut Verifier<'_>, group: &AluGroup, before: &Before<'_>) {
    let uses = group.insts.iter().any(|inst| inst.pred_sel != PredSel::Off);
    if uses && !before.has_predicate {
        cx.report(Rule::PredicateUnset, "no earlier group of the clause sets the predicate");
    }
}

fn windows(cx: &mut Verifier<'_>, alu: &CfAlu, group: &AluGroup) {
    for src in group.insts.iter().flat_map(sources) {
        let crate::AluSel::Kcache { set, index } = src.sel else { continue };
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

fn unused_windows(cx: &mut Verifier<'_>, alu: &CfAlu, groups: &[AluGroup]) {
    let mut read = [false; 4];
    for src in groups.iter().flat_map(|group| &group.insts).flat_map(sources) {
        if let crate::AluSel::Kcache { set, .. } = src.sel {
            read[usize::from(set & 3)] = true;
        }
    }
    for (set, (window, read)) in alu.kcache.iter().zip(read).enumerate() {
        if window.mode != KcacheMode::None && !read {
            cx.report(Rule::UnusedWindow, format!("window {set} is locked and not read"));
        }
    }
}
