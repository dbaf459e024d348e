//! Subroutines, inlined where they are called, and returns.

use std::ops::Range;

use tgsi_ir::{Instruction, InstructionId, Opcode};

use crate::refusal::Refusal;
use crate::ssa::Operand;

use super::{Body, Exits, Kind, LowerError, Lowering, Variable, misplaced};

/// All ones: the value of a flag for lanes that have left.
pub(super) const LEFT: Operand = Operand::int(-1);

impl Lowering<'_> {
    /// The instructions of the subroutine that `inst` calls.
    pub(super) fn callee(&self, inst: &Instruction) -> Option<Range<usize>> {
        let label = inst.label.filter(|_| inst.opcode == Opcode::Cal)? as usize;
        let begin = InstructionId::from_index(label);
        let end = self.control.tree.find_subroutine(begin)?.end.index();
        Some(label..end)
    }

    pub(super) fn call(&mut self, at: InstructionId, inst: &Instruction) -> Result<(), LowerError> {
        let range =
            self.callee(inst).ok_or_else(|| LowerError::new("CAL", Refusal::Unstructured))?;
        // The flow tree contains no recursion.
        let left = self.variables.new_flag();
        let return_to = at.index() + 1;
        self.next = range.start + 1;
        self.control.open(Kind::Body(Body { label: Some(range.start), left, return_to }))
    }

    /// `RET`: the lane does nothing more in this body.
    pub(super) fn return_from_body(&mut self) -> Result<(), LowerError> {
        for flag in self.flags_of_body() {
            self.variables.write(flag, LEFT);
        }
        if self.innermost_loop().is_some() {
            self.return_from_loop()?;
        } else {
            self.control.note_exits(Exits { any: true, returns: true });
        }
        self.control.unreachable = Some(0);
        Ok(())
    }

    /// The flags of the body and of the switches that are open in it.
    pub(super) fn flags_of_body(&self) -> Vec<Variable> {
        let mut flags = Vec::new();
        for frame in self.control.frames.iter().rev() {
            match &frame.kind {
                Kind::Switch(switch) => flags.push(switch.left),
                Kind::Body(body) => {
                    flags.push(body.left);
                    break;
                }
                Kind::Branch(_) | Kind::Loop(_) => {}
            }
        }
        flags
    }

    /// The flag of the innermost switch or body.
    pub(super) fn innermost_flag(&self) -> Result<Variable, LowerError> {
        self.flags_of_body().first().copied().ok_or_else(|| misplaced("RET"))
    }

    /// Ends the program or a subroutine: every lane that entered it goes on after it.
    pub(super) fn close_body(&mut self, word: &str) -> Result<(), LowerError> {
        self.close_open_ended()?;
        let is_body = |frame: &mut super::Frame| matches!(frame.kind, Kind::Body(_));
        let frame = self.control.frames.pop_if(is_body).ok_or_else(|| misplaced(word))?;
        let Kind::Body(body) = frame.kind else { return Err(misplaced(word)) };
        if body.label.is_some() != (word == "ENDSUB") {
            return Err(misplaced(word));
        }
        if body.label.is_some() {
            let region = self.control.close_region();
            region.nodes.into_iter().for_each(|node| self.control.push(node));
        }
        if frame.exits.returns {
            self.control.unreachable = None;
        }
        self.next = body.return_to;
        Ok(())
    }
}
