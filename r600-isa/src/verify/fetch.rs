//! Rules of a clause of fetches.

use crate::{CfFetch, CfOp, FetchAccess, FetchAccesses, FetchInst, FetchOp};

use super::{Rule, Verifier};

/// The first of the clause temporaries, which live in ALU clauses only.
const FIRST_TEMPORARY: u8 = 124;

pub(super) fn check(cx: &mut Verifier<'_>, run: &CfFetch, fetches: &[FetchInst]) {
    alignment(cx);
    length(cx, fetches.len());
    let mut written = [0_u8; 128];
    let mut has_gradients = [false; 2];
    for (at, fetch) in fetches.iter().enumerate() {
        cx.place.body = Some(at);
        let (Some(op), Some(accesses)) = (fetch.op(), fetch.accesses()) else {
            cx.report(Rule::Unchecked, "the fetch is kept as words");
            continue;
        };
        unsupported(cx, op);
        registers(cx, &accesses);
        clause_kind(cx, run, fetch);
        dependence(cx, accesses.read, &written);
        gradients(cx, op, &mut has_gradients);
        note_written(&mut written, accesses.written);
    }
    cx.place.body = None;
}

fn alignment(cx: &mut Verifier<'_>) {
    let Some(layout) = &cx.program.layout else { return };
    let Some(id) = cx.place.clause else { return };
    let addr = layout.clauses.get(id.0 as usize).copied().unwrap_or(0);
    if addr % 2 != 0 {
        cx.report(Rule::FetchAlignment, format!("the clause lies at {addr}, an odd address"));
    }
}

fn length(cx: &mut Verifier<'_>, len: usize) {
    let limit = cx.generation().max_fetches();
    if !(1..=limit).contains(&len) {
        cx.report(Rule::FetchClauseLength, format!("{len} fetches, {limit} can be: split it"));
    }
}

fn unsupported(cx: &mut Verifier<'_>, op: FetchOp) {
    let generation = cx.generation();
    if op.opcode(generation).is_none() {
        let name = op.name();
        cx.report(Rule::UnsupportedFetch, format!("{name} does not exist on {generation:?}"));
    }
}

fn registers(cx: &mut Verifier<'_>, accesses: &FetchAccesses) {
    for access in [Some(accesses.read), accesses.written].into_iter().flatten() {
        if access.channels != 0 && access.last() >= FIRST_TEMPORARY {
            let last = access.last();
            cx.report(Rule::GprLimit, format!("R{last} is a temporary of ALU clauses"));
        }
    }
}

fn clause_kind(cx: &mut Verifier<'_>, run: &CfFetch, fetch: &FetchInst) {
    let is_vertex = matches!(run.op, CfOp::Vtx | CfOp::VtxTc | CfOp::VtxAck | CfOp::VtxTcAck);
    let name = run.op.name();
    if is_vertex && matches!(fetch, FetchInst::Tex(_)) {
        cx.report(Rule::TextureInVertexClause, format!("{name} runs a texture fetch"));
    }
    let is_share = matches!(fetch, FetchInst::Gds(_));
    if is_share != (run.op == CfOp::Gds) {
        cx.report(
            Rule::ShareClause,
            if is_share {
                format!("{name} runs an operation of the global data share")
            } else {
                "GDS runs a fetch that is none of the global data share".to_owned()
            },
        );
    }
}

fn dependence(cx: &mut Verifier<'_>, read: FetchAccess, written: &[u8; 128]) {
    for gpr in read.gpr..=read.last() {
        if written[usize::from(gpr & 127)] & read.channels != 0 {
            cx.report(
                Rule::FetchDependence,
                format!("R{gpr} is written by an earlier fetch: start a new clause"),
            );
        }
    }
}

fn note_written(written: &mut [u8; 128], access: Option<FetchAccess>) {
    let Some(access) = access else { return };
    for gpr in access.gpr..=access.last() {
        written[usize::from(gpr & 127)] |= access.channels;
    }
}

/// `seen` tells whether horizontal and vertical gradients are set.
fn gradients(cx: &mut Verifier<'_>, op: FetchOp, seen: &mut [bool; 2]) {
    match op {
        FetchOp::SetGradientsH => seen[0] = true,
        FetchOp::SetGradientsV => seen[1] = true,
        FetchOp::KeepGradients => *seen = [true; 2],
        _ if uses_gradients(op) && *seen != [true; 2] => {
            cx.report(
                Rule::MissingGradients,
                format!("{} has no gradients in its clause", op.name()),
            );
        }
        _ => {}
    }
}

fn uses_gradients(op: FetchOp) -> bool {
    matches!(op, FetchOp::SampleG | FetchOp::SampleGLb | FetchOp::SampleCG | FetchOp::SampleCGLb)
}
