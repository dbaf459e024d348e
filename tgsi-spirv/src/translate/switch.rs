//! Switches, with cases that fall through.

use std::collections::{HashMap, HashSet};

use tgsi_ir::Opcode;

use crate::binary::Id;
use crate::code::Operand;
use crate::error::{Fault, invalid, unsupported};
use crate::module::{Block, Merge};

use super::Translator;
use super::flow::{Construct, Next, Reach, targets};

/// A case: the code shared by several values.
struct Case {
    target: Id,
    values: Vec<u32>,
    is_default: bool,
    /// Whether the target is outside the switch: a branch to it ends the iteration or the surrounding loop.
    leaves: bool,
}

impl Case {
    fn new(target: Id) -> Self {
        Self { target, values: Vec::new(), is_default: false, leaves: false }
    }
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
        // The phis of all cases are set before any case runs, since a case that falls through sets those of the next
        // one again. The phis of blocks outside the switch are set later, because other cases may still read them.
        for case in cases.iter().filter(|case| !case.leaves) {
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
            if case.leaves {
                reach = reach.or(self.exit(block.label, case.target, None)?);
                continue;
            }
            // No case falls through to a block outside the switch.
            let next = cases.get(n + 1).filter(|next| !next.leaves).map(|next| next.target);
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

    /// A flag for leaving the surrounding loop from inside the switch; `None` if there is no such loop.
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
    /// The cases in the order of the code.
    fn cases(&mut self, block: &'m Block<'m>, merge: Id) -> Result<Vec<Case>, Fault> {
        let default = block.end.id(1)?;
        let mut cases: Vec<Case> = Vec::new();
        let mut numbers: HashMap<Id, usize> = HashMap::new();
        for pair in block.end.rest(2).chunks_exact(2) {
            let target = Id(pair[1]);
            let n = *numbers.entry(target).or_insert(cases.len());
            match cases.get_mut(n) {
                Some(case) => case.values.push(pair[0]),
                None => cases.push(Case { values: vec![pair[0]], ..Case::new(target) }),
            }
        }
        match numbers.get(&default) {
            Some(&n) => cases[n].is_default = true,
            None => {
                numbers.insert(default, cases.len());
                cases.push(Case { is_default: true, ..Case::new(default) });
            }
        }
        for case in &mut cases {
            case.leaves = case.target != merge && self.is_exit(case.target, None)?;
        }
        let mut next = Vec::with_capacity(cases.len());
        for case in &cases {
            next.push(self.case_after(case.target, merge, &numbers)?);
        }
        Ok(fall_through(cases, &next))
    }

    /// The number of the first case that control reaches from the case at `start`. Paths that leave the open constructs
    /// do not count, because the next iteration of a loop reaches all cases.
    fn case_after(
        &mut self,
        start: Id,
        merge: Id,
        numbers: &HashMap<Id, usize>,
    ) -> Result<Option<usize>, Fault> {
        let function = self.frame()?.function;
        let (mut first, mut seen) = (None, HashSet::new());
        let mut open = vec![start];
        while let Some(id) = open.pop() {
            if id == merge || !seen.insert(id) || self.is_exit(id, None)? {
                continue;
            }
            match numbers.get(&id).filter(|_| id != start) {
                Some(&n) => first = Some(first.map_or(n, |first: usize| first.min(n))),
                None => {
                    open.extend(
                        function.blocks.get(&id).into_iter().flat_map(|one| targets(one.end)),
                    );
                }
            }
        }
        Ok(first)
    }
}

/// Reorders cases, so that each case that falls through directly precedes the case that it reaches; `next` holds the
/// number of that case. A target may appear several times in the list of a switch, and the default has no position in
/// it.
fn fall_through(cases: Vec<Case>, next: &[Option<usize>]) -> Vec<Case> {
    let mut before = vec![None; cases.len()];
    for (n, next) in next.iter().enumerate() {
        if let Some(next) = *next {
            before[next] = before[next].or(Some(n));
        }
    }
    let len = cases.len();
    let mut left: Vec<Option<Case>> = cases.into_iter().map(Some).collect();
    let mut ordered = Vec::with_capacity(len);
    for n in 0..len {
        // A cycle is invalid. It may start anywhere.
        let to_first =
            std::iter::successors(Some(n), |&n| before[n].filter(|&n| left[n].is_some()));
        let mut at = to_first.take(len).last();
        while let Some((n, case)) = at.and_then(|n| left[n].take().map(|case| (n, case))) {
            ordered.push(case);
            at = next[n];
        }
    }
    ordered
}
