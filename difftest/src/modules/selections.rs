//! Branches, switches, and ways out of constructs.

use spirv::Op;

use super::generate::{Around, Writer};
use super::module::Id;
use super::types::Ty;

impl Writer {
    /// A branch with a merge block; whether control comes to that.
    pub(super) fn selection(&mut self) -> bool {
        let merge = self.label_with_phis();
        let condition = self.truth();
        let one = self.module.id();
        // Often there is no other side.
        let other = if self.random.once_in(2) { self.module.id() } else { merge };
        if other == merge {
            self.edge(merge);
        }
        let condition = self.flipped(condition);
        self.function.push(Op::SelectionMerge, &[merge, 0]);
        self.branch_on(condition, one, other);
        let before = self.values.len();
        let mut left = Vec::new();
        let mut reached = usize::from(other == merge);
        for side in [one, other].into_iter().filter(|&side| side != merge) {
            self.begin(side);
            if self.statements_or_way_out() {
                self.branch(merge);
                reached += 1;
                left = self.values.split_off(before);
            }
            self.values.truncate(before);
        }
        self.begin(merge);
        // What the only side made that comes here is there.
        if reached == 1 && other != merge {
            self.values.extend(left);
        }
        self.goes_on(reached)
    }

    /// Ends a merge block that no way leads to.
    pub(super) fn goes_on(&mut self, reached: usize) -> bool {
        if reached == 0 {
            self.function.push(Op::Unreachable, &[]);
        }
        reached > 0
    }

    fn statements_or_way_out(&mut self) -> bool {
        if self.random.once_in(3) {
            self.expression();
            return self.way_out();
        }
        self.statements()
    }

    /// Leaves something, in all lanes or in some; whether control goes on.
    pub(super) fn way_out(&mut self) -> bool {
        match self.random.below(8) {
            0 => {
                self.return_from();
                false
            }
            1 if self.random.once_in(2) => {
                self.function.push(Op::Kill, &[]);
                false
            }
            2..=4 => self.leave_by_condition(),
            _ => match self.exit() {
                Some(to) => {
                    self.branch(to);
                    false
                }
                None => true,
            },
        }
    }

    /// A branch without merge instruction one of whose sides leaves a construct.
    pub(super) fn leave_by_condition(&mut self) -> bool {
        let condition = self.truth();
        let Some(to) = self.exit() else { return true };
        self.leave_where(condition, to);
        true
    }

    /// Branches to `to` where a condition holds, and goes on in a new block.
    pub(super) fn leave_where(&mut self, condition: Id, to: Id) {
        self.edge(to);
        let next = self.module.id();
        let condition = self.flipped(condition);
        self.branch_on(condition, to, next);
        self.begin(next);
    }

    /// A block that is branched to to leave a construct, which counts that.
    fn exit(&mut self) -> Option<Id> {
        let is_loop = |one: &Around| matches!(one, Around::Loop { .. });
        let inner_loop = self.around.iter().rposition(is_loop);
        let inner_switch =
            self.around.len().checked_sub(1).filter(|&at| !is_loop(&self.around[at]));
        let mut choices = Vec::new();
        choices.extend(inner_loop.map(|at| (at, true)));
        choices.extend(inner_loop.map(|at| (at, false)));
        choices.extend(inner_switch.map(|at| (at, true)));
        if choices.is_empty() {
            return None;
        }
        let (at, is_break) = self.random.pick(&choices);
        Some(match &mut self.around[at] {
            Around::Loop { merge, breaks, .. } if is_break => {
                *breaks += 1;
                *merge
            }
            Around::Loop { cont, continues, .. } => {
                *continues += 1;
                *cont
            }
            Around::Switch { merge, breaks } => {
                *breaks += 1;
                *merge
            }
        })
    }

    /// A switch; whether control comes to its merge block.
    pub(super) fn switch(&mut self) -> bool {
        let merge = self.label_with_phis();
        let num = 1 + self.random.below(4);
        let cases: Vec<Id> = (0..num).map(|_| self.label_with_phis()).collect();
        // The default is a case, or the merge block.
        let default = self.random.below(num + 1);
        let selector = self.selector();
        let default_label = cases.get(default).copied().unwrap_or(merge);
        let mut operands = vec![selector, default_label];
        let mut literal = 0;
        for (n, &label) in cases.iter().enumerate() {
            let few = 1 + self.random.below(2);
            let only_default = n == default && self.random.once_in(2);
            for _ in 0..if only_default { 0 } else { few } {
                operands.extend([literal, label]);
                literal += 1 + self.random.below(2) as u32;
            }
        }
        for &label in &cases {
            self.edge(label);
        }
        if default_label == merge {
            self.edge(merge);
        }
        self.function.push(Op::SelectionMerge, &[merge, 0]);
        self.function.push(Op::Switch, &operands);
        self.around.push(Around::Switch { merge, breaks: usize::from(default_label == merge) });
        self.cases(&cases, merge);
        let Some(Around::Switch { breaks, .. }) = self.around.pop() else { return false };
        self.begin(merge);
        self.goes_on(breaks)
    }

    fn cases(&mut self, cases: &[Id], merge: Id) {
        let before = self.values.len();
        for (n, &label) in cases.iter().enumerate() {
            self.begin(label);
            if self.statements_or_way_out() {
                let next = cases.get(n + 1).copied().filter(|_| self.random.once_in(3));
                self.branch(next.unwrap_or(merge));
                if let (None, Some(Around::Switch { breaks, .. })) = (next, self.around.last_mut())
                {
                    *breaks += 1;
                }
            }
            self.values.truncate(before);
        }
    }

    /// A number that is small as a rule.
    fn selector(&mut self) -> Id {
        let any = self.pick(Ty::Int);
        if self.random.once_in(4) {
            return any;
        }
        let most = self.module.constant(Ty::Int, 7);
        self.result(Op::BitwiseAnd, Ty::Int, &[any, most])
    }
}
