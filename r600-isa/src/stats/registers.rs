//! How many registers a program uses.

use crate::alu::FIRST_TEMPORARY;
use crate::{AluInst, AluSel, Cf, Clause, FetchAccess, FetchInst, Program};

/// One more than the highest register that the program names.
pub(super) fn num_gprs(program: &Program) -> usize {
    let exported = program.cf.iter().filter_map(last_exported);
    let in_clauses = program.started_clauses().filter_map(highest_of_clause);
    exported.chain(in_clauses).max().map_or(0, |highest| usize::from(highest) + 1)
}

fn last_exported(cf: &Cf) -> Option<u8> {
    match cf {
        Cf::Export(export) if reads_register(export) => {
            Some(export.gpr.saturating_add(export.burst.saturating_sub(1)))
        }
        Cf::Memory(memory) => {
            let last = memory.gpr.saturating_add(memory.burst.saturating_sub(1));
            Some(if memory.kind.is_indexed() { last.max(memory.index_gpr) } else { last })
        }
        _ => None,
    }
}

/// Whether an export reads its register. An export of constants only names it.
fn reads_register(export: &crate::CfExport) -> bool {
    export.sel.iter().any(|sel| (*sel as u8) < 4)
}

fn highest_of_clause(clause: &Clause) -> Option<u8> {
    match clause {
        Clause::Alu(_) | Clause::Mixed(_) => {
            let insts = clause.groups().flat_map(|group| &group.insts);
            insts.flat_map(registers_of).filter(|gpr| *gpr < FIRST_TEMPORARY).max()
        }
        Clause::Fetch(fetches) => fetches.iter().filter_map(highest_of_fetch).max(),
    }
}

fn registers_of(inst: &AluInst) -> impl Iterator<Item = u8> {
    let sources = inst.src.iter().take(inst.num_src()).filter_map(|src| match src.sel {
        AluSel::Gpr(gpr) => Some(gpr),
        _ => None,
    });
    inst.writes_gpr().then_some(inst.dst.gpr).into_iter().chain(sources)
}

fn highest_of_fetch(fetch: &FetchInst) -> Option<u8> {
    let accesses = fetch.accesses()?;
    let used = [Some(accesses.read), accesses.written].into_iter().flatten();
    // An operand of constants only names its register.
    used.filter(|access| access.channels != 0).map(FetchAccess::last).max()
}
