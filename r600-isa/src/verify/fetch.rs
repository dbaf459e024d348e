//! Rules of a clause of fetches.

use crate::{CfFetch, CfOp, FetchInst, FetchOp, FetchSel, Generation};

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
        let Some(access) = Access::of(fetch) else {
            cx.report(Rule::Unchecked, "the fetch is kept as words");
            continue;
        };
        unsupported(cx, access.op);
        registers(cx, &access);
        vertex_clause(cx, run, fetch);
        dependence(cx, &access, &written);
        gradients(cx, access.op, &mut has_gradients);
        written[usize::from(access.dst.0 & 127)] |= access.dst.1;
    }
    cx.place.body = None;
}

/// Registers of a fetch, with masks of their channels.
struct Access {
    op: FetchOp,
    src: (u8, u8),
    dst: (u8, u8),
}

impl Access {
    fn of(fetch: &FetchInst) -> Option<Self> {
        match fetch {
            FetchInst::Tex(tex) => Some(Self {
                op: tex.op,
                src: (tex.src_gpr, channels_read(&tex.src_sel)),
                dst: (tex.dst_gpr, channels_written(&tex.dst_sel)),
            }),
            FetchInst::Vtx(vtx) => Some(Self {
                op: vtx.op,
                src: (vtx.src_gpr, channels_read(&[vtx.src_sel])),
                dst: (vtx.dst_gpr, channels_written(&vtx.dst_sel)),
            }),
            FetchInst::Raw(_) => None,
        }
    }
}

fn channels_read(sels: &[FetchSel]) -> u8 {
    sels.iter().filter(|sel| (**sel as u8) < 4).fold(0, |mask, sel| mask | 1 << *sel as u8)
}

fn channels_written(sels: &[FetchSel; 4]) -> u8 {
    let written = sels.iter().enumerate().filter(|(_, sel)| **sel != FetchSel::Mask);
    written.fold(0, |mask, (chan, _)| mask | 1 << chan)
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
    let limit = if cx.generation() == Generation::R600 { 8 } else { 16 };
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

fn registers(cx: &mut Verifier<'_>, access: &Access) {
    for (gpr, mask) in [access.src, access.dst] {
        if mask != 0 && gpr >= FIRST_TEMPORARY {
            cx.report(Rule::GprLimit, format!("R{gpr} is a temporary of ALU clauses"));
        }
    }
}

fn vertex_clause(cx: &mut Verifier<'_>, run: &CfFetch, fetch: &FetchInst) {
    let is_vertex = matches!(run.op, CfOp::Vtx | CfOp::VtxTc | CfOp::VtxAck | CfOp::VtxTcAck);
    if is_vertex && matches!(fetch, FetchInst::Tex(_)) {
        cx.report(Rule::TextureInVertexClause, format!("{} runs a texture fetch", run.op.name()));
    }
}

fn dependence(cx: &mut Verifier<'_>, access: &Access, written: &[u8; 128]) {
    let (gpr, mask) = access.src;
    if written[usize::from(gpr & 127)] & mask != 0 {
        cx.report(
            Rule::FetchDependence,
            format!("R{gpr} is written by an earlier fetch: start a new clause"),
        );
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
