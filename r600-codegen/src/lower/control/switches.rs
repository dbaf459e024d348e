//! Switches: a branch per label, one after the other.
//!
//! Lanes enter a label's branch if the selector has its value, or by falling through from the previous branch. Values
//! without a label enter `DEFAULT`, wherever it is.

use r600_isa::AluOp;
use tgsi_ir::{Component, Instruction, InstructionId, Opcode};

use crate::ssa::{Condition, Operand};

use super::subroutines::LEFT;
use super::{Exits, Kind, LowerError, Lowering, Role, Variable, misplaced};

/// A switch under construction.
#[derive(Debug)]
pub(super) struct Switch {
    /// Positions of its `CASE` instructions, in order, and the values that their labels have where the switch begins.
    labels: Vec<(usize, Operand)>,
    selector: Operand,
    /// Set for lanes that have left it.
    pub(super) left: Variable,
    /// Set for lanes that fall through to the next label.
    falling: Variable,
    /// Whether any lane may fall through.
    may_fall: bool,
    /// Whether no lane can match two labels.
    is_distinct: bool,
    /// The test of labels that have no code of their own yet.
    pending: Option<Operand>,
    /// Whether a `RET` leaves it.
    returns: bool,
}

impl Lowering<'_> {
    pub(super) fn open_switch(
        &mut self,
        at: InstructionId,
        inst: &Instruction,
    ) -> Result<(), LowerError> {
        let selector = self.source(inst, 0, Component::X)?;
        let labels = self.labels(at)?;
        let is_distinct = are_distinct(&labels);
        let switch = Switch {
            labels,
            selector,
            left: self.variables.new_flag(),
            falling: self.variables.new_flag(),
            may_fall: false,
            is_distinct,
            pending: None,
            returns: false,
        };
        self.control.open(Kind::Switch(switch))?;
        // Code before the first label never runs.
        self.control.unreachable = Some(0);
        Ok(())
    }

    /// The labels of the switch at `begin`. They are read where it begins, so that writes in one case do not change
    /// other labels.
    fn labels(&mut self, begin: InstructionId) -> Result<Vec<(usize, Operand)>, LowerError> {
        let end = self.control.tree.partner(begin).ok_or_else(|| misplaced("SWITCH"))?;
        let shader = self.shader;
        let mut depth = 0;
        let mut labels = Vec::new();
        for at in begin.index() + 1..end.index() {
            let inst = &shader.instructions[at];
            match inst.opcode {
                Opcode::Switch => depth += 1,
                Opcode::Endswitch => depth -= 1,
                Opcode::Case if depth == 0 => {
                    labels.push((at, self.source(inst, 0, Component::X)?))
                }
                _ => {}
            }
        }
        Ok(labels)
    }

    fn switch(&mut self) -> Option<&mut Switch> {
        match self.control.frames.last_mut().map(|frame| &mut frame.kind) {
            Some(Kind::Switch(switch)) => Some(switch),
            _ => None,
        }
    }

    pub(super) fn switch_label(
        &mut self,
        at: InstructionId,
        inst: &Instruction,
    ) -> Result<(), LowerError> {
        self.close_case()?;
        let test = match inst.opcode {
            Opcode::Case => self.case_test(at)?,
            _ => self.default_test()?,
        };
        let Some(switch) = self.switch() else { return Err(misplaced("CASE")) };
        let pending = std::mem::take(&mut switch.pending);
        let test = match pending {
            Some(pending) => self.alu(AluOp::OrInt, &[pending, test]),
            None => test,
        };
        let next = self.shader.instructions.get(at.index() + 1).map(|next| next.opcode);
        if matches!(next, Some(Opcode::Case | Opcode::Default)) {
            if let Some(switch) = self.switch() {
                switch.pending = Some(test);
            }
            return Ok(());
        }
        self.open_case(test)
    }

    /// Ends the branch of the previous label, if there is one. Lanes that reach its end fall through.
    fn close_case(&mut self) -> Result<(), LowerError> {
        if self.switch().is_some() {
            self.control.unreachable = None;
            return Ok(());
        }
        let falling = self.control.frames.iter().rev().find_map(|frame| match &frame.kind {
            Kind::Switch(switch) => Some(switch.falling),
            _ => None,
        });
        let falling = falling.ok_or_else(|| misplaced("CASE"))?;
        let falls = !self.control.is_unreachable();
        if falls {
            self.variables.write(falling, LEFT);
        }
        self.close_open_ended()?;
        self.control.unreachable = None;
        let frame = self.control.frames.last().ok_or_else(|| misplaced("CASE"))?;
        let exits = frame.exits;
        let Some(switch) = self.switch() else { return Err(misplaced("CASE")) };
        switch.may_fall = falls;
        switch.returns |= exits.returns;
        Ok(())
    }

    /// Whether the selector has the value of the `CASE` at a position. If labels may coincide, this is false for lanes
    /// that have left the switch.
    fn case_test(&mut self, at: InstructionId) -> Result<Operand, LowerError> {
        let Some(switch) = self.switch() else { return Err(misplaced("CASE")) };
        let (selector, left, is_distinct) = (switch.selector, switch.left, switch.is_distinct);
        let found = switch.labels.binary_search_by_key(&at.index(), |(position, _)| *position);
        let label = found.ok().and_then(|number| switch.labels.get(number));
        let (_, value) = *label.ok_or_else(|| misplaced("CASE"))?;
        let matches = self.alu(AluOp::SeteInt, &[selector, value]);
        if is_distinct {
            return Ok(matches);
        }
        let left = self.variables.read(left);
        let here = self.alu(AluOp::NotInt, &[left]);
        Ok(self.alu(AluOp::AndInt, &[matches, here]))
    }

    /// Whether no `CASE` has the selector's value.
    fn default_test(&mut self) -> Result<Operand, LowerError> {
        let Some(switch) = self.switch() else { return Err(misplaced("DEFAULT")) };
        let (labels, selector) = (switch.labels.clone(), switch.selector);
        let mut test = LEFT;
        for (_, value) in labels {
            let differs = self.alu(AluOp::SetneInt, &[selector, value]);
            test = if test == LEFT { differs } else { self.alu(AluOp::AndInt, &[test, differs]) };
        }
        Ok(test)
    }

    /// Opens the branch of a label for the lanes that `test` holds for, and those that fall through.
    fn open_case(&mut self, test: Operand) -> Result<(), LowerError> {
        let Some(switch) = self.switch() else { return Err(misplaced("CASE")) };
        let (falling, may_fall) = (switch.falling, std::mem::take(&mut switch.may_fall));
        let mut test = test;
        if may_fall {
            let fallen = self.variables.read(falling);
            test = self.alu(AluOp::OrInt, &[test, fallen]);
        }
        self.variables.write(falling, Operand::ZERO);
        let condition = Condition { op: AluOp::PredSetneInt, src: [test, Operand::ZERO] };
        self.open_branch(condition, Role::Label)
    }

    /// `BRK` in a switch.
    pub(super) fn break_switch(&mut self) -> Result<(), LowerError> {
        let left = self.innermost_flag()?;
        self.variables.write(left, LEFT);
        self.control.note_exits(Exits { any: true, returns: false });
        self.control.unreachable = Some(0);
        Ok(())
    }

    pub(super) fn close_switch(&mut self) -> Result<(), LowerError> {
        self.close_case()?;
        let is_switch = |frame: &mut super::Frame| matches!(frame.kind, Kind::Switch(_));
        let frame = self.control.frames.pop_if(is_switch).ok_or_else(|| misplaced("ENDSWITCH"))?;
        let Kind::Switch(switch) = frame.kind else { return Err(misplaced("ENDSWITCH")) };
        let region = self.control.close_region();
        region.nodes.into_iter().for_each(|node| self.control.push(node));
        if switch.returns || frame.exits.returns {
            self.control.note_exits(Exits { any: true, returns: true });
            self.open_guard()?;
        }
        Ok(())
    }
}

/// Whether all labels are constants and differ from each other.
fn are_distinct(labels: &[(usize, Operand)]) -> bool {
    let constants: Option<Vec<u32>> = labels.iter().map(|(_, value)| value.as_const()).collect();
    let Some(mut values) = constants else { return false };
    values.sort_unstable();
    values.dedup();
    values.len() == labels.len()
}
