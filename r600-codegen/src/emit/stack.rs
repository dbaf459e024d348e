//! The branch stack: how deep a program uses it, and where chips get a push wrong.
//!
//! Sizes follow the rule that the open driver's programs obey (constraints, section 10): a loop takes one
//! entry of the chip's size, a push one element, and a first push some more by generation.

use r600_isa::{Chip, Generation};

/// Elements in the unit in which the stack size is given.
const ELEMENTS_PER_UNIT: u32 = 4;

/// Follows pushes and loops through a program.
#[derive(Clone, Debug)]
pub(super) struct StackDepth {
    chip: Chip,
    loops: u32,
    pushes: u32,
    size: u32,
}

impl StackDepth {
    pub(super) fn new(chip: Chip) -> Self {
        Self { chip, loops: 0, pushes: 0, size: 0 }
    }

    /// A call of the fetch shader needs one unit.
    pub(super) fn call(&mut self) {
        self.size = self.size.max(1);
    }

    pub(super) fn enter_loop(&mut self) {
        self.loops += 1;
        self.measure();
    }

    pub(super) fn leave_loop(&mut self) {
        self.loops -= 1;
    }

    /// A push of the mask; true when it must be an instruction of its own.
    pub(super) fn push(&mut self) -> bool {
        let before =
            self.loops * self.chip.stack_entry_size() + self.pushes + u32::from(self.pushes > 0);
        self.pushes += 1;
        self.measure();
        self.corrupts(before)
    }

    pub(super) fn pop(&mut self) {
        self.pushes -= 1;
    }

    /// Stack size in units of four elements.
    pub(super) fn size(&self) -> u32 {
        self.size
    }

    fn elements(&self) -> u32 {
        let first_push = u32::from(self.pushes > 0);
        let extra = match self.chip.generation() {
            Generation::R600 | Generation::R700 => 2 * first_push,
            Generation::Evergreen => first_push,
            Generation::Cayman => 2 + first_push,
        };
        self.loops * self.chip.stack_entry_size() + self.pushes + extra
    }

    fn measure(&mut self) {
        self.size = self.size.max(self.elements().div_ceil(ELEMENTS_PER_UNIT));
    }

    /// Whether a clause that pushes here would corrupt the mask, by either way of counting that is known
    /// to be safe. `before` is the count before the push.
    fn corrupts(&self, before: u32) -> bool {
        let entry = self.chip.stack_entry_size();
        match self.chip.generation() {
            Generation::R600 | Generation::R700 => false,
            Generation::Cayman => self.loops >= 2,
            Generation::Evergreen => {
                let sound = matches!(self.chip, Chip::Cypress | Chip::Juniper | Chip::Hemlock);
                let after = self.elements();
                let at_border = after.is_multiple_of(entry)
                    || (after - 1).is_multiple_of(entry)
                    || before != 0
                        && (before.is_multiple_of(entry) || (before + 1).is_multiple_of(entry));
                !sound && at_border
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_nested_branches_and_loops() {
        // A loop and a branch in it: 4 + 1 + 2, 8 + 1 + 1 and 4 + 1 + 3 elements.
        for (chip, size) in [(Chip::Rv770, 2), (Chip::Cedar, 3), (Chip::Cayman, 2)] {
            let mut stack = StackDepth::new(chip);
            stack.enter_loop();
            stack.push();
            assert_eq!(stack.size(), size, "{chip:?}");
        }
    }

    #[test]
    fn one_branch_on_rv770_takes_one_unit() {
        let mut stack = StackDepth::new(Chip::Rv770);
        stack.push();
        assert_eq!(stack.size(), 1);
    }
}
