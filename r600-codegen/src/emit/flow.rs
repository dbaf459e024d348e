//! Control flow: branches, loops and the branch stack.

use r600_isa::{Cf, CfFlow, CfOp};
use r600_mir::{Node, Region};

use super::memory::writes_memory;
use super::{EmitError, Emitter, OpenLoop};

impl Emitter<'_> {
    /// Emits the steps of a region.
    pub(super) fn region(&mut self, region: &Region) -> Result<(), EmitError> {
        for node in &region.nodes {
            match node {
                Node::Block(block) => self.block(*block)?,
                Node::If { then, otherwise } => self.branch(then, otherwise)?,
                Node::Loop { body } => self.loop_node(body)?,
                Node::Break => self.loop_exit(CfOp::LoopBreak)?,
                Node::Continue => self.loop_exit(CfOp::LoopContinue)?,
            }
        }
        Ok(())
    }

    fn flow(&mut self, op: CfOp, pop_count: u8) -> usize {
        self.program.cf.push(Cf::Flow(CfFlow { pop_count, ..CfFlow::new(op) }));
        self.program.cf.len() - 1
    }

    fn set_target(&mut self, at: usize, target: u32) {
        if let Cf::Flow(flow) = &mut self.program.cf[at] {
            flow.target = target;
        }
    }

    /// Pushes the mask before a branch. The preceding clause, which ends with the predicate operation, does so where
    /// the chip allows.
    fn push_mask(&mut self) -> Result<(), EmitError> {
        self.stack.pushes += 1;
        let hazard = self.stack.push_hazard(self.function.chip);
        let by_itself = hazard.is_some_and(|hazard| self.function.avoids(hazard));
        let Some(Cf::Alu(alu)) = self.program.cf.last_mut() else {
            return Err(EmitError::NoPredicate);
        };
        if !by_itself {
            alu.op = CfOp::AluPushBefore;
            return Ok(());
        }
        // Some chips corrupt the mask when such a clause pushes it, so a separate push precedes the clause.
        let alu = Cf::Alu(*alu);
        self.program.cf.pop();
        let push = self.flow(CfOp::Push, 0);
        self.set_target(push, push as u32 + 1);
        self.program.cf.push(alu);
        Ok(())
    }

    fn branch(&mut self, then: &Region, otherwise: &Region) -> Result<(), EmitError> {
        self.push_mask()?;
        let jump = self.flow(CfOp::Jump, u8::from(otherwise.nodes.is_empty()));
        let before = self.unacknowledged;
        self.region(then)?;
        if otherwise.nodes.is_empty() {
            self.pop(jump);
            let next = self.next_cf();
            self.set_target(jump, next);
        } else {
            let marker = self.flow(CfOp::Else, 1);
            let after = std::mem::replace(&mut self.unacknowledged, before);
            self.set_target(jump, marker as u32);
            self.region(otherwise)?;
            self.unacknowledged |= after;
            self.pop(marker);
            let next = self.next_cf();
            self.set_target(marker, next);
        }
        // Lanes may skip an arm, and with it the waits of that arm.
        self.unacknowledged |= before;
        self.stack.pushes -= 1;
        Ok(())
    }

    /// Restores the mask pushed before `opened`: in the last clause of this arm if that is a plain ALU clause, else
    /// with a `POP`.
    fn pop(&mut self, opened: usize) {
        let last = self.program.cf.len() - 1;
        if last > opened
            && let Some(Cf::Alu(alu)) = self.program.cf.last_mut()
            && alu.op == CfOp::Alu
        {
            alu.op = CfOp::AluPopAfter;
            return;
        }
        let pop = self.flow(CfOp::Pop, 1);
        self.set_target(pop, pop as u32 + 1);
    }

    /// Emits a loop. The back edge reaches the start with any write of the body pending. After the loop, a write may be
    /// pending if one may be pending at the end of the body or at any break.
    fn loop_node(&mut self, body: &Region) -> Result<(), EmitError> {
        let start = self.flow(CfOp::LoopStartDx10, 0);
        self.stack.loops += 1;
        self.loops.push(OpenLoop::default());
        self.unacknowledged |= writes_memory(self.function, body);
        self.region(body)?;
        let end = self.flow(CfOp::LoopEnd, 0);
        self.set_target(end, start as u32 + 1);
        self.set_target(start, end as u32 + 1);
        let open = self.loops.pop().ok_or(EmitError::NoLoop)?;
        for exit in open.exits {
            self.set_target(exit, end as u32);
        }
        self.unacknowledged |= open.unacknowledged;
        self.stack.loops -= 1;
        Ok(())
    }

    /// Emits an exit: lanes leave the iteration. When none is left, the wave jumps to the end of the loop.
    fn loop_exit(&mut self, op: CfOp) -> Result<(), EmitError> {
        let at = self.flow(op, 0);
        let open = self.loops.last_mut().ok_or(EmitError::NoLoop)?;
        open.exits.push(at);
        // A `CONT` leads back to the start, where every write of the body counts as pending already.
        open.unacknowledged |= op == CfOp::LoopBreak && self.unacknowledged;
        Ok(())
    }
}
