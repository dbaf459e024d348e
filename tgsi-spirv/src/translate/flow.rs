//! Structures control flow: converts blocks with merge instructions to nested blocks.
//!
//! A region runs from a block up to the end of its construct. A branch to the end of the region falls through. A branch
//! out of a loop or switch is a `BRK` or `CONT`. An early return sets a flag, and the code after it is guarded by that
//! flag. If one side of a selection always returns, the rest of the region moves to the other side and no flag is read,
//! unless that nests too deeply.

use std::collections::HashSet;

use spirv::Op;
use tgsi_ir::Opcode;

use crate::binary::{Id, Inst};
use crate::code::Operand;
use crate::error::{Fault, invalid, too_large};
use crate::module::{Block, Merge};

use super::Translator;

/// Maximum nesting depth. TGSI's own limit is 128.
const MAX_DEPTH: usize = 120;

/// At this nesting depth, the code after an early return is guarded instead of nested.
const FLAT_DEPTH: usize = 64;

/// An open construct of the function.
#[derive(Clone, Debug)]
pub(super) enum Construct {
    /// A loop. A branch to its header starts the next iteration; a branch to its merge leaves the loop.
    Loop { header: Id, merge: Id, cont: Id },
    /// A switch. A branch to its merge leaves it. The temporary is not zero in lanes that leave the surrounding loop
    /// from inside the switch.
    Switch { merge: Id, leave: Option<u32> },
}

/// How control leaves a region.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Reach {
    /// Some lanes reach its end.
    pub(super) falls: bool,
    /// Some of the lanes that still run this code may have returned from the function.
    pub(super) returns: bool,
}

impl Reach {
    pub(super) const FALLS: Self = Self { falls: true, returns: false };
    pub(super) const LEFT: Self = Self { falls: false, returns: false };
    pub(super) const RETURNED: Self = Self { falls: false, returns: true };

    pub(super) fn or(self, other: Self) -> Self {
        Self { falls: self.falls || other.falls, returns: self.returns || other.returns }
    }
}

impl<'m> Translator<'m> {
    pub(super) fn block(&mut self, label: Id) -> Result<&'m Block<'m>, Fault> {
        let block = self.frame()?.function.blocks.get(&label);
        block.ok_or_else(|| invalid(format!("{label} is not a block of this function")))
    }

    /// Translates the blocks from `from` up to `stop`.
    pub(super) fn region(&mut self, from: Id, stop: Option<Id>) -> Result<Reach, Fault> {
        self.nest()?;
        let reach = self.blocks(from, stop);
        self.depth -= 1;
        reach
    }

