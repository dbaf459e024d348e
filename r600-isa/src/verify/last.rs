//! Rules of groups that end their clause.

use crate::{AluFlags, AluGroup, AluInst, AluOp, Hazard};

use super::address::{loads_address, uses_address};
use super::{Rule, Verifier};

pub(super) fn check(cx: &mut Verifier<'_>, groups: &[AluGroup]) {
    barrier(cx, groups);
    kill(cx, groups);
    cx.place.body = None;
}

fn is_barrier(inst: &AluInst) -> bool {
    inst.op == AluOp::GroupBarrier
}

/// The first group in which an instruction is `wanted`.
fn find(groups: &[AluGroup], wanted: impl Fn(&AluInst) -> bool) -> Option<usize> {
    groups.iter().position(|group| group.insts.iter().any(&wanted))
}

fn barrier(cx: &mut Verifier<'_>, groups: &[AluGroup]) {
    let generation = cx.generation();
    let Some(at) = find(groups, is_barrier).filter(|_| generation.has(Hazard::BarrierInClause))
    else {
        return;
    };
    cx.place.body = Some(at);
    if at + 1 < groups.len() {
        cx.report(Rule::BarrierClause, "groups follow the barrier: start a new clause");
        return;
    }
    let is_barred = |inst: &AluInst| {
        inst.op.is_kill()
            || inst.op.sets_predicate()
            || inst.op.has(AluFlags::INTERPOLATION)
            || loads_address(generation, inst)
            || uses_address(inst)
    };
    if let Some(barred) = groups.iter().flat_map(|group| &group.insts).find(|inst| is_barred(inst))
    {
        let name = barred.op.name();
        let message = format!("{name} or its address is in the clause of the barrier: split it");
        cx.report(Rule::BarrierClause, message);
    }
}

fn kill(cx: &mut Verifier<'_>, groups: &[AluGroup]) {
    if !cx.generation().has(Hazard::KillInClause) {
        return;
    }
    if let Some(at) = find(groups, |inst| inst.op.is_kill()).filter(|at| at + 1 < groups.len()) {
        cx.place.body = Some(at);
        cx.report(Rule::KillClause, "groups follow that run for killed lanes: start a new clause");
    }
}
