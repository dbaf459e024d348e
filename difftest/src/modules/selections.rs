//! Branches, switches, and exits from constructs.

use spirv::Op;

use super::generate::{Around, Writer};
use super::module::Id;
use super::stage::Stage;
use super::types::Ty;

/// The cases of a switch.
struct Cases {
    labels: Vec<Id>,
    /// The number of the default case; if there is no such case, the merge block is the default.
    default: usize,
    /// The only case whose end branches to the merge block. The case before it falls through to it. All others leave
    /// the surrounding loop or its iteration.
    only: Option<usize>,
}

impl Writer {
    /// A branch with a merge block. Returns whether control reaches the merge block.
    pub(super) fn selection(&mut self) -> bool {
        let merge = self.label_with_phis();
        let condition = self.truth();
        let one = self.module.id();
        // Half the time, there is only one side.
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
        // If only one side reaches the merge block, its values are available there.
        if reached == 1 && other != merge {
            self.values.extend(left);
        }
        self.goes_on(reached)
    }

    /// A number that is not zero in the lanes that continue. Lanes in which it would be zero are discarded, or get
    /// another number if the stage has no discard.
    pub(super) fn number_of_live_lanes(&mut self) -> Id {
        let any = self.pick(Ty::Int);
        let [most, zero] = [7, 0].map(|n| self.module.constant(Ty::Int, n));
        let number = self.result(Op::BitwiseAnd, Ty::Int, &[any, most]);
        if self.stage != Stage::Fragment {
            let one = self.module.constant(Ty::Int, 1);
            return self.result(Op::BitwiseOr, Ty::Int, &[number, one]);
        }
        let is_zero = self.result(Op::IEqual, Ty::Bool, &[number, zero]);
        let is_zero = self.flipped(is_zero);
        let [side, merge] = [self.module.id(), self.module.id()];
        self.function.push(Op::SelectionMerge, &[merge, 0]);
        self.branch_on(is_zero, side, merge);
        self.begin(side);
        self.kill();
        self.begin(merge);
        number
    }

    /// Ends a merge block. If nothing branches to it, it is unreachable.
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

    /// Leaves a construct, in all lanes or in some. Returns whether control continues.
    pub(super) fn way_out(&mut self) -> bool {
        match self.random.below(8) {
            0 => {
                self.return_from();
                false
            }
            1 if self.random.once_in(2) => {
                self.kill();
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

    /// A branch without a merge instruction, with one side that leaves a construct.
    pub(super) fn leave_by_condition(&mut self) -> bool {
        let condition = self.truth();
        let Some(to) = self.exit() else { return true };
        self.leave_where(condition, to);
        true
    }

    /// Branches to `to` if a condition holds, and continues in a new block.
    pub(super) fn leave_where(&mut self, condition: Id, to: Id) {
        self.edge(to);
        let next = self.module.id();
        let condition = self.flipped(condition);
        self.branch_on(condition, to, next);
        self.begin(next);
    }

    /// Selects an exit from a construct and counts it. Returns the block to branch to.
    fn exit(&mut self) -> Option<Id> {
        let inner_loop = self.around.iter().rposition(is_loop);
        let is_open = |one: &Around| matches!(one, Around::Switch { is_sealed: false, .. });
        let inner_switch = self.around.len().checked_sub(1).filter(|&at| is_open(&self.around[at]));
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
            Around::Switch { merge, breaks, .. } => {
                *breaks += 1;
                *merge
            }
        })
    }

    /// A switch. Returns whether control reaches its merge block.
    pub(super) fn switch(&mut self) -> bool {
        let merge = self.label_with_phis();
        let Cases { labels, default, only } = self.plan_cases();
        let selector = self.selector();
        let default_label = labels.get(default).copied().unwrap_or(merge);
        let mut operands = vec![selector, default_label];
        let mut literal = 0;
        for (n, &label) in labels.iter().enumerate() {
            let few = 1 + self.random.below(2);
            let only_default = n == default && (only.is_some() || self.random.once_in(2));
            for _ in 0..if only_default { 0 } else { few } {
                operands.extend([literal, label]);
                literal += 1 + self.random.below(2) as u32;
            }
        }
        for &label in &labels {
            self.edge(label);
        }
        if default_label == merge {
            self.edge(merge);
        }
        self.function.push(Op::SelectionMerge, &[merge, 0]);
        self.function.push(Op::Switch, &operands);
        let breaks = usize::from(default_label == merge);
        self.around.push(Around::Switch { merge, breaks, is_sealed: only.is_some() });
        let left = self.cases(&labels, merge, only);
        let Some(Around::Switch { breaks, .. }) = self.around.pop() else { return false };
        self.begin(merge);
        // If only one branch reaches the merge block, the values of that case are available there. One is stored.
        if breaks == 1 {
            self.values.extend(left);
            self.store_of(Ty::Int);
        }
        self.goes_on(breaks)
    }

    fn plan_cases(&mut self) -> Cases {
        let falls = self.around.iter().any(is_loop) && self.random.once_in(3);
        let num = if falls { 3 } else { 1 } + self.random.below(4);
        let labels: Vec<Id> = (0..num).map(|_| self.label_with_phis()).collect();
        // The default is any case or the merge block. With an only case, it is neither that one nor the case before it.
        let only = falls.then(|| 1 + self.random.below(num - 1));
        let default = match only {
            Some(only) => (only + 1 + self.random.below(num - 2)) % num,
            None => self.random.below(num + 1),
        };
        Cases { labels, default, only }
    }

    /// Generates the cases. Returns the values of the last case whose end branches to the merge block.
    fn cases(&mut self, labels: &[Id], merge: Id, only: Option<usize>) -> Vec<(Ty, Id)> {
        let before = self.values.len();
        let mut left = Vec::new();
        for (n, &label) in labels.iter().enumerate() {
            self.begin(label);
            let falls = only == Some(n + 1);
            if falls {
                self.leave_by_condition();
                self.expression();
            }
            if falls || self.statements_or_way_out() {
                let next = labels.get(n + 1).copied();
                let next = match only {
                    Some(only) if only == n => None,
                    Some(_) if !falls => self.exit(),
                    _ => next.filter(|_| falls || self.random.once_in(3)),
                };
                self.branch(next.unwrap_or(merge));
                if let (None, Some(Around::Switch { breaks, .. })) = (next, self.around.last_mut())
                {
                    *breaks += 1;
                    left = self.values.split_off(before);
                }
            }
            self.values.truncate(before);
        }
        left
    }

    /// A number that is usually small.
    fn selector(&mut self) -> Id {
        let any = self.pick(Ty::Int);
        if self.random.once_in(4) {
            return any;
        }
        let most = self.module.constant(Ty::Int, 7);
        self.result(Op::BitwiseAnd, Ty::Int, &[any, most])
    }
}

fn is_loop(one: &Around) -> bool {
    matches!(one, Around::Loop { .. })
}
