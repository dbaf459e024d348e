//! The rule of the loop index, which only `LOOP_START` counts.

use crate::names::alu_source_name;
use crate::{
    AluGroup, AluSel, AluSrc, Cf, CfAlu, CfOp, Clause, FetchInst, Generation, IndexMode, KcacheMode,
};

use super::placed::sources;
use super::{Place, Rule, Verifier};

/// Checks uses of the loop index. Loops are followed in list order up to the first subroutine, since subroutines run in
/// the loops of their callers.
pub(super) fn check(cx: &mut Verifier<'_>) {
    let program = cx.program;
    let calls = program.cf.iter().filter_map(|cf| match cf {
        Cf::Flow(flow) if flow.op == CfOp::Call => Some(flow.target as usize),
        _ => None,
    });
    let end = calls.min().unwrap_or(program.cf.len());
    let uses = |clause: &Clause| clause_uses_index(program.generation, clause);
    let using: Vec<bool> = program.clauses.iter().map(uses).collect();
    // For each open loop, whether it counts an index; and the number of those that do.
    let mut loops = Vec::new();
    let mut num_counting = 0_usize;
    for (at, cf) in program.cf.iter().enumerate().take(end) {
        if num_counting == 0 && uses_index(cf, &using) {
            cx.place = Place { cf: Some(at), ..Place::default() };
            cx.report(Rule::LoopIndexUnset, "AL is used outside of loops that count it");
        }
        match cf {
            Cf::Flow(flow) if flow.op == CfOp::LoopEnd => {
                num_counting -= usize::from(loops.pop() == Some(true));
            }
            Cf::Flow(flow) if crate::stack::loops_opened(cf) > 0 => {
                loops.push(flow.op == CfOp::LoopStart);
                num_counting += usize::from(flow.op == CfOp::LoopStart);
            }
            _ => {}
        }
    }
    cx.place = Place::default();
}

/// Whether an instruction adds the loop index to a register or to a line of constants, or its clause uses the index.
/// `using` tells which clauses do.
fn uses_index(cf: &Cf, using: &[bool]) -> bool {
    let is_own = match cf {
        Cf::Alu(alu) => locks_by_index(alu),
        Cf::Export(export) => export.relative,
        Cf::Memory(memory) => memory.relative,
        Cf::Fetch(_) | Cf::Flow(_) | Cf::Sync(_) | Cf::Raw(_) => false,
    };
    is_own || cf.clause().and_then(|id| using.get(id.0 as usize)) == Some(&true)
}

fn clause_uses_index(generation: Generation, clause: &Clause) -> bool {
    match clause {
        Clause::Alu(groups) => groups.iter().any(|group| group_uses_index(generation, group)),
        Clause::Fetch(fetches) => fetches.iter().any(fetch_adds_index),
        Clause::Mixed(_) => false,
    }
}

fn locks_by_index(alu: &CfAlu) -> bool {
    alu.kcache.iter().any(|window| window.mode == KcacheMode::LockLoopIndex)
}

fn group_uses_index(generation: Generation, group: &AluGroup) -> bool {
    group.insts.iter().any(|inst| {
        let is_relative = inst.has_indexed_dst() || sources(inst).iter().any(|src| src.rel);
        let adds = is_relative && inst.index_mode == IndexMode::Loop;
        adds || sources(inst).iter().any(|src| is_index(generation, src))
    })
}

/// Whether a source is the loop index itself.
fn is_index(generation: Generation, src: &AluSrc) -> bool {
    match src.sel {
        AluSel::Other(number) => alu_source_name(generation, number) == Some("LOOP_IDX"),
        _ => false,
    }
}

fn fetch_adds_index(fetch: &FetchInst) -> bool {
    fetch.adds_loop_index().contains(&true)
}
