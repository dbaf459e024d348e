//! Checks that control flow follows the regions. One lane is followed through the words, with every outcome of every
//! test. It must run the same clauses as the regions do with these outcomes, and it must wait for its memory writes
//! before it fetches.

use std::collections::{BTreeSet, HashMap, HashSet};

use r600_isa::{AluGroup, Cf, CfFlow, CfOp, Clause, Program};

use super::CodeFault;
use super::lockstep::{Access, CodeSteps, does_nothing, is_event};
use crate::alloc::{BasicBlock, Flow};

/// The most lane states to look at. Nesting is shallow, so real programs stay far below.
const MAX_STATES: usize = 1 << 20;

/// The last clause that a lane ran, with the outcome of its test if it has one; `None` at the start of the program.
type Last = Option<(usize, Option<bool>)>;
/// A transition from one clause that a lane runs to the next; `None` is the end of the program.
type Edge = (Last, Option<usize>);

/// Compares the edges of the words with those of the regions.
pub(super) fn check(program: &Program, flow: &Flow, code: &CodeSteps) -> Result<(), CodeFault> {
    let want = wanted(program, flow, code);
    let found = Follower::new(program, code).follow()?;
    match found.symmetric_difference(&want).next() {
        Some(&(from, to)) => Err(CodeFault::Flow(clause_of(from), to)),
        None => Ok(()),
    }
}

fn clause_of(from: Last) -> Option<usize> {
    from.map(|(cf, _)| cf)
}

/// The edges of the regions that a lane can reach.
fn wanted(program: &Program, flow: &Flow, code: &CodeSteps) -> BTreeSet<Edge> {
    let regions = Regions { program, flow, code, entry: flow.steps.len() - code.steps.len() };
    let all = regions.edges();
    let mut reached = BTreeSet::new();
    let mut work = vec![None];
    while let Some(from) = work.pop() {
        let next = all.iter().filter(|edge| clause_of(edge.0) == from);
        for &edge in next {
            if reached.insert(edge) && edge.1.is_some() {
                work.push(edge.1);
            }
        }
    }
    reached
}

struct Regions<'a> {
    program: &'a Program,
    flow: &'a Flow,
    code: &'a CodeSteps,
    /// Number of steps at the start that stand for the values on entry.
    entry: usize,
}

impl Regions<'_> {
    /// The clauses of a block, in order.
    fn clauses(&self, block: usize) -> Vec<usize> {
        let block = &self.flow.blocks[block];
        let of = |step: u32| (step as usize).saturating_sub(self.entry);
        let mut cfs: Vec<usize> =
            self.code.steps[of(block.first)..of(block.end)].iter().map(|step| step.cf).collect();
        cfs.dedup();
        cfs
    }

    fn edges(&self) -> Vec<Edge> {
        let clauses: Vec<Vec<usize>> =
            (0..self.flow.blocks.len()).map(|block| self.clauses(block)).collect();
        let mut edges = Vec::new();
        for (block, own) in clauses.iter().enumerate() {
            edges.extend(own.windows(2).map(|pair| (Some((pair[0], None)), Some(pair[1]))));
            if let Some(&first) = own.first() {
                let before = self.before(&clauses, block);
                // One export instruction may hold the exports of two consecutive blocks.
                let is_export = matches!(self.program.cf.get(first), Some(Cf::Export(_)));
                let is_itself = |from: &Last| is_export && clause_of(*from) == Some(first);
                let before = before.into_iter().filter(|from| !is_itself(from));
                edges.extend(before.map(|from| (from, Some(first))));
            }
        }
        if let Some(last) = self.flow.blocks.len().checked_sub(1) {
            let ends = match clauses[last].last() {
                Some(&end) => vec![Some((end, None))],
                None => self.before(&clauses, last),
            };
            edges.extend(ends.into_iter().map(|from| (from, None)));
        }
        edges
    }

    /// The clauses that a lane can have run last when it reaches a block.
    fn before(&self, clauses: &[Vec<usize>], block: usize) -> Vec<Last> {
        let mut seen = HashSet::new();
        let mut found = Vec::new();
        let mut work = vec![block];
        while let Some(block) = work.pop() {
            if block == 0 {
                found.push(None);
            }
            let BasicBlock { predecessors, test, .. } = &self.flow.blocks[block];
            for &way in predecessors {
                match clauses[way as usize].last() {
                    Some(&last) => found.push(Some((last, *test))),
                    None if seen.insert(way) => work.push(way as usize),
                    None => {}
                }
            }
        }
        found
    }
}

/// How long a lane waits that has left an iteration of a loop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Wait {
    LoopEnd,
    NextTrip,
}

/// What the branch stack holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Entry {
    /// A branch: whether the lane was active when the mask was pushed.
    Mask(bool),
    /// A loop: whether the lane was active when it started.
    Loop(bool),
}

/// The state of a lane at an instruction.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Lane {
    cf: usize,
    active: bool,
    /// If it has left an iteration: what it waits for, and the number of open loops at that point.
    parked: Option<(Wait, usize)>,
    stack: Vec<Entry>,
    /// The clause that it ran last.
    last: Last,
    /// Whether it may have an unacknowledged write, which a fetch would not see.
    unacknowledged: bool,
}

