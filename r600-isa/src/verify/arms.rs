//! Second arms of branches whose lanes have executed nothing of the first arm.

use crate::stack::StackEffect;
use crate::{Cf, CfFlow, CfOp, Clause, Program};

use super::ways;

/// An open stack entry, as structured programs nest.
struct Open {
    /// The instruction that pushed it; `None` for a loop, which has no arms.
    push: Option<usize>,
    /// Jumps over its first arm, with their targets.
    jumps: Vec<(usize, usize)>,
    /// Whether lanes may have left the mask since the last jump; the second arm would wake them.
    is_left: bool,
    /// Whether its second arm has begun.
    is_turned: bool,
}

impl Open {
    fn new(push: Option<usize>) -> Self {
        Self { push, jumps: Vec::new(), is_left: false, is_turned: false }
    }
}

/// For each instruction, the start of the second arm whose lanes have only the facts that hold before this instruction,
/// since they run nothing of the first arm. Such an instruction is a jump over the first arm, or the push if there is
/// no jump. Kills, breaks and continues do not matter: no arm wakes the lanes that they remove.
pub(super) fn second(program: &Program) -> Vec<Option<usize>> {
    let leaves: Vec<bool> = program.clauses.iter().map(leaves).collect();
    let mut ways_to: Vec<Ways> = vec![None; program.cf.len()];
    for (at, cf) in program.cf.iter().enumerate() {
        let Some(target) = ways::target(at, cf) else { continue };
        if let Some(ways) = ways_to.get_mut(target) {
            *ways = Some((ways.map_or(at, |(first, _)| first), at));
        }
    }
    let mut arms = Arms { open: Vec::new(), second: vec![None; program.cf.len()] };
    for (at, cf) in program.cf.iter().enumerate() {
        match cf {
            // The effect of raw words on open masks is unknown.
            Cf::Raw(_) => arms.open.clear(),
            Cf::Alu(alu) => {
                let is_left = leaves.get(alu.clause.0 as usize).is_none_or(|leaves| *leaves);
                arms.alu(at, (alu.op, is_left), ways_to[at]);
            }
            Cf::Flow(flow) => arms.flow(at, flow, ways_to[at]),
            Cf::Fetch(_) | Cf::Export(_) | Cf::Memory(_) | Cf::Sync(_) => {}
        }
        arms.pop(StackEffect::of(cf, program.generation).popped);
    }
    arms.second
}

/// The first and the last instruction that branch to a given one.
type Ways = Option<(usize, usize)>;

/// Whether a clause may remove lanes from the mask that wake again.
fn leaves(clause: &Clause) -> bool {
    let has_unknown = matches!(clause, Clause::Mixed(_));
    let mut insts = clause.groups().flat_map(|group| &group.insts);
    has_unknown || insts.any(|inst| inst.update_exec_mask)
}

/// State of the walk through the list.
struct Arms {
    open: Vec<Open>,
    second: Vec<Option<usize>>,
}

impl Arms {
    fn alu(&mut self, at: usize, (op, is_left): (CfOp, bool), ways: Ways) {
        match op {
            // Lanes that fail this clause's own test do not run the first arm.
            CfOp::AluPushBefore => return self.open.push(Open::new(Some(at))),
            CfOp::AluReactivateBefore => return self.open.clear(),
            CfOp::AluBreak | CfOp::AluContinue => return,
            _ => {}
        }
        if let Some(open) = self.open.last_mut() {
            open.is_left |= is_left;
        }
        if op == CfOp::AluElseAfter {
            self.turn(at, ways);
        }
    }

    fn flow(&mut self, at: usize, flow: &CfFlow, ways: Ways) {
        match flow.op {
            CfOp::Push => self.open.push(Open::new(Some(at))),
            CfOp::LoopStart | CfOp::LoopStartDx10 | CfOp::LoopStartNoAl => {
                self.open.push(Open::new(None));
            }
            CfOp::LoopEnd => {
                let start = self.open.iter().rposition(|open| open.push.is_none());
                self.open.truncate(start.unwrap_or(0));
            }
            CfOp::Jump => {
                if let Some(open) = self.open.last_mut() {
                    open.jumps.push((at, flow.target as usize));
                    open.is_left = false;
                }
            }
            CfOp::Else => self.turn(at, ways),
            CfOp::ElseWqm | CfOp::PushElse | CfOp::PushWqm | CfOp::PopWqm => self.open.clear(),
            CfOp::PopPush | CfOp::PopPushElse => self.open.clear(),
            CfOp::Reactivate | CfOp::ReactivateWqm => self.open.clear(),
            _ => {}
        }
    }

    /// Begins the second arm of the innermost open entry, with the instruction at `at`. All branches to it must come
    /// from within the first arm.
    fn turn(&mut self, at: usize, ways: Ways) {
        let Some(open) = self.open.last_mut() else { return };
        let is_clear = !open.is_left && !open.is_turned;
        open.is_turned = true;
        let Some(push) = open.push.filter(|_| is_clear) else { return };
        let is_inside = ways.is_none_or(|(first, last)| push < first && last < at);
        if !is_inside || open.jumps.iter().any(|(_, target)| *target != at) {
            return;
        }
        match open.jumps.as_slice() {
            [] => self.second[push] = Some(at),
            jumps => jumps.iter().for_each(|(jump, _)| self.second[*jump] = Some(at)),
        }
    }

    fn pop(&mut self, count: u32) {
        for _ in 0..count {
            // Popping a loop, or more than is open, is unstructured.
            if self.open.pop().is_none_or(|open| open.push.is_none()) {
                self.open.clear();
                return;
            }
        }
    }
}
