//! Fetch results that instructions read without waiting: forward dataflow over the list.
//!
//! As in `ways.rs`, the facts of a wave without active lanes are kept apart: it skips uncounted loops with all that
//! waits in them, and reads nothing until lanes wake. Unlike there, lanes that leave an iteration are followed to where
//! they go on, since only their own results concern them.
//!
//! Results are private to the lanes that fetched them: what the first arm of a branch fetches does not concern lanes of
//! the second that have run nothing of the first.

use crate::{
    AluSel, Cf, CfFlow, CfMemory, CfOp, Clause, FetchAccess, FetchInst, Generation, MemoryAccess,
    Program,
};

use super::placed::sources;
use super::{arms, ways};

/// A set of register channels: for each channel, a bit for each register.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Channels([u128; 4]);

impl Channels {
    /// The channels that an access may use. Numbers past the last register wrap.
    fn of(span: Span) -> Self {
        let count = u32::from(span.last.saturating_sub(span.gpr)) + 1;
        let registers = (!0_u128 >> (128 - count.min(128))).rotate_left((span.gpr & 127).into());
        Self([0, 1, 2, 3].map(|chan| if span.channels >> chan & 1 == 1 { registers } else { 0 }))
    }

    fn add(&mut self, more: &Self) {
        self.0.iter_mut().zip(more.0).for_each(|(all, more)| *all |= more);
    }

    fn keep(&mut self, only: &Self) {
        self.0.iter_mut().zip(only.0).for_each(|(all, only)| *all &= only);
    }

    fn has_any_of(&self, other: &Self) -> bool {
        self.0.iter().zip(other.0).any(|(own, other)| own & other != 0)
    }
}

/// Results that may be pending at a point of the program.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Pending {
    /// If lanes are active.
    awake: Channels,
    /// If no lane is active.
    asleep: Channels,
}

impl Pending {
    /// Adds `more`, and returns whether that changes anything.
    fn add(&mut self, more: &Self) -> bool {
        let known = *self;
        self.awake.add(&more.awake);
        self.asleep.add(&more.asleep);
        *self != known
    }
}

/// For each instruction, the results that may be pending before it when lanes run it. Empty if all instructions wait.
pub(super) fn before(program: &Program) -> Vec<Channels> {
    if program.cf.iter().all(Cf::has_barrier) {
        return Vec::new();
    }
    let second_arms = arms::second(program);
    let mut skipped = vec![None; program.cf.len()];
    second_arms.iter().flatten().for_each(|at| skipped[*at] = Some(Pending::default()));
    let mut walk = Walk {
        program,
        before: vec![Pending::default(); program.cf.len()],
        second_arms,
        skipped,
        narrows: program.clauses.iter().map(ways::narrows).collect(),
        fetched: program.clauses.iter().map(fetched).collect(),
        after_calls: ways::after_calls(program),
        returned: Pending::default(),
        // The first comes last, and is taken first.
        work: (0..program.cf.len()).rev().collect(),
    };
    while let Some(at) = walk.work.pop() {
        walk.step(at);
    }
    walk.before.iter().map(|pending| pending.awake).collect()
}

/// State of the walk through the list.
struct Walk<'p> {
    program: &'p Program,
    /// For each instruction, what may be pending before it.
    before: Vec<Pending>,
    /// For each instruction that may skip a first arm, the start of the second, as [`arms::second`] has it.
    second_arms: Vec<Option<usize>>,
    /// For each such start, what may be pending where the first arm was skipped.
    skipped: Vec<Option<Pending>>,
    /// Whether each clause may remove lanes from the mask.
    narrows: Vec<bool>,
    /// What each clause fetches.
    fetched: Vec<Channels>,
    /// The instructions after calls.
    after_calls: Vec<usize>,
    /// What may be pending after a return.
    returned: Pending,
    /// Instructions before which new results may be pending.
    work: Vec<usize>,
}

