//! Rules of a clause of fetches.

use crate::{CfFetch, CfOp, FetchAccess, FetchAccesses, FetchInst, FetchOp, Hazard};

use super::{FIRST_TEMPORARY, Rule, Verifier, raw};

pub(super) fn check(cx: &mut Verifier<'_>, run: &CfFetch, fetches: &[FetchInst]) {
    alignment(cx);
    length(cx, fetches.len());
    let mut written = Written { named: [0; 128], indexed: [0; 128] };
    let mut seen = Prepared::default();
    for (at, fetch) in fetches.iter().enumerate() {
        cx.place.body = Some(at);
        let (Some(op), Some(accesses)) = (fetch.op(), fetch.accesses()) else {
            raw::check_fetch(cx, fetch);
            continue;
        };
        unsupported(cx, op);
        registers(cx, &accesses);
        clause_kind(cx, run, fetch);
        let [reads_indexed, writes_indexed] = fetch.adds_loop_index();
        dependence(cx, accesses.read, written.of(reads_indexed));
        loop_dependence(cx, accesses.read, reads_indexed, written.of(!reads_indexed));
        gather_layer(cx, fetch);
        prepared(cx, op, &mut seen);
        note_written(written.of(writes_indexed), accesses.written);
    }
    cx.place.body = None;
    stranded(cx, fetches);
}

/// Whether a fetch only prepares the one after it.
fn prepares(op: FetchOp) -> bool {
    sets_gradient(op).is_some()
        || matches!(op, FetchOp::SetTextureOffsets | FetchOp::SetCubemapIndex)
}

/// Which gradient a fetch sets: 0 for the horizontal one, 1 for the vertical one.
fn sets_gradient(op: FetchOp) -> Option<usize> {
    match op {
        FetchOp::SetGradientsH
        | FetchOp::SetGradientsHCoarse
        | FetchOp::SetGradientsHPackedFine
        | FetchOp::SetGradientsHPackedCoarse => Some(0),
        FetchOp::SetGradientsV
        | FetchOp::SetGradientsVCoarse
        | FetchOp::SetGradientsVPackedFine
        | FetchOp::SetGradientsVPackedCoarse => Some(1),
        _ => None,
    }
}

/// Whether `op` reads the state that `setting` sets.
fn uses(op: FetchOp, setting: FetchOp) -> bool {
    match setting {
        FetchOp::SetTextureOffsets => uses_offsets(op),
        _ => sets_gradient(setting).is_none() || uses_gradients(op),
    }
}

/// A fetch that sets state must directly precede the fetch that uses it, or another one that sets state.
fn stranded(cx: &mut Verifier<'_>, fetches: &[FetchInst]) {
    for (at, fetch) in fetches.iter().enumerate() {
        let Some(setting) = fetch.op().filter(|op| prepares(*op)) else { continue };
        let user = fetches[at..].iter().find(|next| !next.op().is_some_and(prepares));
        let is_used = match user {
            Some(user) => user.op().is_none_or(|op| uses(op, setting)),
            None => false,
        };
        if !is_used {
            cx.place.body = Some(at);
            let name = setting.name();
            cx.report(Rule::StrandedSetting, format!("the fetch after {name} does not use it"));
            break;
        }
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
        cx.report(
            Rule::FetchClauseLength,
            format!("the clause has {len} fetches, the limit is {limit}: split it"),
        );
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

/// Whether the vertex fetch unit runs the clause.
pub(super) fn is_vertex_clause(run: &CfFetch) -> bool {
    matches!(run.op, CfOp::Vtx | CfOp::VtxTc | CfOp::VtxAck | CfOp::VtxTcAck)
}

fn clause_kind(cx: &mut Verifier<'_>, run: &CfFetch, fetch: &FetchInst) {
    let is_vertex = is_vertex_clause(run);
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
                "a GDS clause holds a fetch of another kind".to_owned()
            },
        );
    }
}

/// Channels that earlier fetches of the clause write, a bit for each channel of each register.
struct Written {
    /// By the registers that the fetches name.
    named: [u8; 128],
    /// By the registers to which the fetches add the loop index, which is the same throughout the clause.
    indexed: [u8; 128],
}

