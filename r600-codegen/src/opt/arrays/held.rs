//! The current value of each cell, and what open branches changed.
//!
//! Branches record the cells that they write instead of copying all cells: a short text may have thousands of both.

use crate::internal::Broken;
use crate::ssa::Operand;

use super::outside;

/// The current value of each cell. Operands have no modifiers.
pub(super) struct Held {
    values: Vec<Operand>,
    /// What writes inside open branches replaced, in order.
    replaced: Vec<Replaced>,
    branches: Vec<Branch>,
}

/// A cell that was written, and its value before.
struct Replaced {
    cell: usize,
    before: Operand,
}

/// A branch whose end has not been reached.
struct Branch {
    /// Number of entries of `replaced` before the current arm.
    start: usize,
    /// The cells that the first arm wrote, in order, with their values at its end.
    then: Vec<(usize, Operand)>,
}

/// The values of a cell at the ends of two arms.
pub(super) struct Arms {
    pub(super) cell: usize,
    pub(super) then: Operand,
    pub(super) otherwise: Operand,
}

impl Held {
    /// Uninitialised elements may be zero.
    pub(super) fn new(count: usize) -> Self {
        Self { values: vec![Operand::ZERO; count], replaced: Vec::new(), branches: Vec::new() }
    }

    /// The value of a cell.
    pub(super) fn of(&self, cell: usize) -> Operand {
        self.values[cell]
    }

    /// Writes a cell.
    pub(super) fn set(&mut self, cell: usize, value: Operand) {
        let before = std::mem::replace(&mut self.values[cell], value);
        if !self.branches.is_empty() {
            self.replaced.push(Replaced { cell, before });
        }
    }

    /// Starts the first arm of a branch.
    pub(super) fn enter_branch(&mut self) {
        self.branches.push(Branch { start: self.replaced.len(), then: Vec::new() });
    }

    /// Ends the first arm of the innermost branch and restores the values before it.
    pub(super) fn enter_other_arm(&mut self) -> Result<(), Broken> {
        let branch = self.branches.last_mut().ok_or_else(outside)?;
        let written = self.replaced[branch.start..].iter();
        branch.then = written.map(|write| (write.cell, self.values[write.cell])).collect();
        branch.then.sort_unstable_by_key(|(cell, _)| *cell);
        branch.then.dedup_by_key(|(cell, _)| *cell);
        let start = branch.start;
        self.restore(start);
        Ok(())
    }

    /// Undoes the writes after the first `start`.
    fn restore(&mut self, start: usize) {
        for Replaced { cell, before } in self.replaced.drain(start..).rev() {
            self.values[cell] = before;
        }
    }

    /// Ends the innermost branch, whose arms may reach its end (`then`, `otherwise`) or leave before. If one arm does,
    /// cells have its values; if both do, those of the second, and the cells that differ are returned, in order.
    pub(super) fn leave_branch(
        &mut self,
        then: bool,
        otherwise: bool,
    ) -> Result<Vec<Arms>, Broken> {
        let Branch { start, then: mut at_then } = self.branches.pop().ok_or_else(outside)?;
        let mut arms = Vec::new();
        match (then, otherwise) {
            (true, true) => {
                // A cell that the first arm left alone has its value from before the branch, which its first write
                // replaced. The sort keeps entries of one cell in order.
                let replaced = self.replaced[start..].iter();
                at_then.extend(replaced.map(|write| (write.cell, write.before)));
                at_then.sort_by_key(|(cell, _)| *cell);
                at_then.dedup_by_key(|(cell, _)| *cell);
                let both = at_then.into_iter().map(|(cell, then)| Arms {
                    cell,
                    then,
                    otherwise: self.values[cell],
                });
                arms.extend(both.filter(|arms| arms.then != arms.otherwise));
            }
            (true, false) => {
                self.restore(start);
                at_then.into_iter().for_each(|(cell, value)| self.set(cell, value));
            }
            (false, _) => {}
        }
        if self.branches.is_empty() {
            self.replaced.clear();
        }
        Ok(arms)
    }
}
