//! Rules of what control flow leaves behind for what follows: results of fetches, writes, index registers.

use std::collections::BTreeMap;

use crate::{
    AluOp, AluSel, Cf, CfIndex, CfMemory, CfOp, Clause, FetchAccess, FetchInst, FetchOp,
    Generation, MemoryAccess, MemoryType,
};

use super::placed::sources;
use super::ways::{self, Effect};
use super::{Place, Rule, Verifier};

/// A bit for each channel of each register.
type Registers = [u8; 128];

/// Writes to scratch memory may be under way that a wait waits for.
const ACKNOWLEDGED: u8 = 1;
/// Writes to it may be under way that nothing acknowledges.
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
    let again = fetched_again(cx);
    let mut fetched: Registers = [0; 128];
    for (at, cf) in program.cf.iter().enumerate() {
        cx.place = Place { cf: Some(at), ..Place::default() };
        let clause = cx.clause_of(cf);
        if let Some(again) = again.get(&at) {
            add(&mut fetched, again);
        }
        if cf.has_barrier() {
            fetched = [0; 128];
        } else if reads_any(cf, clause, &fetched) {
            cx.report(
                Rule::MissingBarrier,
                "reads what a fetch clause writes without waiting for it",
            );
        }
        if let Some(Clause::Fetch(fetches)) = clause {
            note_fetched(&mut fetched, fetches);
        }
        scratch(cx, clause, before[at]);
        // What a clause loads is there from the next instruction on.
        if before[at] & INDEX == 0 && uses_index(cf, clause) {
            cx.report(Rule::IndexUnset, "an index register is used that no earlier clause loads");
        }
    }
    cx.place = Place::default();
}

/// What loops have fetched and not waited for where they begin again, by the instruction that they begin with. What comes
/// round once more has been there already.
fn fetched_again(cx: &Verifier<'_>) -> BTreeMap<usize, Registers> {
    let mut again = BTreeMap::new();
    let mut fetched: Registers = [0; 128];
    for cf in &cx.program.cf {
        if cf.has_barrier() {
            fetched = [0; 128];
        }
        match (cf, cx.clause_of(cf)) {
            (_, Some(Clause::Fetch(fetches))) => note_fetched(&mut fetched, fetches),
            (Cf::Flow(flow), _) if flow.op == CfOp::LoopEnd && fetched != [0; 128] => {
                add(again.entry(flow.target as usize).or_insert([0; 128]), &fetched);
            }
            _ => {}
        }
    }
    again
}

fn add(all: &mut Registers, more: &Registers) {
    all.iter_mut().zip(more).for_each(|(channels, more)| *channels |= more);
}

fn note_fetched(fetched: &mut Registers, fetches: &[FetchInst]) {
    let written = |fetch: &FetchInst| {
        let FetchAccess { gpr, count, channels } = fetch.accesses()?.written?;
        Some(Span::new(gpr, count, channels).added(fetch.adds_loop_index()[1]))
    };
    for Span { gpr, last, channels } in fetches.iter().filter_map(written) {
        (gpr..=last).for_each(|gpr| fetched[usize::from(gpr & 127)] |= channels);
    }
}

fn reads_any(cf: &Cf, clause: Option<&Clause>, fetched: &Registers) -> bool {
    let is_fetched = |read: Span| {
        (read.gpr..=read.last).any(|gpr| fetched[usize::from(gpr & 127)] & read.channels != 0)
    };
    match (cf, clause) {
        (_, Some(Clause::Alu(groups))) => {
            let mut reads = groups.iter().flat_map(|group| &group.insts).flat_map(sources);
            reads.any(|src| match src.sel {
                AluSel::Gpr(gpr) => {
                    is_fetched(Span::new(gpr, 1, 1 << src.chan as u8).added(src.rel))
                }
                _ => false,
            })
        }
        (_, Some(Clause::Fetch(fetches))) => {
            let read = |fetch: &FetchInst| {
                let FetchAccess { gpr, count, channels } = fetch.accesses()?.read;
                Some(Span::new(gpr, count, channels).added(fetch.adds_loop_index()[0]))
            };
            fetches.iter().filter_map(read).any(is_fetched)
        }
        (Cf::Export(export), _) => {
            let channels = export.sel.iter().filter_map(|sel| sel.chan());
            let mask = channels.fold(0, |mask, chan| mask | 1 << chan as u8);
            is_fetched(Span::new(export.gpr, export.burst, mask).added(export.relative))
        }
        (Cf::Memory(memory), _) => {
            let data = Span::new(memory.gpr, memory.burst, memory.comp_mask);
            memory.kind.is_indexed()
                && is_fetched(Span::new(memory.index_gpr, 1, index_channels(memory)))
                || is_fetched(data.added(memory.relative))
        }
        _ => false,
    }
}

/// Registers that may be used, and channels of them.
#[derive(Clone, Copy)]
struct Span {
    gpr: u8,
    last: u8,
    channels: u8,
}

impl Span {
    fn new(gpr: u8, count: u8, channels: u8) -> Self {
        Self { gpr, last: gpr.saturating_add(count.saturating_sub(1)), channels }
    }

    /// The same where an index is added at run time: any register from the first on may be meant.
    fn added(self, is_relative: bool) -> Self {
        if is_relative { Self { last: 127.max(self.last), ..self } } else { self }
    }
}

/// Channels of the index GPR that say where in memory: three coordinates of a random access target.
fn index_channels(memory: &CfMemory) -> u8 {
    match memory.access {
        MemoryAccess::Rat(_) => 0b0111,
        MemoryAccess::Base(_) => 0b0001,
    }
}

/// Whether a wait waits for a write: it asks for an acknowledgement, and on Evergreen and Cayman is marked besides.
fn is_acknowledged(generation: Generation, memory: &CfMemory) -> bool {
    let asks = matches!(memory.kind, MemoryType::WriteAck | MemoryType::WriteIndexedAck);
    asks && (memory.mark || generation == Generation::R700)
}

/// What an instruction does to the writes of scratch memory that may be under way, and to index registers, which the
/// clauses load that `loading` says it of.
fn effect(generation: Generation, cf: &Cf, loading: &[bool]) -> Effect {
    let clears = match cf {
        Cf::Flow(flow) if flow.op == CfOp::WaitAck => ACKNOWLEDGED,
        _ => 0,
    };
    let sets = match cf {
        // The first chips read by such instructions, too, which keep their order.
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

/// Scratch memory is read only when writes to it have been acknowledged.
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
        // On Cayman the destination's number picks the register.
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
