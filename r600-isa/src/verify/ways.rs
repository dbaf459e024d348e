//! What may have happened before an instruction of the list, on any way that control flow takes to it.
//!
//! A loop without count is passed only where no lane is active. A wave without lanes reads and writes nothing until some
//! wake, where a branch or a loop ends or a branch turns around. So facts of such a wave are kept apart.
//!
//! Some facts are private to lanes: of what lanes do in the first arm of a branch, those in the second know nothing.

use crate::{Cf, CfCondition, CfFlow, CfOp, Clause, Program};

use super::arms;

/// What an instruction does to facts, a bit each: those that hold after it, and those that no longer do.
#[derive(Clone, Copy, Default)]
pub(super) struct Effect {
    pub(super) sets: u8,
    pub(super) clears: u8,
}

/// Facts that may hold at a point of the program.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Facts {
    /// Where lanes are active.
    awake: u8,
    /// Where none is.
    asleep: u8,
}

impl Facts {
    fn or(self, other: Self) -> Self {
        Self { awake: self.awake | other.awake, asleep: self.asleep | other.asleep }
    }

    /// Those after `cf` where these hold before it: at the next instruction, and at the one that it goes to.
    fn after(self, cf: &Cf, effect: Effect, empties: bool) -> [Self; 2] {
        // Without lanes nothing is written; a wait waits all the same.
        let asleep = self.asleep & !effect.clears;
        let awake = self.awake & !effect.clears | effect.sets;
        let after = Self {
            awake: awake | if wakes(cf) { asleep } else { 0 },
            asleep: asleep | if empties { awake } else { 0 },
        };
        match cf {
            Cf::Flow(flow) => match flow.op {
                CfOp::LoopStartDx10 => [Self { awake, asleep: 0 }, Self { awake: 0, ..after }],
                CfOp::Else => [Self { asleep: 0, ..after }, after],
                _ if follows_with_lanes(flow) => [Self { awake, asleep: 0 }, after],
                _ => [after, after],
            },
            _ => [after, after],
        }
    }
}

/// For each instruction, the facts that may hold before it where lanes run it. Those of the mask `private` are of the lanes
/// that run it alone.
pub(super) fn before(program: &Program, private: u8, effect: impl Fn(&Cf) -> Effect) -> Vec<u8> {
    let narrows: Vec<bool> = program.clauses.iter().map(narrows).collect();
    let effect = |cf: &Cf| (effect(cf), empties(cf, &narrows));
    let effects: Vec<(Effect, bool)> = program.cf.iter().map(effect).collect();
    let second_arms = arms::second(program);
    let mut skipped = vec![None; program.cf.len()];
    second_arms.iter().flatten().for_each(|at| skipped[*at] = Some(Facts::default()));
    let mut ways = Ways {
        facts: vec![Facts::default(); program.cf.len()],
        skipped,
        after_calls: after_calls(program),
        returned: Facts::default(),
        // The first of the list comes first.
        work: (0..program.cf.len()).rev().collect(),
    };
    while let Some(at) = ways.work.pop() {
        let cf = &program.cf[at];
        let (effect, empties) = effects[at];
        let [mut next, away] = ways.facts[at].after(cf, effect, empties);
        if let Some(skipped) = ways.skipped[at] {
            let [second, _] = skipped.after(cf, effect, empties);
            next.awake = next.awake & !private | second.awake & private;
        }
        if is(cf, CfOp::Ret) {
            ways.goes_back(next);
        } else if !ends(cf) {
            ways.goes_to(at + 1, next);
        }
        if let Some(second) = second_arms[at] {
            let facts = if is(cf, CfOp::Jump) { away } else { ways.facts[at] };
            ways.skips_to(second, facts);
        }
        if let Some(target) = target(at, cf) {
            ways.goes_to(target, away);
        }
    }
    ways.facts.iter().map(|facts| facts.awake).collect()
}

/// What is known while the list is walked.
struct Ways {
    /// For each instruction, the facts that may hold before it.
    facts: Vec<Facts>,
    /// For each start of a second arm whose lanes do nothing in the first, the facts that may hold where that was skipped.
    skipped: Vec<Option<Facts>>,
    /// The instructions after calls.
    after_calls: Vec<usize>,
    /// The facts that may hold after a return.
    returned: Facts,
    /// Instructions before which a fact has come to hold.
    work: Vec<usize>,
}

