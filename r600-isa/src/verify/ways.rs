//! Forward dataflow over the list: facts that may hold before each instruction, on any path to it.
//!
//! An uncounted loop is skipped only if no lane is active. A wave without active lanes reads and writes nothing until
//! some wake up, at the end of a branch or loop or at an else. So facts of such a wave are kept apart.
//!
//! Some facts are private to lanes: facts from the first arm of a branch do not reach lanes of the second.

use crate::{Cf, CfCondition, CfFlow, CfOp, Clause, Program};

use super::arms;

/// Transfer function of an instruction, one bit per fact: facts that it generates, and facts that it kills.
#[derive(Clone, Copy, Default)]
pub(super) struct Effect {
    pub(super) sets: u8,
    pub(super) clears: u8,
}

/// Facts that may hold at a point of the program.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Facts {
    /// If lanes are active.
    awake: u8,
    /// If no lane is active.
    asleep: u8,
}

impl Facts {
    fn or(self, other: Self) -> Self {
        Self { awake: self.awake | other.awake, asleep: self.asleep | other.asleep }
    }

    /// The facts after `cf` if `self` holds before it: at the next instruction, and at its target.
    fn after(self, cf: &Cf, effect: Effect, empties: bool) -> [Self; 2] {
        // Without active lanes nothing is written, but waits still wait.
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

/// For each instruction, the facts that may hold before it when lanes run it. Facts in the mask `private` count only if
/// the lanes that run it may have set them.
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
        // The list is processed in order at first.
        work: (0..program.cf.len()).rev().collect(),
    };
    while let Some(at) = ways.work.pop() {
        let cf = &program.cf[at];
        let (effect, empties) = effects[at];
        let [mut next, away] = ways.facts[at].after(cf, effect, empties);
        if let Some(skipped) = ways.skipped[at] {
            let [second, _] = skipped.after(cf, effect, empties);
            next.awake &= second.awake | !private;
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

/// State of the walk through the list.
struct Ways {
    /// For each instruction, the facts that may hold before it.
    facts: Vec<Facts>,
    /// For each second arm whose lanes run nothing of the first, by its start: the facts that may hold where the first
    /// was skipped.
    skipped: Vec<Option<Facts>>,
    /// The instructions after calls.
    after_calls: Vec<usize>,
    /// The facts that may hold after a return.
    returned: Facts,
    /// Instructions before which new facts may hold.
    work: Vec<usize>,
}

impl Ways {
    /// Records that `facts` may hold before the instruction at `to`.
    fn goes_to(&mut self, to: usize, facts: Facts) {
        if let Some(known) = self.facts.get_mut(to).filter(|known| known.or(facts) != **known) {
            *known = known.or(facts);
            self.work.push(to);
        }
    }

    /// Records that `facts` may hold before the second arm at `to` if the first one was skipped.
    fn skips_to(&mut self, to: usize, facts: Facts) {
        let known = self.skipped[to];
        let all = known.unwrap_or_default().or(facts);
        if known != Some(all) {
            self.skipped[to] = Some(all);
            self.work.push(to);
        }
    }

    /// Records that `facts` may hold after every call, since the call that a return belongs to is unknown.
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

/// Whether an instruction may activate lanes when none is active.
pub(super) fn wakes(cf: &Cf) -> bool {
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

/// Whether an instruction may deactivate the last active lane; `narrows` holds the answer for each clause.
pub(super) fn empties(cf: &Cf, narrows: &[bool]) -> bool {
    match cf {
        Cf::Alu(alu) => {
            let leaves = [CfOp::AluElseAfter, CfOp::AluBreak, CfOp::AluContinue].contains(&alu.op);
            leaves || narrows.get(alu.clause.0 as usize).is_none_or(|narrows| *narrows)
        }
        Cf::Flow(flow) => match flow.op {
            CfOp::Nop | CfOp::WaitAck | CfOp::LoopStartDx10 => false,
            CfOp::EmitVertex | CfOp::CutVertex | CfOp::EmitCutVertex => false,
            CfOp::Pop | CfOp::Jump | CfOp::Push => flow.modes.condition != CfCondition::Active,
            _ => true,
        },
        Cf::Raw(_) => true,
        Cf::Fetch(_) | Cf::Export(_) | Cf::Memory(_) | Cf::Sync(_) => false,
    }
}

/// Whether a clause may remove lanes from the mask.
pub(super) fn narrows(clause: &Clause) -> bool {
    let has_unknown = matches!(clause, Clause::Mixed(_));
    let mut insts = clause.groups().flat_map(|group| &group.insts);
    has_unknown || insts.any(|inst| inst.update_exec_mask || inst.op.is_kill())
}

/// Whether the next instruction is reached only with active lanes; without them, these instructions jump.
pub(super) fn follows_with_lanes(flow: &CfFlow) -> bool {
    match flow.op {
        CfOp::Jump => flow.modes.condition == CfCondition::Active,
        CfOp::LoopStart | CfOp::LoopStartNoAl | CfOp::LoopBreak | CfOp::LoopContinue => true,
        _ => false,
    }
}

/// Possible targets of the instruction at `at`, other than the next one.
pub(super) fn target(at: usize, cf: &Cf) -> Option<usize> {
    match cf {
        Cf::Flow(flow) if flow.op == CfOp::Push && !push_jumps(at, flow) => None,
        Cf::Flow(flow) if flow.op.has_target() => Some(flow.target as usize),
        _ => None,
    }
}

/// Whether a `PUSH` at `at` jumps if no lane is left. In most programs it does not: its target is the next instruction,
/// or 0 for none.
pub(super) fn push_jumps(at: usize, push: &CfFlow) -> bool {
    push.target as usize > at
}

pub(super) fn after_calls(program: &Program) -> Vec<usize> {
    let calls = program.cf.iter().enumerate().filter(|(_, cf)| is(cf, CfOp::Call));
    calls.map(|(at, _)| at + 1).collect()
}
