//! Rules about hardware bugs of some chips.

use crate::stack::{self, Deeper};
use crate::{Cf, CfFetch, CfKind, CfOp, Chip, Clause, FetchInst, FetchOp, Hazard};

use super::fetch::is_vertex_clause;
use super::{Place, Rule, Verifier};

pub(super) fn check(cx: &mut Verifier<'_>, chip: Chip) {
    pushes(cx, chip);
    masks(cx, chip);
    stale_cache(cx, chip);
    cx.place = Place::default();
}

/// Checks pushes by ALU clauses, which some chips get wrong.
fn pushes(cx: &mut Verifier<'_>, chip: Chip) {
    for Deeper { cf, depth } in stack::deeper(cx.program) {
        let is_with_clause = matches!(cx.program.cf.get(cf), Some(Cf::Alu(_)));
        cx.place = Place { cf: Some(cf), ..Place::default() };
        if is_with_clause && depth.corrupts_mask(chip) {
            cx.report(Rule::PushFault, "the chip corrupts the mask: write PUSH and ALU instead");
        }
    }
}

/// Checks clauses that end a branch or leave a loop while the stack holds at least one full entry.
fn masks(cx: &mut Verifier<'_>, chip: Chip) {
    if !chip.has(Hazard::MaskAtBorder) {
        return;
    }
    for (at, depth) in stack::depths(cx.program) {
        let changes_mask = matches!(cx.program.cf.get(at), Some(Cf::Alu(alu))
            if matches!(alu.op, CfOp::AluElseAfter | CfOp::AluBreak | CfOp::AluContinue));
        if changes_mask && depth.least_elements(chip) >= chip.stack_entry_size() {
            cx.place = Place { cf: Some(at), ..Place::default() };
            let message = "the chip may corrupt the mask: write ALU and ELSE or LOOP_BREAK instead";
            cx.report(Rule::MaskFault, message);
        }
    }
}

/// Checks fetches through a vertex cache that may be stale: sizes of buffers, and fetches right after a wait for a
/// write to a random access target. If scratch memory is read next to them, the wait may be for that, so nothing is
/// reported.
fn stale_cache(cx: &mut Verifier<'_>, chip: Chip) {
    if !chip.has(Hazard::StaleVertexCache) {
        return;
    }
    let program = cx.program;
    let is_write =
        |cf: &Cf| matches!(cf, Cf::Memory(memory) if memory.op.info().kind == CfKind::Rat);
    let writes = program.cf.iter().any(is_write);
    let mut has_waited = false;
    for (at, cf) in program.cf.iter().enumerate() {
        if let Cf::Fetch(run) = cf
            && let Some(Clause::Fetch(fetches)) = cx.clause_of(cf)
            && reads_old_lines(run, fetches, writes && has_waited && !reads_scratch(cx, at))
        {
            cx.place = Place { cf: Some(at), ..Place::default() };
            cx.report(Rule::StaleCache, "the vertex cache may be out of date: write TEX instead");
        }
        has_waited = matches!(cf, Cf::Flow(flow) if flow.op == CfOp::WaitAck);
    }
}

/// Whether any of the consecutive fetch clauses from `at` on reads scratch memory.
fn reads_scratch(cx: &Verifier<'_>, at: usize) -> bool {
    let clauses = cx.program.cf[at..].iter().take_while(|cf| matches!(cf, Cf::Fetch(_)));
    let mut fetches = clauses.filter_map(|cf| match cx.clause_of(cf) {
        Some(Clause::Fetch(fetches)) => Some(fetches),
        _ => None,
    });
    let is_read =
        |fetch: &FetchInst| matches!(fetch, FetchInst::Mem(mem) if mem.op == FetchOp::ReadScratch);
    fetches.any(|fetches| fetches.iter().any(is_read))
}

fn reads_old_lines(run: &CfFetch, fetches: &[FetchInst], has_waited: bool) -> bool {
    let is_old = |fetch: &FetchInst| match fetch {
        FetchInst::Vtx(vtx) => has_waited || vtx.op == FetchOp::GetBufferResinfo,
        _ => false,
    };
    is_vertex_clause(run) && fetches.iter().any(is_old)
}