impl Lane {
    fn runs(&self) -> bool {
        self.active && self.parked.is_none()
    }

    /// Loops that are open.
    fn depth(&self) -> usize {
        self.stack.iter().filter(|entry| matches!(entry, Entry::Loop(_))).count()
    }

    /// Pops `count` entries, and restores the mask of the last.
    fn pop(&mut self, count: u8) -> Result<(), CodeFault> {
        for _ in 0..count {
            match self.stack.pop() {
                Some(Entry::Mask(active)) => self.active = active,
                Some(Entry::Loop(_)) | None => return Err(CodeFault::Nesting(self.cf)),
            }
        }
        Ok(())
    }

    /// The lane after the test of its clause, which decides whether it stays active.
    fn tested(&self, active: bool) -> Self {
        Self { active, last: Some((self.cf, Some(active))), ..self.clone() }
    }

    /// The lane when no lane is left in the innermost loop. What was pushed inside the loop is dropped. `None` if this
    /// lane is itself still in the loop.
    fn with_deserted_loop(&self) -> Option<Self> {
        let at = self.stack.iter().rposition(|entry| matches!(entry, Entry::Loop(_)))?;
        let Entry::Loop(began) = self.stack[at] else { return None };
        if began && self.parked.is_none() {
            return None;
        }
        let stack = self.stack[..=at].to_vec();
        Some(Self { stack, active: began, ..self.clone() })
    }

    fn at(mut self, cf: usize) -> Self {
        self.cf = cf;
        self
    }
}

struct Follower<'a> {
    program: &'a Program,
    /// The memory access of each control-flow instruction, as far as waits matter for it.
    memory: HashMap<usize, Access>,
    seen: HashSet<Lane>,
    work: Vec<Lane>,
    edges: BTreeSet<Edge>,
}

impl<'a> Follower<'a> {
    fn new(program: &'a Program, code: &CodeSteps) -> Self {
        let lane = Lane {
            cf: 0,
            active: true,
            parked: None,
            stack: Vec::new(),
            last: None,
            unacknowledged: false,
        };
        let memory = code.steps.iter().filter_map(|step| Some((step.cf, step.memory?))).collect();
        let (seen, edges) = Default::default();
        Self { program, memory, seen, work: vec![lane], edges }
    }

    fn follow(mut self) -> Result<BTreeSet<Edge>, CodeFault> {
        while let Some(lane) = self.work.pop() {
            if self.seen.len() > MAX_STATES {
                return Err(CodeFault::States(MAX_STATES));
            }
            // A stack deeper than the program is long can only come from a cycle that pushes without popping.
            if lane.stack.len() > self.program.cf.len() {
                return Err(CodeFault::Nesting(lane.cf));
            }
            if self.seen.insert(lane.clone()) {
                self.step(lane)?;
            }
        }
        Ok(self.edges)
    }

    fn step(&mut self, lane: Lane) -> Result<(), CodeFault> {
        let program = self.program;
        match program.cf.get(lane.cf) {
            Some(Cf::Alu(alu)) => {
                let groups = match program.clauses.get(alu.clause.0 as usize) {
                    Some(Clause::Alu(groups)) => groups.as_slice(),
                    _ => return Err(CodeFault::Nesting(lane.cf)),
                };
                self.alu(alu.op, groups, lane)
            }
            Some(Cf::Fetch(fetch)) => self.run(lane, fetch.end_of_program),
            Some(Cf::Export(export)) => self.run(lane, export.end_of_program),
            Some(Cf::Memory(memory)) => self.run(lane, memory.end_of_program),
            Some(Cf::Flow(flow)) if is_event(flow.op) => self.run(lane, flow.end_of_program),
            Some(Cf::Flow(flow)) => self.flow(flow, lane),
            Some(Cf::Sync(_) | Cf::Raw(_)) | None => Err(CodeFault::Nesting(lane.cf)),
        }
    }

    fn note(&mut self, lane: &mut Lane) -> Result<(), CodeFault> {
        if !lane.runs() {
            return Ok(());
        }
        self.edges.insert((lane.last, Some(lane.cf)));
        lane.last = Some((lane.cf, None));
        match self.memory.get(&lane.cf) {
            Some(Access::Read) if lane.unacknowledged => {
                return Err(CodeFault::Unacknowledged(lane.cf));
            }
            Some(Access::Write) => lane.unacknowledged = true,
            Some(Access::Read) | None => {}
        }
        Ok(())
    }

    fn run(&mut self, mut lane: Lane, ends: bool) -> Result<(), CodeFault> {
        self.note(&mut lane)?;
        if ends {
            return self.end(&lane);
        }
        let next = lane.cf + 1;
        self.go(lane, next);
        Ok(())
    }

    /// At the end nothing may be open, so the lane must be running.
    fn end(&mut self, lane: &Lane) -> Result<(), CodeFault> {
        if !lane.stack.is_empty() || !lane.runs() {
            return Err(CodeFault::Nesting(lane.cf));
        }
        self.edges.insert((lane.last, None));
        Ok(())
    }

