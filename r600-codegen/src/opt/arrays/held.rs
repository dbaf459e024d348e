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
        let start = self.branches.last().ok_or_else(outside)?.start;
        let then = self.written_after(start);
        self.branches.last_mut().ok_or_else(outside)?.then = then;
        self.restore(start);
        Ok(())
    }

    /// The cells that writes after the first `start` wrote, in order, with their current values.
    fn written_after(&self, start: usize) -> Vec<(usize, Operand)> {
        let mut cells: Vec<usize> = self.replaced[start..].iter().map(|write| write.cell).collect();
        cells.sort_unstable();
        cells.dedup();
        cells.into_iter().map(|cell| (cell, self.values[cell])).collect()
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
        let Branch { start, then: first } = self.branches.pop().ok_or_else(outside)?;
        let mut arms = Vec::new();
        if then {
            let second = self.written_after(start);
            self.restore(start);
            if otherwise {
                arms = self.differences(&first, &second);
            }
            let ends = if otherwise { second } else { first };
            ends.into_iter().for_each(|(cell, value)| self.set(cell, value));
        }
        if self.branches.is_empty() {
            self.replaced.clear();
        }
        Ok(arms)
    }

    /// The cells that differ at the ends of two arms, each with the cells that it wrote. Other cells have their values
    /// from before the branch, which are the current ones.
    fn differences(&self, first: &[(usize, Operand)], second: &[(usize, Operand)]) -> Vec<Arms> {
        let mut cells: Vec<usize> = first.iter().chain(second).map(|(cell, _)| *cell).collect();
        cells.sort_unstable();
        cells.dedup();
        let at_end = |written: &[(usize, Operand)], cell: usize| {
            let found = written.binary_search_by_key(&cell, |(cell, _)| *cell);
            found.map_or(self.values[cell], |at| written[at].1)
        };
        let arms = cells.into_iter().map(|cell| Arms {
            cell,
            then: at_end(first, cell),
            otherwise: at_end(second, cell),
        });
        arms.filter(|arms| arms.then != arms.otherwise).collect()
    }
}
