//! Rules of ordering between control-flow instructions: fetch results, writes, index registers.

use std::collections::BTreeMap;

use crate::{
    AluOp, AluSel, Cf, CfFlow, CfIndex, CfMemory, CfOp, Clause, FetchAccess, FetchInst, FetchOp,
    Generation, MemoryAccess, MemoryType, Program,
};

use super::placed::sources;
use super::ways::{self, Effect};
use super::{Place, Rule, Verifier};

/// A bit for each channel of each register.
type Registers = [u8; 128];

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
    let mut fetched = Fetched::once_round(cx);
    for (at, cf) in program.cf.iter().enumerate() {
        cx.place = Place { cf: Some(at), ..Place::default() };
        let clause = cx.clause_of(cf);
        fetched.come_to(at);
        if !cf.has_barrier() && reads_any(cf, clause, &fetched.here) {
            cx.report(
                Rule::MissingBarrier,
                "reads what a fetch clause writes without waiting for it",
            );
        }
        fetched.go_on(program, (at, cf), clause);
        scratch(cx, clause, before[at]);
        // A value that a clause loads is available from the next instruction on.
        if before[at] & INDEX == 0 && uses_index(cf, clause) {
            cx.report(Rule::IndexUnset, "an index register is used that no earlier clause loads");
        }
    }
    cx.place = Place::default();
}

/// Fetch results that may not have been waited for.
struct Fetched {
    /// State of the walk through the list.
    here: Registers,
    /// Results that reach an instruction other than from its predecessor in the list, by instruction: at starts of
    /// loops, where lanes go that leave an iteration, and after instructions that a branch or a loop skips.
    elsewhere: BTreeMap<usize, Registers>,
}

impl Fetched {
    /// The state at the start of the list, with the results that a first walk found to go elsewhere. One walk suffices:
    /// a second time around a loop adds nothing.
    fn once_round(cx: &Verifier<'_>) -> Self {
        let mut fetched = Self { here: [0; 128], elsewhere: BTreeMap::new() };
        for (at, cf) in cx.program.cf.iter().enumerate() {
            fetched.come_to(at);
            fetched.go_on(cx.program, (at, cf), cx.clause_of(cf));
        }
        fetched.here = [0; 128];
        fetched
    }

    fn come_to(&mut self, at: usize) {
        if let Some(more) = self.elsewhere.get(&at) {
            add(&mut self.here, more);
        }
    }

    fn go_on(&mut self, program: &Program, (at, cf): (usize, &Cf), clause: Option<&Clause>) {
        if cf.has_barrier() {
            self.here = [0; 128];
        }
        match (cf, clause) {
            (_, Some(Clause::Fetch(fetches))) => note_fetched(&mut self.here, fetches),
            (Cf::Flow(flow), _) if self.here != [0; 128] => {
                for to in ways_on(program, at, flow).into_iter().flatten() {
                    add(self.elsewhere.entry(to).or_insert([0; 128]), &self.here);
                }
            }
            _ => {}
        }
    }
}

/// Where an instruction goes besides the next one:
/// - A branch or a counted loop goes past the instructions that it skips, and so past any wait in them.
/// - The end of a loop goes back to its start.
/// - An exit of a loop whose end does not wait goes to that end. Lanes that continue go on to the start of the loop.
///   Lanes that break go past the loop, and so do all lanes in the last iteration of a counted loop.
fn ways_on(program: &Program, at: usize, flow: &CfFlow) -> [Option<usize>; 2] {
    let continues = match flow.op {
        CfOp::LoopEnd => return [Some(flow.target as usize), None],
        CfOp::LoopContinue => true,
        CfOp::LoopBreak => false,
        _ => return [skips(at, flow).then_some(flow.target as usize), None],
    };
    let at = flow.target as usize;
    let Some(Cf::Flow(end)) = program.cf.get(at) else { return [None; 2] };
    if end.op != CfOp::LoopEnd || end.barrier {
        return [None; 2];
    }
    let first = end.target as usize;
    let counts = |cf: &Cf| matches!(cf, Cf::Flow(start) if starts_counted(start.op));
    let start = first.checked_sub(1).and_then(|start| program.cf.get(start));
    let goes_past = !continues || start.is_some_and(counts);
    [continues.then_some(first), goes_past.then_some(at + 1)]
}

fn starts_counted(op: CfOp) -> bool {
    matches!(op, CfOp::LoopStart | CfOp::LoopStartNoAl)
}

/// Whether the instruction at `at` may skip its successors with lanes active at the target. An uncounted loop is
/// skipped only if no lane is left.
fn skips(at: usize, flow: &CfFlow) -> bool {
    match flow.op {
        CfOp::Jump | CfOp::JumpAny | CfOp::PopJump | CfOp::Else | CfOp::ElseWqm => true,
        CfOp::PushElse | CfOp::PopPushElse => true,
        CfOp::Push => ways::push_jumps(at, flow),
        op => starts_counted(op),
    }
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

/// Registers that an access may use, and its channels.
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

    /// The same if an index is added at run time: the access may then use any register from the first on.
    fn added(self, is_relative: bool) -> Self {
        if is_relative { Self { last: 127.max(self.last), ..self } } else { self }
    }
}

/// Channels of the index GPR that form the address: three coordinates for a random access target.
fn index_channels(memory: &CfMemory) -> u8 {
    match memory.access {
        MemoryAccess::Rat(_) => 0b0111,
        MemoryAccess::Base(_) => 0b0001,
    }
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
