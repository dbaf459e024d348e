//! Branches, and guards of code that some lanes have jumped over.

use r600_isa::AluOp;
use tgsi_ir::{Component, Instruction};

use crate::refusal::Refusal;
use crate::ssa::{Condition, If, Node, Operand, Phi};

use super::{
    Arm, Branch, Frame, Kind, LowerError, Lowering, MAX_NESTING, Role, Side, Writes, misplaced,
};

/// The deepest nesting of open-ended branches. Beyond it, guards one after another take their place.
const MAX_OPEN_ENDED: usize = 8;

/// The most open constructs with which another open-ended branch begins: the rest is for those of the source.
const MAX_OPEN: usize = MAX_NESTING / 2;

/// The most phis of all branches together. Branches in a subroutine have them again for each call, so a short shader may
/// need very many. At this limit they take 1 GB.
const MAX_PHIS: usize = 1 << 21;

impl Lowering<'_> {
    pub(super) fn open_if(&mut self, inst: &Instruction, op: AluOp) -> Result<(), LowerError> {
        let test = self.source(inst, 0, Component::X)?;
        self.open_branch(Condition { op, src: [test, Operand::ZERO] }, Role::Source)
    }

    /// Opens a branch that builds its first arm.
    pub(super) fn open_branch(
        &mut self,
        condition: Condition,
        role: Role,
    ) -> Result<(), LowerError> {
        let mark = self.variables.mark();
        let branch = Branch { condition, mark, side: Side::Then, finished: None, role };
        self.control.open(Kind::Branch(branch))
    }

    /// Emits what `body` lowers, for the lanes that meet `condition`.
    pub(in super::super) fn only_where(
        &mut self,
        condition: Condition,
        body: impl FnOnce(&mut Self) -> Result<(), LowerError>,
    ) -> Result<(), LowerError> {
        self.open_branch(condition, Role::Source)?;
        body(self)?;
        self.close_if()
    }

    pub(super) fn open_else(&mut self) -> Result<(), LowerError> {
        self.close_open_ended()?;
        let Some((mut branch, then)) = self.end_arm(is_source) else {
            return Err(misplaced("ELSE"));
        };
        if branch.side != Side::Then {
            return Err(misplaced("ELSE"));
        }
        branch.side = Side::Otherwise;
        branch.finished = Some(then);
        branch.mark = self.variables.mark();
        self.control.open(Kind::Branch(branch))
    }

    pub(super) fn close_if(&mut self) -> Result<(), LowerError> {
        self.close_open_ended()?;
        let Some((branch, arm)) = self.end_arm(is_source) else { return Err(misplaced("ENDIF")) };
        self.join(branch, arm)
    }

    /// Closes the branches that end with the construct whose end is reached.
    pub(super) fn close_open_ended(&mut self) -> Result<(), LowerError> {
        while let Some((branch, arm)) = self.end_arm(is_open_ended) {
            self.join(branch, arm)?;
        }
        Ok(())
    }

    /// Ends the arm being built and takes its branch off the stack; `None` if the innermost construct is not a wanted
    /// one.
    fn end_arm(&mut self, is_wanted: fn(&Frame) -> bool) -> Option<(Branch, Arm)> {
        let frame = self.control.frames.pop_if(|frame| is_wanted(frame))?;
        let Kind::Branch(branch) = frame.kind else { return None };
        let arm = Arm {
            region: self.control.close_region(),
            writes: self.variables.take_back(branch.mark),
            reached: self.control.unreachable.take().is_none(),
            exits: frame.exits,
        };
        Some((branch, arm))
    }

    /// Ends a branch: merges its arms, or keeps one of them open for the code after the branch.
    fn join(&mut self, branch: Branch, last: Arm) -> Result<(), LowerError> {
        let first = branch.finished.unwrap_or_else(|| Arm { reached: true, ..Arm::default() });
        let (then, otherwise) = match branch.side {
            Side::Then => (last, first),
            Side::Otherwise => (first, last),
        };
        let mut exits = then.exits;
        exits.merge(otherwise.exits);
        self.control.note_exits(exits);
        let has_end = branch.role == Role::Source;
        if has_end
            && exits.any
            && let Some(side) = self.sole_survivor(&then, &otherwise)
        {
            return self.reopen(branch.condition, side, then, otherwise);
        }
        let is_reached = then.reached || otherwise.reached;
        let may_have_left =
            [&then, &otherwise].iter().any(|arm| arm.exits.any && !arm.region.diverges());
        self.push_branch(branch.condition, then, otherwise)?;
        if !is_reached {
            self.control.unreachable = Some(0);
        } else if may_have_left && has_end {
            self.open_guard()?;
        }
        Ok(())
    }

    /// The arm that goes on after the branch, if all lanes of the other one have jumped.
    fn sole_survivor(&self, then: &Arm, otherwise: &Arm) -> Option<Side> {
        let deep = self.control.frames.iter().rev().take_while(|frame| is_open_ended(frame));
        if deep.count() >= MAX_OPEN_ENDED || self.control.frames.len() >= MAX_OPEN {
            return None;
        }
        let goes_on = |arm: &Arm| arm.reached && !arm.exits.any;
        let is_left = |arm: &Arm| !arm.reached && !arm.region.diverges();
        match () {
            () if goes_on(then) && is_left(otherwise) => Some(Side::Then),
            () if goes_on(otherwise) && is_left(then) => Some(Side::Otherwise),
            () => None,
        }
    }

    /// Reopens the arm `side`, which then ends with the construct around the branch.
    fn reopen(
        &mut self,
        condition: Condition,
        side: Side,
        then: Arm,
        otherwise: Arm,
    ) -> Result<(), LowerError> {
        let (open, finished) = match side {
            Side::Then => (then, otherwise),
            Side::Otherwise => (otherwise, then),
        };
        let mark = self.variables.mark();
        self.take_over(open.writes);
        let role = Role::Survivor;
        let branch = Branch { condition, mark, side, finished: Some(finished), role };
        self.control.open_with(Kind::Branch(branch), open.region)
    }

    fn push_branch(
        &mut self,
        condition: Condition,
        then: Arm,
        otherwise: Arm,
    ) -> Result<(), LowerError> {
        let mut phis = Vec::new();
        match (then.region.diverges(), otherwise.region.diverges()) {
            (false, false) => phis = self.make_phis(then.writes, otherwise.writes),
            (true, false) => self.take_over(otherwise.writes),
            (false, true) => self.take_over(then.writes),
            (true, true) => {}
        }
        self.phis = self.phis.saturating_add(phis.len());
        if self.phis > MAX_PHIS {
            return Err(LowerError::new("ENDIF", Refusal::Phis));
        }
        let (then, otherwise) = (then.region, otherwise.region);
        self.control.push(Node::If(Box::new(If { condition, then, otherwise, phis })));
        Ok(())
    }

    /// After a branch with an arm that does not reach its end: keeps the writes of the other arm.
    fn take_over(&mut self, writes: Writes) {
        for (variable, operand) in writes {
            self.variables.write(variable, operand);
        }
    }

    /// Makes a phi for each variable whose value differs between the arms.
    fn make_phis(&mut self, then: Writes, mut otherwise: Writes) -> Vec<Phi> {
        let mut merged = Vec::with_capacity(then.len());
        otherwise.sort_by_key(|(variable, _)| *variable);
        let mut in_both = vec![false; otherwise.len()];
        for (variable, value) in then {
            let other = match otherwise.binary_search_by_key(&variable, |(v, _)| *v) {
                Ok(at) => {
                    in_both[at] = true;
                    otherwise[at].1
                }
                Err(_) => self.variables.read(variable),
            };
            merged.push((variable, value, other));
        }
        for ((variable, other), _) in otherwise.into_iter().zip(in_both).filter(|(_, both)| !both) {
            merged.push((variable, self.variables.read(variable), other));
        }
        let mut phis = Vec::new();
        for (variable, then, otherwise) in merged {
            if then == otherwise {
                self.variables.write(variable, then);
                continue;
            }
            let value = self.function.make_phi();
            phis.push(Phi { value, then, otherwise });
            self.variables.write(variable, Operand::value(value));
        }
        phis
    }

    /// Opens a guard: the code in it runs only for lanes that have not left the innermost switch or body.
    pub(super) fn open_guard(&mut self) -> Result<(), LowerError> {
        // Guards follow each other instead of nesting, so that nesting stays as in the source.
        if let Some((branch, arm)) = self.end_arm(is_guard) {
            self.join(branch, arm)?;
        }
        let left = self.variables.read(self.innermost_flag()?);
        let condition = Condition { op: AluOp::PredSeteInt, src: [left, Operand::ZERO] };
        self.open_branch(condition, Role::Guard)
    }
}

fn is_source(frame: &Frame) -> bool {
    matches!(&frame.kind, Kind::Branch(branch) if branch.role == Role::Source)
}

fn is_open_ended(frame: &Frame) -> bool {
    matches!(&frame.kind, Kind::Branch(branch) if branch.role != Role::Source)
}

fn is_guard(frame: &Frame) -> bool {
    matches!(&frame.kind, Kind::Branch(branch) if branch.role == Role::Guard)
}