    fn go(&mut self, lane: Lane, cf: usize) {
        self.work.push(lane.at(cf));
    }

    fn alu(&mut self, op: CfOp, groups: &[AluGroup], mut lane: Lane) -> Result<(), CodeFault> {
        if op == CfOp::AluPushBefore {
            lane.stack.push(Entry::Mask(lane.active));
        }
        if !does_nothing(groups) {
            self.note(&mut lane)?;
        }
        let tests = groups.iter().flat_map(|group| &group.insts).any(|inst| inst.update_exec_mask);
        let outcomes = match tests && lane.runs() {
            true => [true, false].map(|active| lane.tested(active)).to_vec(),
            false => vec![lane.clone()],
        };
        for mut outcome in outcomes {
            match op {
                CfOp::Alu | CfOp::AluPushBefore => {}
                CfOp::AluPopAfter => outcome.pop(1)?,
                _ => return Err(CodeFault::Nesting(lane.cf)),
            }
            self.go(outcome, lane.cf + 1);
        }
        Ok(())
    }

    fn flow(&mut self, flow: &CfFlow, mut lane: Lane) -> Result<(), CodeFault> {
        let (target, next) = (flow.target as usize, lane.cf + 1);
        // The program ends here, so the instruction must do nothing else.
        if flow.end_of_program && flow.op != CfOp::Nop {
            return Err(CodeFault::Nesting(lane.cf));
        }
        match flow.op {
            CfOp::Nop | CfOp::CallFs if !flow.end_of_program => self.go(lane, next),
            CfOp::WaitAck => {
                self.go(Lane { unacknowledged: false, ..lane }, next);
            }
            CfOp::Nop | CfOp::CfEnd => self.end(&lane)?,
            CfOp::Push => {
                lane.stack.push(Entry::Mask(lane.active));
                self.skip(lane, flow)?;
            }
            CfOp::Pop => {
                lane.pop(flow.pop_count)?;
                self.go(lane, target);
            }
            CfOp::Jump => self.skip(lane, flow)?,
            CfOp::Else => {
                let Some(Entry::Mask(before)) = lane.stack.last().copied() else {
                    return Err(CodeFault::Nesting(lane.cf));
                };
                lane.active = before && !lane.active;
                self.skip(lane, flow)?;
            }
            CfOp::LoopStartDx10 => self.enter(lane, target),
            CfOp::LoopEnd => self.end_iteration(lane, target)?,
            CfOp::LoopBreak => self.leave(lane, target, Wait::LoopEnd)?,
            CfOp::LoopContinue => self.leave(lane, target, Wait::NextTrip)?,
            _ => return Err(CodeFault::Nesting(lane.cf)),
        }
        Ok(())
    }

    /// A jump that the wave takes if no lane runs. If this lane does not run, another lane may, so both ways are
    /// followed.
    fn skip(&mut self, lane: Lane, flow: &CfFlow) -> Result<(), CodeFault> {
        if !lane.runs() {
            let mut alone = lane.clone();
            alone.pop(flow.pop_count)?;
            self.go(alone, flow.target as usize);
        }
        let next = lane.cf + 1;
        self.go(lane, next);
        Ok(())
    }

    fn enter(&mut self, mut lane: Lane, target: usize) {
        if !lane.runs() {
            self.go(lane.clone(), target);
        }
        lane.stack.push(Entry::Loop(lane.active));
        // A lane that waits for an outer loop waits through all of this one.
        let next = lane.cf + 1;
        self.go(lane, next);
    }

    fn end_iteration(&mut self, mut lane: Lane, target: usize) -> Result<(), CodeFault> {
        let next = lane.cf + 1;
        let depth = lane.depth();
        // An iteration must pop all that it pushes, or the stack would grow with each one.
        let Some(&Entry::Loop(active)) = lane.stack.last() else {
            return Err(CodeFault::Nesting(lane.cf));
        };
        if lane.parked == Some((Wait::NextTrip, depth)) {
            lane.parked = None;
        }
        if lane.runs() {
            if target >= next {
                return Err(CodeFault::Nesting(lane.cf));
            }
            self.go(lane, target);
            return Ok(());
        }
        lane.stack.pop();
        lane.active = active;
        if lane.parked == Some((Wait::LoopEnd, depth)) {
            lane.parked = None;
        }
        self.go(lane, next);
        Ok(())
    }

    fn leave(&mut self, mut lane: Lane, target: usize, wait: Wait) -> Result<(), CodeFault> {
        let is_end = |cf: Option<&Cf>| matches!(cf, Some(Cf::Flow(f)) if f.op == CfOp::LoopEnd);
        let depth = lane.depth();
        if depth == 0 || !is_end(self.program.cf.get(target)) {
            return Err(CodeFault::Nesting(lane.cf));
        }
        if lane.runs() {
            lane.parked = Some((wait, depth));
        }
        if let Some(left) = lane.with_deserted_loop() {
            self.go(left, target);
        }
        let next = lane.cf + 1;
        self.go(lane, next);
        Ok(())
    }
}