impl Walk<'_> {
    /// Records that `pending` may be pending before the instruction at `to`.
    fn goes_to(&mut self, to: usize, pending: Pending) {
        if self.before.get_mut(to).is_some_and(|known| known.add(&pending)) {
            self.work.push(to);
        }
    }

    /// Records that `pending` may be pending before the second arm at `to` if the first one was skipped.
    fn skips_to(&mut self, to: usize, pending: Pending) {
        if self.skipped[to].get_or_insert_default().add(&pending) {
            self.work.push(to);
        }
    }

    fn step(&mut self, at: usize) {
        let cf = &self.program.cf[at];
        let [here, after] = self.through(at, self.before[at]);
        let ends = cf.ends_program() || matches!(cf, Cf::Flow(flow) if flow.op == CfOp::CfEnd);
        let mut next = after;
        if let Cf::Flow(flow) = cf {
            next = self.leave((at, flow), here, after);
        }
        if let Some(skipped) = self.skipped[at] {
            let [_, second] = self.through(at, skipped);
            // What the lanes had fetched before the branch, unless the wave has waited in the first arm.
            next.awake.keep(&second.awake);
        }
        if let Some(second) = self.second_arms[at] {
            let jumps = matches!(cf, Cf::Flow(flow) if flow.op == CfOp::Jump);
            self.skips_to(second, if jumps { after } else { here });
        }
        if !ends {
            self.goes_to(at + 1, next);
        }
    }

    /// What may be pending after the instruction at `at` if `before` may be before it: while its lanes are active, and
    /// once it has changed which are.
    fn through(&self, at: usize, before: Pending) -> [Pending; 2] {
        let cf = &self.program.cf[at];
        // A wait covers what was fetched before, not the instruction's own results.
        let mut here = if cf.has_barrier() { Pending::default() } else { before };
        here.awake.add(&self.results(cf));
        let mut after = here;
        if ways::wakes(cf) {
            after.awake.add(&here.asleep);
        }
        if ways::empties(cf, &self.narrows) {
            after.asleep.add(&here.awake);
        }
        [here, after]
    }

    /// The channels that arrive some time after an instruction. A fetch shader's have arrived when it returns.
    fn results(&self, cf: &Cf) -> Channels {
        match cf {
            Cf::Memory(memory) if memory.is_load(self.program.generation) => {
                Channels::of(data(memory))
            }
            _ => {
                let clause = cf.clause().and_then(|id| self.fetched.get(id.0 as usize));
                clause.copied().unwrap_or_default()
            }
        }
    }

    /// Follows the ways of the instruction at `at` other than to the next one, for which it returns what may be
    /// pending. That is `here` before the instruction changes which lanes are active, and `after` afterwards.
    fn leave(&mut self, (at, flow): (usize, &CfFlow), here: Pending, after: Pending) -> Pending {
        let target = flow.target as usize;
        let with_lanes = Pending { asleep: Channels::default(), ..here };
        match flow.op {
            // It is skipped only if no lane is active.
            CfOp::LoopStartDx10 => {
                self.goes_to(target, Pending { awake: Channels::default(), ..here });
                with_lanes
            }
            CfOp::LoopStart | CfOp::LoopStartNoAl => {
                self.goes_to(target, after);
                with_lanes
            }
            CfOp::LoopEnd => {
                self.goes_to(target, Pending { asleep: Channels::default(), ..after });
                // An uncounted loop repeats until no lane is left in it.
                let is_endless = self.starts(target).is_some_and(|op| op == CfOp::LoopStartDx10);
                if is_endless { Pending { awake: here.asleep, ..here } } else { after }
            }
            CfOp::LoopBreak | CfOp::LoopContinue => {
                self.exit(flow, with_lanes);
                // A wave without lanes jumps, too.
                self.goes_to(target, Pending { awake: Channels::default(), ..here });
                after
            }
            CfOp::Ret => {
                self.goes_back(after);
                after
            }
            _ => {
                if let Some(target) = ways::target(at, &self.program.cf[at]) {
                    self.goes_to(target, after);
                }
                match flow.op {
                    // The lanes of the first arm are back at the target.
                    CfOp::Else => Pending { asleep: Channels::default(), ..after },
                    _ if ways::follows_with_lanes(flow) => with_lanes,
                    _ => after,
                }
            }
        }
    }

    /// Follows the lanes that leave an iteration, when none is left in it: the wave jumps to the end of the loop. Lanes
    /// that continue go on to the start of the loop. Lanes that break go past the loop, and so do all lanes in the last
    /// iteration of a counted loop.
    fn exit(&mut self, flow: &CfFlow, pending: Pending) {
        let at = flow.target as usize;
        let Some(Cf::Flow(end)) = self.program.cf.get(at) else { return };
        if end.op != CfOp::LoopEnd || end.barrier {
            return;
        }
        let first = end.target as usize;
        let continues = flow.op == CfOp::LoopContinue;
        let is_counted = self
            .starts(first)
            .is_some_and(|op| matches!(op, CfOp::LoopStart | CfOp::LoopStartNoAl));
        if continues {
            self.goes_to(first, pending);
        }
        if !continues || is_counted {
            self.goes_to(at + 1, pending);
        }
    }

    /// The operation before `first`, with which a loop starts if it repeats at `first`.
    fn starts(&self, first: usize) -> Option<CfOp> {
        match self.program.cf.get(first.checked_sub(1)?)? {
            Cf::Flow(flow) => Some(flow.op),
            _ => None,
        }
    }

    /// Records that `pending` may be pending after every call, since the call that a return belongs to is unknown.
    fn goes_back(&mut self, pending: Pending) {
        if !self.returned.add(&pending) {
            return;
        }
        for to in std::mem::take(&mut self.after_calls) {
            self.goes_to(to, pending);
            self.after_calls.push(to);
        }
    }
}

/// The results of a clause.
fn fetched(clause: &Clause) -> Channels {
    let mut all = Channels::default();
    if let Clause::Fetch(fetches) = clause {
        fetches.iter().filter_map(written).for_each(|span| all.add(&Channels::of(span)));
    }
    all
}

fn written(fetch: &FetchInst) -> Option<Span> {
    let FetchAccess { gpr, count, channels } = fetch.accesses()?.written?;
    Some(Span::new(gpr, count, channels).added(fetch.adds_loop_index()[1]))
}

/// The registers that a memory instruction moves.
fn data(memory: &CfMemory) -> Span {
    Span::new(memory.gpr, memory.burst, memory.comp_mask).added(memory.relative)
}

/// Whether an instruction reads any of `fetched`.
pub(super) fn reads_any(
    (cf, generation): (&Cf, Generation),
    clause: Option<&Clause>,
    fetched: &Channels,
) -> bool {
    if *fetched == Channels::default() {
        return false;
    }
    let is_fetched = |read: Span| fetched.has_any_of(&Channels::of(read));
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
            memory.kind.is_indexed()
                && is_fetched(Span::new(memory.index_gpr, 1, index_channels(memory)))
                || !memory.is_load(generation) && is_fetched(data(memory))
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