    /// Enters a nested block. Rejects a depth beyond the limit.
    pub(super) fn nest(&mut self) -> Result<(), Fault> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(too_large("blocks nest too deeply"));
        }
        Ok(())
    }

    fn blocks(&mut self, from: Id, stop: Option<Id>) -> Result<Reach, Fault> {
        let mut at = from;
        let mut is_guarded = false;
        let mut seen = HashSet::new();
        loop {
            self.code.add_work(1);
            self.check_size()?;
            if !seen.insert(at) {
                return Err(invalid(format!("block {at} follows itself, but heads no loop")));
            }
            let block = self.block(at)?;
            let next;
            if let Some(Merge::Loop { merge, cont }) = block.merge
                && !self.is_open_loop(at)?
            {
                let reach = self.loop_from(at, merge, cont)?;
                next = self.after(reach, merge, stop)?;
            } else {
                self.instructions(block)?;
                next = self.end(block, stop)?;
            }
            match next {
                Next::Block(next) => at = next,
                Next::Guarded(next) => {
                    self.guard(is_guarded)?;
                    (at, is_guarded) = (next, true);
                }
                Next::End(reach) if is_guarded => {
                    self.code.bare(Opcode::Endif, &[]);
                    self.depth -= 1;
                    return Ok(Reach { falls: true, returns: true }.or(reach));
                }
                Next::End(reach) => return Ok(reach),
            }
        }
    }

    fn is_open_loop(&mut self, label: Id) -> Result<bool, Fault> {
        let is_it =
            |one: &Construct| matches!(one, Construct::Loop { header, .. } if *header == label);
        Ok(self.frame()?.constructs.iter().any(is_it))
    }

    fn instructions(&mut self, block: &'m Block<'m>) -> Result<(), Fault> {
        // Each phi needs registers. If control comes from none of its sources, they hold any value.
        for &phi in &block.phis {
            self.go_to(phi);
            self.phi_result(phi)?;
        }
        for &inst in &block.body {
            self.go_to(inst);
            self.instruction(inst)?;
            self.check_size()?;
        }
        self.go_to(block.end);
        Ok(())
    }

    /// Translates the terminator of a block.
    fn end(&mut self, block: &'m Block<'m>, stop: Option<Id>) -> Result<Next, Fault> {
        let inst = block.end;
        match inst.op {
            Some(Op::Branch) => self.branch(block.label, inst.id(0)?, stop),
            Some(Op::BranchConditional) => self.conditional(block, stop),
            Some(Op::Switch) => self.switch(block, stop),
            Some(Op::Return) => self.leave_function(None),
            Some(Op::ReturnValue) => self.leave_function(Some(inst.id(0)?)),
            Some(Op::Kill | Op::TerminateInvocation) => self.kill(),
            Some(Op::Unreachable) => Ok(Next::End(Reach::LEFT)),
            _ => self.refuse("the hardware has nothing like this terminator"),
        }
    }

    /// An unconditional branch: continues with the block, or leaves a construct.
    fn branch(&mut self, from: Id, to: Id, stop: Option<Id>) -> Result<Next, Fault> {
        if self.is_exit(to, stop)? {
            return self.exit(from, to, stop).map(Next::End);
        }
        self.phi_edge(from, to)?;
        Ok(Next::Block(to))
    }

    /// Whether a branch to `to` leaves the region or the iteration.
    pub(super) fn is_exit(&mut self, to: Id, stop: Option<Id>) -> Result<bool, Fault> {
        let leaves = |one: &Construct| match *one {
            Construct::Loop { header, merge, cont } => [header, merge, cont].contains(&to),
            Construct::Switch { merge, .. } => merge == to,
        };
        Ok(stop == Some(to) || self.frame()?.constructs.iter().any(leaves))
    }

    fn conditional(&mut self, block: &'m Block<'m>, stop: Option<Id>) -> Result<Next, Fault> {
        let inst = block.end;
        let (condition, _) = self.operand(inst.id(0)?)?;
        let (mut on_true, mut on_false) = (inst.id(1)?, inst.id(2)?);
        if on_true == on_false {
            return self.branch(block.label, on_true, stop);
        }
        if let Some(word) = condition.constant_word() {
            let taken = if word != 0 { on_true } else { on_false };
            return self.known_selection(block, taken, stop);
        }
        let merge = match block.merge {
            Some(Merge::Selection(merge)) => Some(merge),
            _ => self.join(on_true, on_false, stop)?,
        };
        let Some(merge) = merge else { return self.one_way(block, condition, stop) };
        let mut condition = condition;
        // If one side never reaches the merge, it comes first.
        if self.never_reaches(on_false, merge)? && !self.never_reaches(on_true, merge)?
            || on_true == merge
        {
            (on_true, on_false) = (on_false, on_true);
            condition = self.compute(Opcode::Not, 1, &[condition]);
        }
        self.code.bare(Opcode::Uif, &[condition.channel(0)]);
        let first = self.side(block.label, on_true, merge)?;
        if first.returns && !first.falls && self.depth < FLAT_DEPTH {
            self.code.bare(Opcode::Else, &[]);
            let second = self.side(block.label, on_false, merge)?;
            let mut rest = second;
            if second.falls && stop != Some(merge) && self.frame()?.reached.contains(&merge) {
                rest = self.rest(second, merge, stop)?;
            }
            self.code.bare(Opcode::Endif, &[]);
            return Ok(Next::End(Reach { falls: rest.falls, returns: true }));
        }
        let at = self.code.insts.len();
        self.code.bare(Opcode::Else, &[]);
        let second = self.side(block.label, on_false, merge)?;
        if self.code.insts.len() == at + 1 {
            self.code.insts.pop();
        }
        self.code.bare(Opcode::Endif, &[]);
        self.after(first.or(second), merge, stop)
    }

    /// A selection whose condition is constant.
    fn known_selection(
        &mut self,
        block: &'m Block<'m>,
        taken: Id,
        stop: Option<Id>,
    ) -> Result<Next, Fault> {
        let Some(Merge::Selection(merge)) = block.merge else {
            return self.branch(block.label, taken, stop);
        };
        let reach = self.side(block.label, taken, merge)?;
        self.after(reach, merge, stop)
    }

    /// One side of a selection.
    fn side(&mut self, from: Id, to: Id, merge: Id) -> Result<Reach, Fault> {
        if to == merge {
            self.phi_edge(from, to)?;
            return Ok(Reach::FALLS);
        }
        // A branch to the end of the surrounding region leaves both the selection and the region.
        if self.is_exit(to, None)? {
            return self.exit(from, to, None);
        }
        self.phi_edge(from, to)?;
        self.region(to, Some(merge))
    }

    /// A conditional branch without a merge block. At least one side leaves the construct.
    fn one_way(
        &mut self,
        block: &'m Block<'m>,
        condition: Operand,
        stop: Option<Id>,
    ) -> Result<Next, Fault> {
        let (on_true, on_false) = (block.end.id(1)?, block.end.id(2)?);
        let exits = [self.is_exit(on_true, stop)?, self.is_exit(on_false, stop)?];
        let (condition, leaving, staying) = match exits {
            [true, _] if !(exits[1] && stop == Some(on_true)) => (condition, on_true, on_false),
            _ => (self.compute(Opcode::Not, 1, &[condition]), on_false, on_true),
        };
        self.code.bare(Opcode::Uif, &[condition.channel(0)]);
        let first = self.way(block.label, leaving, stop)?;
        if !first.falls && !first.returns {
            self.code.bare(Opcode::Endif, &[]);
            return self.branch(block.label, staying, stop);
        }
        self.code.bare(Opcode::Else, &[]);
        let second = self.way(block.label, staying, stop)?;
        self.code.bare(Opcode::Endif, &[]);
        Ok(Next::End(first.or(second)))
    }

    fn way(&mut self, from: Id, to: Id, stop: Option<Id>) -> Result<Reach, Fault> {
        if self.is_exit(to, stop)? {
            return self.exit(from, to, stop);
        }
        self.phi_edge(from, to)?;
        self.region(to, stop)
    }

    /// Continues after a construct whose sides ended as `reach` says.
    pub(super) fn after(
        &mut self,
        reach: Reach,
        merge: Id,
        stop: Option<Id>,
    ) -> Result<Next, Fault> {
        // Lanes may reach the end of the construct although nothing branches to the merge: discarded lanes go on
        // regardless, and constant conditions remove branches.
        if !reach.falls || !self.frame()?.reached.contains(&merge) {
            return Ok(Next::End(Reach { falls: false, ..reach }));
        }
        if !reach.returns {
            return Ok(if self.is_exit(merge, stop)? {
                Next::End(self.exit_from_merge(merge, stop)?)
            } else {
                Next::Block(merge)
            });
        }
        if self.depth >= FLAT_DEPTH && !self.is_exit(merge, stop)? {
            return Ok(Next::Guarded(merge));
        }
        let rest = self.rest(reach, merge, stop)?;
        Ok(Next::End(Reach { falls: true, returns: true }.or(rest)))
    }

    /// Continues after a construct that ends where the surrounding one does.
    fn exit_from_merge(&mut self, merge: Id, stop: Option<Id>) -> Result<Reach, Fault> {
        if stop == Some(merge) {
            return Ok(Reach::FALLS);
        }
        // The branches to the merge have set its phis already.
        self.exit(Id(0), merge, stop)
    }

    /// Translates the rest of a region for the lanes that have not returned.
    fn rest(&mut self, before: Reach, merge: Id, stop: Option<Id>) -> Result<Reach, Fault> {
        if stop == Some(merge) {
            return Ok(before);
        }
        if !before.returns {
            return self.region_or_exit(merge, stop);
        }
        let running = self.running()?;
        self.code.bare(Opcode::Uif, &[running]);
        let reach = self.region_or_exit(merge, stop)?;
        self.code.bare(Opcode::Endif, &[]);
        Ok(Reach { falls: true, returns: true }.or(reach))
    }

    fn region_or_exit(&mut self, merge: Id, stop: Option<Id>) -> Result<Reach, Fault> {
        if self.is_exit(merge, stop)? {
            return self.exit_from_merge(merge, stop);
        }
        self.region(merge, stop)
    }

    /// A loop.
    fn loop_from(&mut self, header: Id, merge: Id, cont: Id) -> Result<Reach, Fault> {
        let entry = self.exclude_discarded(header, merge)?;
        self.code.bare(Opcode::Bgnloop, &[]);
        let killed = self.open_construct(Construct::Loop { header, merge, cont })?;
        let body_end = if cont == header { header } else { cont };
        let mut reach = self.region(header, Some(body_end))?;
        // Some lanes that reach the end may have returned. If all of them have, nothing branches to the continue block.
        if reach.falls && cont != header && self.frame()?.reached.contains(&cont) {
            reach = reach.or(self.continuing(header, cont)?);
        }
        self.code.bare(Opcode::Endloop, &[]);
        self.readmit_discarded(entry, merge)?;
        self.close_construct(reach, killed)?;
        Ok(Reach { falls: true, ..reach })
    }

    /// Whether no lane gets from `from` to `merge` without leaving a surrounding loop or switch. A discarded lane
    /// counts as getting there.
    fn never_reaches(&mut self, from: Id, merge: Id) -> Result<bool, Fault> {
        if from == merge {
            return Ok(false);
        }
        let constructs = self.frame()?.constructs.clone();
        let stops = |id: Id| {
            constructs.iter().any(|one| match *one {
                Construct::Loop { header, merge, cont } => [header, merge, cont].contains(&id),
                Construct::Switch { merge, .. } => merge == id,
            })
        };
        let blocks = &self.frame()?.function.blocks;
        let mut seen = HashSet::new();
        let mut open = vec![from];
        while let Some(id) = open.pop() {
            if !seen.insert(id) || stops(id) {
                continue;
            }
            let Some(block) = blocks.get(&id) else { continue };
            if matches!(block.end.op, Some(Op::Kill | Op::TerminateInvocation)) {
                return Ok(false);
            }
            for target in targets(block.end) {
                if target == merge {
                    return Ok(false);
                }
                open.push(target);
            }
        }
        Ok(true)
    }
}

/// Where the translation of a region continues.
pub(super) enum Next {
    Block(Id),
    /// At this block, with only the lanes that have not returned.
    Guarded(Id),
    End(Reach),
}

/// The successors of a block.
pub(super) fn targets(end: Inst<'_>) -> Vec<Id> {
    let all = match end.op {
        Some(Op::Branch) => end.rest(0).get(..1),
        Some(Op::BranchConditional) => end.rest(1).get(..2),
        // The default, then pairs of a literal and a label. A literal is one word, since 64-bit switches are
        // unsupported.
        Some(Op::Switch) => return end.rest(1).iter().step_by(2).map(|&word| Id(word)).collect(),
        _ => None,
    };
    all.into_iter().flatten().map(|&word| Id(word)).collect()
}
