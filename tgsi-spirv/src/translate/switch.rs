//! Switches, with cases that fall through.

use std::collections::HashSet;

use tgsi_ir::Opcode;

use crate::binary::Id;
use crate::code::Operand;
use crate::error::{Fault, invalid, unsupported};
use crate::module::{Block, Merge};

use super::Translator;
use super::flow::{Construct, Next, Reach, targets};

/// Code that several values lead to.
struct Case {
    target: Id,
    values: Vec<u32>,
    is_default: bool,
}

impl<'m> Translator<'m> {
    pub(super) fn switch(&mut self, block: &'m Block<'m>, stop: Option<Id>) -> Result<Next, Fault> {
        let (selector, shape) = self.operand(block.end.id(0)?)?;
        if shape.is_wide() {
            return Err(unsupported("switches on 64 bits"));
        }
        let Some(Merge::Selection(merge)) = block.merge else {
            return Err(invalid("a switch lacks its merge instruction"));
        };
        let cases = self.cases(block, merge)?;
        // Before any case runs: one that falls through sets the phis of the next after this.
        for case in &cases {
            self.phi_edge(block.label, case.target)?;
        }
        let leave = self.leave_flag()?;
        let killed = self.open_construct(Construct::Switch { merge, leave })?;
        self.code.bare(Opcode::Switch, &[selector.channel(0)]);
        let mut reach = Reach::FALLS;
        for (n, case) in cases.iter().enumerate() {
            for &value in &case.values {
                self.code.bare(Opcode::Case, &[Operand::word(value)]);
            }
            if case.is_default {
                self.code.bare(Opcode::Default, &[]);
            }
            if case.target == merge {
                self.code.bare(Opcode::Brk, &[]);
                continue;
            }
            let next = cases.get(n + 1).map(|case| case.target);
            let end = self.region(case.target, next)?;
            if end.falls && next.is_none() {
                self.code.bare(Opcode::Brk, &[]);
            }
            reach = reach.or(end);
        }
        self.code.bare(Opcode::Endswitch, &[]);
        if let Some(leave) = leave {
            self.leave_where(Operand::temp(leave).channel(0));
        }
        self.close_construct(reach, killed)?;
        self.after(reach, merge, stop)
    }

    /// A flag for leaving the loop around the switch from inside, where some block does.
    fn leave_flag(&mut self) -> Result<Option<u32>, Fault> {
        let frame = self.frame()?;
        let outer = frame.constructs.iter().rev().find_map(|one| match *one {
            Construct::Loop { merge, .. } => Some(merge),
            Construct::Switch { .. } => None,
        });
        if outer.is_none() {
            return Ok(None);
        }
        let flag = self.code.temp();
        self.set(flag, 0);
        Ok(Some(flag))
    }
}

impl<'m> Translator<'m> {
    /// The cases in the order of their code.
    fn cases(&mut self, block: &'m Block<'m>, merge: Id) -> Result<Vec<Case>, Fault> {
        let default = block.end.id(1)?;
        let mut cases: Vec<Case> = Vec::new();
        for pair in block.end.rest(2).chunks_exact(2) {
            let target = Id(pair[1]);
            match cases.iter_mut().find(|case| case.target == target) {
                Some(case) => case.values.push(pair[0]),
                None => cases.push(Case { target, values: vec![pair[0]], is_default: false }),
            }
        }
        if let Some(case) = cases.iter_mut().find(|case| case.target == default) {
            case.is_default = true;
            return Ok(cases);
        }
        // The default case stands before the case that it falls through to, or after the one that
        // falls through to it.
        let targets: Vec<Id> = cases.iter().map(|case| case.target).collect();
        let mut at = cases.len();
        if default != merge {
            for (n, &target) in targets.iter().enumerate() {
                let ends: Vec<Id> =
                    targets.iter().copied().filter(|&one| one != target).chain([merge]).collect();
                if self.is_reached(default, target, &ends)? {
                    at = at.min(n);
                } else if self.is_reached(target, default, &ends)? {
                    at = n + 1;
                }
            }
        }
        cases.insert(at, Case { target: default, values: Vec::new(), is_default: true });
        Ok(cases)
    }

    /// Whether control gets from one block to another without coming to any of `ends`, or leaving the constructs that
    /// are open: the next iteration of a loop comes to all cases.
    fn is_reached(&mut self, from: Id, to: Id, ends: &[Id]) -> Result<bool, Fault> {
        let mut seen = HashSet::new();
        let mut open = vec![from];
        while let Some(id) = open.pop() {
            if id == to {
                return Ok(true);
            }
            if ends.contains(&id) || self.is_exit(id, None)? || !seen.insert(id) {
                continue;
            }
            if let Some(block) = self.frame()?.function.blocks.get(&id) {
                open.extend(targets(block.end));
            }
        }
        Ok(false)
    }
}
