//! Switches, with cases that fall through.

use std::collections::{HashMap, HashSet};

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
        let mut numbers: HashMap<Id, usize> = HashMap::new();
        for pair in block.end.rest(2).chunks_exact(2) {
            let target = Id(pair[1]);
            let n = *numbers.entry(target).or_insert(cases.len());
            match cases.get_mut(n) {
                Some(case) => case.values.push(pair[0]),
                None => cases.push(Case { target, values: vec![pair[0]], is_default: false }),
            }
        }
        if let Some(&n) = numbers.get(&default) {
            cases[n].is_default = true;
            return Ok(cases);
        }
        let mut at = cases.len();
        if default != merge {
            at = self.place_of_default(block, merge, &cases)?;
        }
        cases.insert(at, Case { target: default, values: Vec::new(), is_default: true });
        Ok(cases)
    }

    /// The default case stands before the case that it falls through to, or after the one that falls through to it.
    fn place_of_default(
        &mut self,
        block: &Block<'m>,
        merge: Id,
        cases: &[Case],
    ) -> Result<usize, Fault> {
        let default = block.end.id(1)?;
        let targets: HashSet<Id> = cases.iter().map(|case| case.target).collect();
        let after = self.cases_after(default, merge, &targets)?;
        let before = self.cases_before(default, [merge, block.label], &targets)?;
        let mut at = cases.len();
        for (n, case) in cases.iter().enumerate() {
            if after.contains(&case.target) {
                at = at.min(n);
            } else if before.contains(&case.target) {
                at = n + 1;
            }
        }
        Ok(at)
    }

    /// The first cases that control comes to from the default, unless it leaves the constructs that are open: the next
    /// iteration of a loop comes to all cases.
    fn cases_after(
        &mut self,
        default: Id,
        merge: Id,
        cases: &HashSet<Id>,
    ) -> Result<HashSet<Id>, Fault> {
        let function = self.frame()?.function;
        let (mut met, mut seen) = (HashSet::new(), HashSet::new());
        let mut open = vec![default];
        while let Some(id) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            if cases.contains(&id) {
                met.insert(id);
            } else if id != merge && !self.is_exit(id, None)? {
                open.extend(function.blocks.get(&id).into_iter().flat_map(|one| targets(one.end)));
            }
        }
        Ok(met)
    }

    /// The last cases from which control comes to the default, unless it leaves the constructs that are open.
    fn cases_before(
        &mut self,
        default: Id,
        ends: [Id; 2],
        cases: &HashSet<Id>,
    ) -> Result<HashSet<Id>, Fault> {
        let paths = self.paths()?;
        let (mut met, mut seen) = (HashSet::new(), HashSet::new());
        let mut open: Vec<Id> = paths.sources(default).collect();
        while let Some(id) = open.pop() {
            if ends.contains(&id) || self.is_exit(id, None)? || !seen.insert(id) {
                continue;
            }
            if cases.contains(&id) {
                met.insert(id);
            } else {
                open.extend(paths.sources(id));
            }
        }
        Ok(met)
    }
}
