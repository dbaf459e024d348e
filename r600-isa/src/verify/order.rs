//! Rules of ordering between control-flow instructions: fetch results, writes, index registers.

use crate::{
    AluOp, Cf, CfIndex, CfMemory, CfOp, Clause, FetchInst, FetchOp, Generation, MemoryAccess,
    MemoryType,
};

use super::ways::{self, Effect};
use super::{Place, Rule, Verifier, pending};

/// Scratch writes that a wait covers may be pending.
const ACKNOWLEDGED: u8 = 1;
/// Scratch writes that are never acknowledged may be pending.
const FORGOTTEN: u8 = 2;
/// An index register may have been loaded.
const INDEX: u8 = 4;

/// Checks the list in its order.
pub(super) fn check(cx: &mut Verifier<'_>) {
    let program = cx.program;
    let loads = |clause: &Clause| loads_index(program.generation, clause);
    let loading: Vec<bool> = program.clauses.iter().map(loads).collect();
    let private = ACKNOWLEDGED | FORGOTTEN;
    let before = ways::before(program, private, |cf| effect(cx.generation(), cf, &loading));
    let fetched = pending::before(program);
    for (at, cf) in program.cf.iter().enumerate() {
        cx.place = Place { cf: Some(at), ..Place::default() };
        let clause = cx.clause_of(cf);
        let reads = |fetched| pending::reads_any((cf, program.generation), clause, fetched);
        if !cf.has_barrier() && fetched.get(at).is_some_and(reads) {
            cx.report(Rule::MissingBarrier, "reads what a fetch writes without waiting for it");
        }
        scratch(cx, clause, before[at]);
        // A value that a clause loads is available from the next instruction on.
        if before[at] & INDEX == 0 && uses_index(cf, clause) {
            cx.report(Rule::IndexUnset, "an index register is used that no earlier clause loads");
        }
    }
    cx.place = Place::default();
}

/// Whether a wait covers a write: the write requests an acknowledgement and, on Evergreen and Cayman, is also marked.
fn is_acknowledged(generation: Generation, memory: &CfMemory) -> bool {
    let asks = matches!(memory.kind, MemoryType::WriteAck | MemoryType::WriteIndexedAck);
    asks && (memory.mark || generation == Generation::R700)
}

/// Effect of an instruction on pending scratch writes and on index registers. The clauses marked in `loading` load an
/// index register.
fn effect(generation: Generation, cf: &Cf, loading: &[bool]) -> Effect {
    let clears = match cf {
        Cf::Flow(flow) if flow.op == CfOp::WaitAck => ACKNOWLEDGED,
        _ => 0,
    };
    let sets = match cf {
        // On R600 such instructions also read, so they stay in order.
        Cf::Memory(memory) if memory.op == CfOp::MemScratch && generation != Generation::R600 => {
            if is_acknowledged(generation, memory) {
                ACKNOWLEDGED
            } else {
                FORGOTTEN
            }
        }
        _ => {
            let loads = cf.clause().and_then(|id| loading.get(id.0 as usize));
            if loads == Some(&true) { INDEX } else { 0 }
        }
    };
    Effect { sets, clears }
}

/// Checks that scratch memory is read only after writes to it have been acknowledged.
fn scratch(cx: &mut Verifier<'_>, clause: Option<&Clause>, before: u8) {
    if let Some(Clause::Fetch(fetches)) = clause
        && before & (ACKNOWLEDGED | FORGOTTEN) != 0
        && fetches.iter().any(|fetch| fetch.op() == Some(FetchOp::ReadScratch))
    {
        let message = match before & FORGOTTEN != 0 {
            true => "scratch memory is read that was written without an acknowledgement",
            false => "scratch memory is read before WAIT_ACK",
        };
        cx.report(Rule::ScratchWait, message);
    }
}

fn loads_index(generation: Generation, clause: &Clause) -> bool {
    let Clause::Alu(groups) = clause else { return false };
    groups.iter().flat_map(|group| &group.insts).any(|inst| match inst.op {
        AluOp::SetCfIdx0 | AluOp::SetCfIdx1 => true,
        // On Cayman the destination's number selects the register.
        AluOp::MovaInt => generation == Generation::Cayman && matches!(inst.dst.gpr, 2 | 3),
        _ => false,
    })
}

fn uses_index(cf: &Cf, clause: Option<&Clause>) -> bool {
    let of_list = match cf {
        Cf::Alu(alu) => alu.kcache.iter().any(|window| window.index != CfIndex::None),
        Cf::Memory(memory) => match memory.access {
            MemoryAccess::Rat(target) => target.index != CfIndex::None,
            MemoryAccess::Base(_) => false,
        },
        _ => false,
    };
    let of_fetch = |fetch: &FetchInst| match fetch {
        FetchInst::Tex(tex) => [tex.resource_index, tex.sampler_index] != [CfIndex::None; 2],
        FetchInst::Vtx(vtx) => vtx.buffer_index != CfIndex::None,
        FetchInst::Gds(gds) => gds.uav_index != CfIndex::None,
        _ => false,
    };
    of_list || matches!(clause, Some(Clause::Fetch(fetches)) if fetches.iter().any(of_fetch))
}
