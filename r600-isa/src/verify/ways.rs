//! What may have happened before an instruction of the list, on any way that control flow takes to it.

use crate::{Cf, CfFlow, CfOp, Program};

/// What an instruction does to facts, a bit each: those that hold after it, and those that no longer do.
#[derive(Clone, Copy, Default)]
pub(super) struct Effect {
    pub(super) sets: u8,
    pub(super) clears: u8,
}

/// For each instruction, the facts that may hold before it.
pub(super) fn before(program: &Program, effect: impl Fn(&Cf) -> Effect) -> Vec<u8> {
    let effects: Vec<Effect> = program.cf.iter().map(effect).collect();
    let mut ways = Ways {
        facts: vec![0; program.cf.len()],
        after_calls: after_calls(program),
        returned: 0,
        // The first of the list comes first.
        work: (0..program.cf.len()).rev().collect(),
    };
    while let Some(at) = ways.work.pop() {
        let cf = &program.cf[at];
        let after = ways.facts[at] & !effects[at].clears | effects[at].sets;
        if is(cf, CfOp::Ret) {
            ways.goes_back(after);
        } else if !ends(cf) {
            ways.goes_to(at + 1, after);
        }
        if let Some(target) = target(at, cf) {
            ways.goes_to(target, after);
        }
    }
    ways.facts
}

/// What is known while the list is walked.
struct Ways {
    /// For each instruction, the facts that may hold before it.
    facts: Vec<u8>,
    /// The instructions after calls.
    after_calls: Vec<usize>,
    /// The facts that may hold after a return.
    returned: u8,
    /// Instructions before which a fact has come to hold.
    work: Vec<usize>,
}

impl Ways {
    /// `facts` may hold before the instruction at `to`.
    fn goes_to(&mut self, to: usize, facts: u8) {
        if let Some(known) = self.facts.get_mut(to).filter(|known| **known | facts != **known) {
            *known |= facts;
            self.work.push(to);
        }
    }

    /// `facts` may hold after each call: nobody knows which one a return goes back to.
    fn goes_back(&mut self, facts: u8) {
        if self.returned | facts == self.returned {
            return;
        }
        self.returned |= facts;
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

/// Where the instruction at `at` may go besides the next one.
fn target(at: usize, cf: &Cf) -> Option<usize> {
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
