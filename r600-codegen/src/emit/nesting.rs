//! Checks that control flow of a finished program nests, in one walk over its instructions. Every emission runs it.
//!
//! Rules:
//! - A jump targets its `ELSE` or the instruction after its branch. An `ELSE` targets the latter.
//! - The start and the end of a loop target each other's successor, and the loop's exits target its end.
//! - Pops match pushes at the same depth.
//! - Nothing is open at the end of the program, which occurs once, at the last instruction.

use r600_isa::{Cf, CfFlow, CfOp, Program};

use super::EmitError;

/// An open branch or loop.
#[derive(Clone, Copy)]
enum Open {
    /// A branch before its first jump.
    Pushed,
    /// In the first arm of a branch, which ends at this `ELSE`.
    Then(u32),
    /// In the last arm of a branch; the instruction after the branch.
    Last(u32),
    /// A loop that starts here.
    Loop { start: usize },
}

/// Checks that control flow of `program` nests.
pub(super) fn check(program: &Program) -> Result<(), EmitError> {
    let mut walk = Walk { program, open: Vec::new() };
    for at in 0..program.cf.len() {
        walk.step(at).map_err(|why| EmitError::Nesting(at, why))?;
    }
    match walk.open.is_empty() {
        true => Ok(()),
        false => Err(EmitError::Nesting(program.cf.len(), "the program ends inside of it")),
    }
}

struct Walk<'a> {
    program: &'a Program,
    open: Vec<Open>,
}

impl Walk<'_> {
    fn step(&mut self, at: usize) -> Result<(), &'static str> {
        if is_last(&self.program.cf[at]) != (at + 1 == self.program.cf.len()) {
            return Err("the end of the program is not its last instruction");
        }
        match &self.program.cf[at] {
            Cf::Alu(alu) => match alu.op {
                CfOp::Alu => Ok(()),
                CfOp::AluPushBefore => self.push(),
                CfOp::AluPopAfter => self.pop(1, at + 1),
                _ => Err("no clause has such an effect on the stack"),
            },
            Cf::Flow(flow) => self.flow(flow, at),
            Cf::Fetch(_) | Cf::Export(_) | Cf::Memory(_) => Ok(()),
            Cf::Sync(_) | Cf::Raw(_) => Err("no compiled code has such an instruction"),
        }
    }

    fn flow(&mut self, flow: &CfFlow, at: usize) -> Result<(), &'static str> {
        let target = flow.target as usize;
        match flow.op {
            CfOp::Push if target == at + 1 => self.push(),
            CfOp::Pop if target == at + 1 => self.pop(flow.pop_count, at + 1),
            CfOp::Push | CfOp::Pop => Err("it jumps"),
            CfOp::Jump => self.jump(flow, at),
            CfOp::Else => self.switch_arms(flow, at),
            CfOp::LoopStartDx10 => {
                self.open.push(Open::Loop { start: at });
                Ok(())
            }
            CfOp::LoopEnd => self.end_loop(target, at),
            CfOp::LoopBreak | CfOp::LoopContinue => self.exit(target),
            _ => Ok(()),
        }
    }

    fn push(&mut self) -> Result<(), &'static str> {
        self.open.push(Open::Pushed);
        Ok(())
    }

    /// Ends branches. The jumps past their last arms must target `next`.
    fn pop(&mut self, count: u8, next: usize) -> Result<(), &'static str> {
        for _ in 0..count {
            match self.open.pop() {
                Some(Open::Last(target)) if target as usize == next => {}
                Some(Open::Last(_)) => return Err("a jump of the branch misses its end"),
                _ => return Err("it pops what no branch has pushed"),
            }
        }
        Ok(())
    }

    /// The jump past the first arm: to the `ELSE`, or out of the branch, in which case it pops.
    fn jump(&mut self, flow: &CfFlow, at: usize) -> Result<(), &'static str> {
        let target = self.program.cf.get(flow.target as usize);
        let leads_to_else = matches!(target, Some(Cf::Flow(f)) if f.op == CfOp::Else);
        match self.open.last_mut() {
            Some(open @ Open::Pushed) if flow.target as usize > at => {
                *open = match flow.pop_count {
                    0 if leads_to_else => Open::Then(flow.target),
                    1 => Open::Last(flow.target),
                    _ => return Err("it pops the branch and stays in it, or neither"),
                };
                Ok(())
            }
            _ => Err("no mask was pushed for it, or it leads back"),
        }
    }

    /// An `ELSE`: lanes switch to the other arm, or jump out of the branch.
    fn switch_arms(&mut self, flow: &CfFlow, at: usize) -> Result<(), &'static str> {
        match self.open.last_mut() {
            Some(open @ Open::Then(_)) if flow.target as usize > at && flow.pop_count == 1 => {
                let is_meant = matches!(open, Open::Then(target) if *target as usize == at);
                *open = Open::Last(flow.target);
                if is_meant { Ok(()) } else { Err("the jump of its branch does not lead here") }
            }
            _ => Err("it stands in no branch, or stays in it"),
        }
    }

    fn end_loop(&mut self, target: usize, at: usize) -> Result<(), &'static str> {
        let Some(Open::Loop { start }) = self.open.pop() else { return Err("no loop is open") };
        let starts_here =
            matches!(&self.program.cf[start], Cf::Flow(f) if f.target as usize == at + 1);
        if target == start + 1 && starts_here {
            Ok(())
        } else {
            Err("the ends of the loop do not name each other")
        }
    }

    /// Checks that an exit targets the end of the innermost open loop.
    fn exit(&self, target: usize) -> Result<(), &'static str> {
        let innermost = self.open.iter().rev().find_map(|open| match open {
            Open::Loop { start } => Some(*start),
            Open::Pushed | Open::Then(_) | Open::Last(_) => None,
        });
        let start = innermost.ok_or("it stands outside any loop")?;
        let ends_loop = matches!(
            self.program.cf.get(target),
            Some(Cf::Flow(f)) if f.op == CfOp::LoopEnd && f.target as usize == start + 1
        );
        if ends_loop { Ok(()) } else { Err("it does not lead to the end of its loop") }
    }
}

fn is_last(cf: &Cf) -> bool {
    match cf {
        Cf::Flow(flow) => flow.end_of_program || flow.op == CfOp::CfEnd,
        Cf::Export(export) => export.end_of_program,
        Cf::Fetch(fetch) => fetch.end_of_program,
        Cf::Memory(memory) => memory.end_of_program,
        Cf::Alu(_) | Cf::Sync(_) | Cf::Raw(_) => false,
    }
}

#[cfg(test)]
mod tests;
