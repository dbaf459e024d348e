//! Rules of `PV` and `PS`: results of the group before.

use crate::{AluFlags, AluGroup, AluInst, AluSel, PredSel, ResultType, Slot};

use super::placed::{Placed, sources};
use super::{Rule, Verifier};

/// The forwarded results that a group reads, with who reads them.
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

/// Judges what a group reads of the one `before`, which is `None` where it has no slots.
pub(super) fn check(cx: &mut Verifier<'_>, group: &AluGroup, before: Option<&Placed<'_>>) {
    let Some(before) = before else { return };
    for (slot, reader) in forwards(group) {
        match before.iter().find(|(own, _)| *own == slot) {
            Some((_, writer)) => result(cx, slot, (writer, reader)),
            None => cx.report(
                Rule::StaleForward,
                format!("slot {slot:?} of the previous group is empty, so its result is undefined"),
            ),
        }
    }
}

fn result(cx: &mut Verifier<'_>, slot: Slot, (writer, reader): (&AluInst, &AluInst)) {
    let name = writer.op.name();
    if writer.pred_sel != PredSel::Off && writer.pred_sel != reader.pred_sel {
        let message = format!("slot {slot:?} of the previous group ran for only some lanes");
        cx.report(Rule::ForwardPredicated, message);
    }
    let unusual = writer.op.has(AluFlags::DOUBLE) || writer.op.has(AluFlags::LDS);
    let is_none = matches!(writer.op.info().result, ResultType::None | ResultType::Ar);
    if unusual || is_none {
        cx.report(Rule::ForwardSource, format!("the forwarded result of {name} is not reliable"));
    } else if writer.dst.rel {
        cx.report(Rule::ForwardSource, "the forwarded result was written through an index");
    }
}
