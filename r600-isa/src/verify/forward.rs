//! Rules of `PV` and `PS`, the results of the previous group.

use crate::{AluFlags, AluGroup, AluInst, AluSel, PredSel, ResultType, Slot};

use super::placed::{Placed, sources};
use super::{Rule, Verifier};

/// The forwarded results that a group reads, and their readers.
fn forwards(group: &AluGroup) -> impl Iterator<Item = (Slot, &AluInst)> {
    let reads =
        group.insts.iter().flat_map(|inst| sources(inst).iter().map(move |src| (src, inst)));
    reads.filter_map(|(src, inst)| match src.sel {
        AluSel::Pv => Some((Slot::vector(src.chan), inst)),
        AluSel::Ps => Some((Slot::T, inst)),
        _ => None,
    })
}

pub(super) fn at_start(cx: &mut Verifier<'_>, group: &AluGroup) {
    if forwards(group).next().is_some() {
        cx.report(Rule::ForwardAtStart, "PV or PS is read in the first group of a clause");
    }
}

/// Checks a group's reads of results of the preceding group; `before` is `None` if that has no slots.
pub(super) fn check(cx: &mut Verifier<'_>, group: &AluGroup, before: Option<&Placed<'_>>) {
    let Some(before) = before else { return };
    for (slot, reader) in forwards(group) {
        match before.iter().find(|(own, _)| *own == slot) {
            Some((_, writer)) => {
                lanes(cx, slot, (writer, reader), before);
                result(cx, writer);
            }
            None => cx.report(
                Rule::StaleForward,
                format!("slot {slot:?} of the previous group is empty, so its result is undefined"),
            ),
        }
    }
}

/// Checks that the reader runs for the writer's lanes. The writer's group may change the predicate afterwards.
fn lanes(
    cx: &mut Verifier<'_>,
    slot: Slot,
    (writer, reader): (&AluInst, &AluInst),
    before: &Placed<'_>,
) {
    // A predicate that is set only for the writer's lanes does not select other lanes.
    let changes = |inst: &AluInst| inst.update_pred && inst.pred_sel != writer.pred_sel;
    let message = if writer.pred_sel == PredSel::Off {
        return;
    } else if writer.pred_sel != reader.pred_sel {
        format!("slot {slot:?} of the previous group ran for only some lanes")
    } else if before.iter().any(|(_, inst)| changes(inst)) {
        format!("slot {slot:?} of the previous group ran for lanes of the predicate before it")
    } else {
        return;
    };
    cx.report(Rule::ForwardPredicated, message);
}

fn result(cx: &mut Verifier<'_>, writer: &AluInst) {
    let name = writer.op.name();
    let unusual = writer.op.has(AluFlags::DOUBLE) || writer.op.has(AluFlags::LDS);
    let is_none = matches!(writer.op.info().result, ResultType::None | ResultType::Ar);
    if unusual || is_none {
        cx.report(Rule::ForwardSource, format!("the forwarded result of {name} is not reliable"));
    } else if writer.dst.rel {
        cx.report(Rule::ForwardSource, "the forwarded result was written through an index");
    }
}