impl Ways {
    /// `facts` may hold before the instruction at `to`.
    fn goes_to(&mut self, to: usize, facts: Facts) {
        if let Some(known) = self.facts.get_mut(to).filter(|known| known.or(facts) != **known) {
            *known = known.or(facts);
            self.work.push(to);
        }
    }

    /// `facts` may hold before the start of a second arm at `to` where the first one was skipped.
    fn skips_to(&mut self, to: usize, facts: Facts) {
        let known = self.skipped[to];
        let all = known.unwrap_or_default().or(facts);
        if known != Some(all) {
            self.skipped[to] = Some(all);
            self.work.push(to);
        }
    }

    /// `facts` may hold after each call: nobody knows which one a return goes back to.
    fn goes_back(&mut self, facts: Facts) {
        if self.returned.or(facts) == self.returned {
            return;
        }
        self.returned = self.returned.or(facts);
        for to in std::mem::take(&mut self.after_calls) {
            self.goes_to(to, facts);
            self.after_calls.push(to);
        }
    }
}

fn is(cf: &Cf, op: CfOp) -> bool {
    matches!(cf, Cf::Flow(flow) if flow.op == op)
}

fn ends(cf: &Cf) -> bool {
    cf.ends_program() || is(cf, CfOp::Ret) || is(cf, CfOp::CfEnd)
}

/// Whether lanes may be active after an instruction before which none is.
fn wakes(cf: &Cf) -> bool {
    match cf {
        Cf::Alu(alu) => matches!(
            alu.op,
            CfOp::AluPopAfter | CfOp::AluPop2After | CfOp::AluElseAfter | CfOp::AluReactivateBefore
        ),
        Cf::Flow(flow) => match flow.op {
            CfOp::Else | CfOp::ElseWqm | CfOp::PushElse => true,
            CfOp::Reactivate | CfOp::ReactivateWqm => true,
            CfOp::LoopEnd | CfOp::Call | CfOp::Ret => true,
            _ => flow.pop_count > 0,
        },
        Cf::Raw(_) => true,
        Cf::Fetch(_) | Cf::Export(_) | Cf::Memory(_) | Cf::Sync(_) => false,
    }
}

/// Whether no lane may be active after an instruction before which some are; `narrows` says it of each clause.
fn empties(cf: &Cf, narrows: &[bool]) -> bool {
    match cf {
        Cf::Alu(alu) => {
            let leaves = [CfOp::AluElseAfter, CfOp::AluBreak, CfOp::AluContinue].contains(&alu.op);
            leaves || narrows.get(alu.clause.0 as usize).is_none_or(|narrows| *narrows)
        }
        Cf::Flow(flow) => match flow.op {
            CfOp::Nop | CfOp::WaitAck | CfOp::LoopStartDx10 => false,
            CfOp::Pop | CfOp::Jump | CfOp::Push => flow.modes.condition != CfCondition::Active,
            _ => true,
        },
        Cf::Raw(_) => true,
        Cf::Fetch(_) | Cf::Export(_) | Cf::Memory(_) | Cf::Sync(_) => false,
    }
}

/// Whether a clause may take lanes out of the mask.
fn narrows(clause: &Clause) -> bool {
    let has_unknown = matches!(clause, Clause::Mixed(_));
    let mut insts = clause.groups().flat_map(|group| &group.insts);
    has_unknown || insts.any(|inst| inst.update_exec_mask || inst.op.is_kill())
}

/// Whether the next instruction follows only with lanes: without, these jump.
fn follows_with_lanes(flow: &CfFlow) -> bool {
    match flow.op {
        CfOp::Jump => flow.modes.condition == CfCondition::Active,
        CfOp::LoopStart | CfOp::LoopStartNoAl | CfOp::LoopBreak | CfOp::LoopContinue => true,
        _ => false,
    }
}

/// Where the instruction at `at` may go besides the next one.
pub(super) fn target(at: usize, cf: &Cf) -> Option<usize> {
    match cf {
        Cf::Flow(flow) if flow.op == CfOp::Push && !push_jumps(at, flow) => None,
        Cf::Flow(flow) if flow.op.has_target() => Some(flow.target as usize),
        _ => None,
    }
}

/// Whether a `PUSH` at `at` jumps where no lane is left, as few programs have it do: most say the next instruction, or
/// none, which is 0.
pub(super) fn push_jumps(at: usize, push: &CfFlow) -> bool {
    push.target as usize > at
}

fn after_calls(program: &Program) -> Vec<usize> {
    let calls = program.cf.iter().enumerate().filter(|(_, cf)| is(cf, CfOp::Call));
    calls.map(|(at, _)| at + 1).collect()
}
