//! What may have happened before an instruction of the list, on any way that control flow takes to it.

use crate::{Cf, CfOp, Program};

/// What an instruction does to facts, a bit each: those that hold after it, and those that no longer do.
#[derive(Clone, Copy, Default)]
pub(super) struct Effect {
    pub(super) sets: u8,
    pub(super) clears: u8,
}

/// For each instruction, the facts that may hold before it.
pub(super) fn before(program: &Program, effect: impl Fn(&Cf) -> Effect) -> Vec<u8> {
    let effects: Vec<Effect> = program.cf.iter().map(effect).collect();
    let mut facts = vec![0; program.cf.len()];
    let mut has_changed = true;
    while has_changed {
        has_changed = false;
        for (at, cf) in program.cf.iter().enumerate() {
            let after = facts[at] & !effects[at].clears | effects[at].sets;
            let next = Some(at + 1).filter(|_| !ends(cf));
            for to in next.into_iter().chain(target(cf)).chain(returns(program, cf)) {
                if let Some(known) = facts.get_mut(to).filter(|known| **known | after != **known) {
                    *known |= after;
                    has_changed = true;
                }
            }
        }
    }
    facts
}

fn ends(cf: &Cf) -> bool {
    cf.ends_program() || matches!(cf, Cf::Flow(flow) if matches!(flow.op, CfOp::Ret | CfOp::CfEnd))
}

fn target(cf: &Cf) -> Option<usize> {
    match cf {
        Cf::Flow(flow) if flow.op.has_target() => Some(flow.target as usize),
        _ => None,
    }
}

/// Where a return may go: after each call.
fn returns<'p>(program: &'p Program, cf: &Cf) -> impl Iterator<Item = usize> + 'p {
    let is = |cf: &Cf, op| matches!(cf, Cf::Flow(flow) if flow.op == op);
    let is_return = is(cf, CfOp::Ret);
    let calls =
        program.cf.iter().enumerate().filter(move |(_, cf)| is_return && is(cf, CfOp::Call));
    calls.map(|(at, _)| at + 1)
}