impl Written {
    fn of(&mut self, indexed: bool) -> &mut [u8; 128] {
        if indexed { &mut self.indexed } else { &mut self.named }
    }
}

/// Channels that an earlier fetch writes are not available yet. For other channels of the same register this is
/// disputed. Either both fetches add the loop index or neither does.
fn dependence(cx: &mut Verifier<'_>, read: FetchAccess, written: &[u8; 128]) {
    let splits_registers = cx.generation().has(Hazard::FetchOfFetched);
    for gpr in read.gpr..=read.last() {
        let written = written[usize::from(gpr & 127)];
        if written & read.channels != 0 {
            cx.report(
                Rule::FetchDependence,
                format!("R{gpr} is written by an earlier fetch: start a new clause"),
            );
        } else if written != 0 && read.channels != 0 && splits_registers {
            cx.report(
                Rule::FetchRegister,
                format!("another channel of R{gpr} is written by an earlier fetch"),
            );
        }
    }
}

/// Gathers work on textures whose third coordinate, if any, is a layer; offsets do not apply to layers.
fn gather_layer(cx: &mut Verifier<'_>, fetch: &FetchInst) {
    let FetchInst::Tex(tex) = fetch else { return };
    let is_gather = matches!(
        tex.op,
        FetchOp::Gather4 | FetchOp::Gather4C | FetchOp::Gather4O | FetchOp::Gather4CO
    );
    if is_gather && tex.offset[2] != 0 && cx.generation().has(Hazard::GatherOffsetZ) {
        cx.report(Rule::GatherLayer, format!("{} has a z offset: make it 0", tex.op.name()));
    }
}

/// Of two fetches, one adds the loop index: the number of its register is that which it names, or any higher one. So it
/// depends on the index whether they use the same register.
fn loop_dependence(
    cx: &mut Verifier<'_>,
    read: FetchAccess,
    reads_indexed: bool,
    written: &[u8; 128],
) {
    let met = match reads_indexed {
        true => &written[usize::from(read.gpr & 127)..],
        false => &written[..=usize::from(read.last().min(127))],
    };
    if met.iter().any(|channels| channels & read.channels != 0) {
        let gpr = read.gpr;
        let name = if reads_indexed { format!("R[AL+{gpr}]") } else { format!("R{gpr}") };
        let message = format!(
            "depending on the loop index, an earlier fetch may write {name}: start a new clause"
        );
        cx.report(Rule::FetchRegister, message);
    }
}

fn note_written(written: &mut [u8; 128], access: Option<FetchAccess>) {
    let Some(access) = access else { return };
    for gpr in access.gpr..=access.last() {
        written[usize::from(gpr & 127)] |= access.channels;
    }
}

/// State set by earlier fetches of the clause.
#[derive(Default)]
struct Prepared {
    gradients: [bool; 2],
    offsets: bool,
}

fn prepared(cx: &mut Verifier<'_>, op: FetchOp, seen: &mut Prepared) {
    if let Some(which) = sets_gradient(op) {
        seen.gradients[which] = true;
    }
    match op {
        FetchOp::KeepGradients => seen.gradients = [true; 2],
        FetchOp::SetTextureOffsets => seen.offsets = true,
        _ if uses_gradients(op) && seen.gradients != [true; 2] => {
            let name = op.name();
            cx.report(Rule::Unprepared, format!("{name} has no gradients in its clause"));
        }
        _ if uses_offsets(op) && !seen.offsets => {
            let name = op.name();
            cx.report(Rule::Unprepared, format!("{name} has no offsets in its clause"));
        }
        _ => {}
    }
}

fn uses_gradients(op: FetchOp) -> bool {
    matches!(
        op,
        FetchOp::SampleG
            | FetchOp::SampleGL
            | FetchOp::SampleGLb
            | FetchOp::SampleGLz
            | FetchOp::SampleCG
            | FetchOp::SampleCGL
            | FetchOp::SampleCGLb
            | FetchOp::SampleCGLz
    )
}

fn uses_offsets(op: FetchOp) -> bool {
    matches!(op, FetchOp::Gather4O | FetchOp::Gather4CO)
}
