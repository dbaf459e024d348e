//! Rules of branches and loops: everything opened is closed, in list order.

use crate::stack::StackEffect;
use crate::{Cf, CfFlow, CfOp};

use super::{Place, Rule, Verifier, ways};

/// A loop that is open.
struct OpenLoop {
    start: usize,
    /// Exit target.
    leave: u32,
    /// Entries on the stack where it starts.
    depth: u32,
    exits: Vec<Exit>,
}

/// A break or continue.
struct Exit {
    at: usize,
    target: u32,
    /// Entries that it pops if no lane is left.
    popped: u32,
    /// Entries on the stack above those that the loop starts with.
    above: u32,
}

impl Exit {
    /// Checks it as part of the loop that ends at `end`. It must pop the entries of all enclosing branches, or none:
    /// the loop then restores its initial depth.
    fn check(&self, cx: &mut Verifier<'_>, end: usize) {
        cx.place.cf = Some(self.at);
        if self.target as usize != end {
            let message = format!("goes to {}, not to the loop's end at {end}", self.target);
            cx.report(Rule::LoopExit, message);
        }
        if self.popped != 0 && self.popped != self.above {
            let message = format!("pops {} entries, but the loop has {}", self.popped, self.above);
            cx.report(Rule::BranchDepth, message);
        }
    }
}

/// The walk through the list.
#[derive(Default)]
struct Nesting {
    depth: u32,
    loops: Vec<OpenLoop>,
    /// For each instruction, the start of the innermost loop around it. A loop contains its end but not its start.
    loop_of: Vec<Option<usize>>,
    branches: Vec<Branch>,
    /// Entries on the stack before each instruction.
    depths: Vec<u32>,
}

/// A branch that is taken if no lane is left.
struct Branch {
    at: usize,
    target: usize,
    /// Stack entries when it is taken; `None` if it is undocumented whether it pops before or after.
    depth: Option<u32>,
}

/// Checks nesting. Pushes and pops are counted in list order, as structured programs nest.
pub(super) fn check(cx: &mut Verifier<'_>) {
    let program = cx.program;
    let mut nesting = Nesting::default();
    for (at, cf) in program.cf.iter().enumerate() {
        cx.place = Place { cf: Some(at), ..Place::default() };
        nesting.depths.push(nesting.depth);
        nesting.loop_of.push(nesting.loops.last().map(|open| open.start));
        nesting.stack(cx, cf);
        match cf {
            Cf::Flow(flow) => nesting.flow(cx, at, flow),
            Cf::Alu(alu) if matches!(alu.op, CfOp::AluBreak | CfOp::AluContinue) => {
                nesting.needs_loop(cx, alu.op);
            }
            _ => {}
        }
    }
    nesting.finish(cx);
    cx.place = Place::default();
}

fn turns_around(cf: &Cf) -> bool {
    match cf {
        Cf::Alu(alu) => alu.op == CfOp::AluElseAfter,
        Cf::Flow(flow) => matches!(flow.op, CfOp::Else | CfOp::ElseWqm),
        _ => false,
    }
}

impl Nesting {
    fn stack(&mut self, cx: &mut Verifier<'_>, cf: &Cf) {
        let StackEffect { pushed, popped, pushed_after } = StackEffect::of(cf, cx.generation());
        let depth = self.depth + pushed;
        if popped > depth {
            cx.report(
                Rule::StackUnderflow,
                format!("pops {popped} entries, but the stack has {depth}"),
            );
        }
        self.depth = depth.saturating_sub(popped) + pushed_after;
        if turns_around(cf) && self.depth == 0 {
            cx.report(Rule::ElseWithoutPush, "inverts a branch where none is open");
        }
    }

    fn flow(&mut self, cx: &mut Verifier<'_>, at: usize, flow: &CfFlow) {
        match flow.op {
            CfOp::LoopStart | CfOp::LoopStartDx10 | CfOp::LoopStartNoAl => {
                let (leave, depth) = (flow.target, self.depth);
                self.loops.push(OpenLoop { start: at, leave, depth, exits: Vec::new() });
            }
            CfOp::LoopEnd => self.loop_end(cx, at, flow.target),
            CfOp::LoopBreak | CfOp::LoopContinue => {
                self.needs_loop(cx, flow.op);
                if let Some(open) = self.loops.last_mut() {
                    let above = self.depth.saturating_sub(open.depth);
                    let (target, popped) = (flow.target, u32::from(flow.pop_count));
                    open.exits.push(Exit { at, target, popped, above });
                }
            }
            CfOp::Jump
            | CfOp::JumpAny
            | CfOp::Else
            | CfOp::ElseWqm
            | CfOp::PopJump
            | CfOp::PushElse
            | CfOp::PopPushElse => {
                let depth = self.depth_at_target(cx, flow);
                self.branches.push(Branch { at, target: flow.target as usize, depth });
            }
            CfOp::Push if ways::push_jumps(at, flow) => {
                let depth = self.depth_at_target(cx, flow);
                self.branches.push(Branch { at, target: flow.target as usize, depth });
            }
            _ => {}
        }
    }

    /// Entries that a branch leaves on the stack when it is taken.
    fn depth_at_target(&self, cx: &mut Verifier<'_>, flow: &CfFlow) -> Option<u32> {
        if matches!(flow.op, CfOp::PopJump | CfOp::PopPushElse) {
            return None;
        }
        let (depth, popped) = (self.depth, u32::from(flow.pop_count));
        if popped > depth {
            cx.report(
                Rule::StackUnderflow,
                format!("pops {popped} entries, but the stack has {depth}"),
            );
            return None;
        }
        Some(depth - popped)
    }

    /// A loop holds a stack entry from its start to its end. A branch reaches its target with as many masks on the
    /// stack as fall-through does.
    fn branches(&self, cx: &mut Verifier<'_>) {
        for &Branch { at, target, depth } in &self.branches {
            cx.place = Place { cf: Some(at), ..Place::default() };
            if self.loop_of[at] != self.loop_of.get(target).copied().flatten() {
                let message = format!("goes to {target}, which is not in the same loop");
                cx.report(Rule::BranchIntoLoop, message);
                continue;
            }
            // Another rule checks that a target is in the program.
            let there = self.depths.get(target).copied();
            if let Some((taken, there)) = depth.zip(there)
                && taken != there
            {
                let message =
                    format!("goes to {target} with {taken} entries, but {target} expects {there}");
                cx.report(Rule::BranchDepth, message);
            }
        }
    }

    fn needs_loop(&self, cx: &mut Verifier<'_>, op: CfOp) {
        if self.loops.is_empty() {
            cx.report(Rule::LoopExit, format!("{} stands in no loop", op.name()));
        }
    }

    /// Checks the loop that ends at `at` and repeats at `target`.
    fn loop_end(&mut self, cx: &mut Verifier<'_>, at: usize, target: u32) {
        let Some(open) = self.loops.pop() else {
            cx.report(Rule::LoopTargets, "the loop has no start");
            return;
        };
        let (repeat, leave) = (open.start + 1, at + 1);
        if target as usize != repeat {
            let message = format!("the loop repeats at {target}, not at {repeat}");
            cx.report(Rule::LoopTargets, message);
        }
        if open.leave as usize != leave {
            let message = format!("the loop leaves to {}, not to {leave}", open.leave);
            cx.report(Rule::LoopTargets, message);
        }
        if self.depth != open.depth {
            let message = format!(
                "the loop has {} entries at its start, but {} here",
                open.depth, self.depth
            );
            cx.report(Rule::StackLeft, message);
            self.depth = open.depth;
        }
        open.exits.iter().for_each(|exit| exit.check(cx, at));
    }

    fn finish(self, cx: &mut Verifier<'_>) {
        if let Some(open) = self.loops.last() {
            cx.place = Place { cf: Some(open.start), ..Place::default() };
            cx.report(Rule::LoopTargets, "the loop has no end");
        } else {
            self.branches(cx);
        }
        cx.place = Place::default();
        if self.depth > 0 {
            cx.report(
                Rule::StackLeft,
                format!("the program ends with {} entries on the stack", self.depth),
            );
        }
    }
}
