//! The lanes that run: the execution mask, the branch stack, loops and calls.
//!
//! A lane runs if the branches select it (`exec`) and it has not left the loop or function (`parked`). Leaving a loop
//! inside a branch parks lanes rather than jumping, so the other arm of the branch still runs. A jump happens once no
//! lane of the whole loop is left. Results are the same whether a program counts the pops at its breaks or leaves them
//! 0; both kinds of program exist.

use crate::error::Fault;
use crate::lanes::LaneMask;

/// State that an entry of the branch stack restores.
#[derive(Clone, Debug)]
enum Entry {
    /// A branch: the mask before it.
    Branch(LaneMask),
    Loop(Scope),
    Call(Scope),
}

/// The state around a loop or a call.
#[derive(Clone, Debug)]
struct Scope {
    exec: LaneMask,
    parked: LaneMask,
    returned: LaneMask,
    /// Lanes that wait for the end of the iteration, in a loop.
    continued: LaneMask,
    /// Where a call returns to.
    return_to: usize,
    counter: Option<Counter>,
}

/// Remaining iterations of a counted loop, and the loop index, which the program may use for addressing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Counter {
    /// Remaining iterations, including this one.
    pub(crate) remaining: u32,
    /// Loop index of this iteration; `None` if the loop keeps that of the loop around it.
    pub(crate) index: Option<u32>,
    /// Increment of the loop index per iteration.
    pub(crate) step: u32,
}

/// The number of elements that stack entries take, which depends on the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct StackRules {
    /// Elements of a full entry, which a loop takes.
    pub(crate) entry_elements: u32,
    /// Elements that a call takes.
    pub(crate) call_elements: u32,
    /// Elements that are always reserved.
    pub(crate) reserved: u32,
    /// Further elements that are reserved while a branch is open.
    pub(crate) reserved_in_branch: u32,
    /// Declared entries, in units of four elements.
    pub(crate) declared: u32,
}

/// The masks and the stack of a running wavefront.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    exec: LaneMask,
    parked: LaneMask,
    returned: LaneMask,
    stack: Vec<Entry>,
    num_branches: u32,
    num_loops: u32,
    num_calls: u32,
    rules: StackRules,
    deepest: u32,
}

impl Flow {
    pub(crate) fn new(lanes: LaneMask, rules: StackRules) -> Self {
        Self {
            exec: lanes,
            parked: LaneMask::EMPTY,
            returned: LaneMask::EMPTY,
            stack: Vec::new(),
            num_branches: 0,
            num_loops: 0,
            num_calls: 0,
            rules,
            deepest: 0,
        }
    }

    /// The lanes that run.
    pub(crate) fn active(&self) -> LaneMask {
        self.exec.without(self.parked)
    }

    /// The most stack entries that were in use.
    pub(crate) fn deepest(&self) -> u32 {
        self.deepest
    }

    /// Removes lanes that failed a predicate from the mask, until the next pop or else.
    pub(crate) fn deactivate(&mut self, lanes: LaneMask) {
        self.exec = self.exec.without(lanes);
    }

    /// Parks the running `lanes` until they are resumed.
    pub(crate) fn suspend(&mut self, lanes: LaneMask) {
        self.parked |= lanes;
    }

    /// Lets lanes that were suspended run again.
    pub(crate) fn resume(&mut self, lanes: LaneMask) {
        self.parked = self.parked.without(lanes);
    }

    /// Saves the mask of a branch.
    pub(crate) fn push(&mut self) -> Result<(), Fault> {
        self.stack.push(Entry::Branch(self.active()));
        self.num_branches += 1;
        self.check_depth()
    }

    /// Pops `count` branches, and restores the mask of the last one.
    pub(crate) fn pop(&mut self, count: u32) -> Result<(), Fault> {
        for _ in 0..count {
            let Some(&Entry::Branch(saved)) = self.stack.last() else {
                return Err(Fault::PopWithoutPush);
            };
            self.stack.pop();
            self.num_branches -= 1;
            self.exec = saved;
        }
        Ok(())
    }

    /// Activates the inactive lanes of the innermost branch, and deactivates the active ones.
    pub(crate) fn flip(&mut self) -> Result<(), Fault> {
        let Some(&Entry::Branch(saved)) = self.stack.last() else {
            return Err(Fault::ElseWithoutPush);
        };
        self.exec = saved.without(self.exec);
        Ok(())
    }

    /// Opens a loop over the active lanes.
    pub(crate) fn enter_loop(&mut self, counter: Option<Counter>) -> Result<(), Fault> {
        let scope = self.open_scope(0, counter);
        self.stack.push(Entry::Loop(scope));
        self.num_loops += 1;
        self.check_depth()
    }

    /// Ends an iteration: lanes that continued run again. Returns whether there is another iteration; if not, the loop
    /// is closed.
    pub(crate) fn end_iteration(&mut self) -> Result<bool, Fault> {
        let returned = self.returned;
        let Some(Entry::Loop(scope)) = self.stack.last_mut() else {
            return Err(Fault::LoopEndWithoutStart);
        };
        self.parked = self.parked.without(scope.continued) | returned;
        scope.continued = LaneMask::EMPTY;
        let is_counted_out = match &mut scope.counter {
            Some(counter) => {
                counter.remaining = counter.remaining.saturating_sub(1);
                counter.index = counter.index.map(|index| index.wrapping_add(counter.step));
                counter.remaining == 0
            }
            None => false,
        };
        self.exec = scope.exec.without(scope.parked);
        if is_counted_out || self.active().is_empty() {
            self.leave_loop();
            return Ok(false);
        }
        Ok(true)
    }

    /// Parks `lanes` until the end of the loop.
    pub(crate) fn break_loop(&mut self, lanes: LaneMask) -> Result<(), Fault> {
        self.innermost_loop()?;
        self.parked |= lanes;
        Ok(())
    }

    /// Parks `lanes` until the end of the iteration.
    pub(crate) fn continue_loop(&mut self, lanes: LaneMask) -> Result<(), Fault> {
        self.innermost_loop()?.continued |= lanes;
        self.parked |= lanes;
        Ok(())
    }

    /// If all lanes of the innermost loop are parked, closes everything open inside it. Returns whether it did; the
    /// program should then go to the end of the loop.
    pub(crate) fn close_deserted_loop(&mut self) -> Result<bool, Fault> {
        let parked = self.parked;
        let scope = self.innermost_loop()?;
        if !scope.exec.without(parked).is_empty() {
            return Ok(false);
        }
        let depth = self.stack.iter().rposition(|entry| matches!(entry, Entry::Loop(_)));
        self.close_above(depth.unwrap_or(0));
        Ok(true)
    }

    /// The loop index of the innermost loop that counts one.
    pub(crate) fn loop_index(&self) -> Option<u32> {
        self.stack.iter().rev().find_map(|entry| match entry {
            Entry::Loop(scope) => scope.counter?.index,
            Entry::Branch(_) | Entry::Call(_) => None,
        })
    }

    /// Enters a function that returns to `return_to`.
    pub(crate) fn call(&mut self, return_to: usize) -> Result<(), Fault> {
        let scope = self.open_scope(return_to, None);
        self.returned = LaneMask::EMPTY;
        self.stack.push(Entry::Call(scope));
        self.num_calls += 1;
        self.check_depth()
    }

    /// Parks `lanes` until the end of the function. If no lane of the function is left, closes its frame and returns
    /// where to continue.
    pub(crate) fn return_from_call(&mut self, lanes: LaneMask) -> Option<usize> {
        let depth = self.stack.iter().rposition(|entry| matches!(entry, Entry::Call(_)))?;
        self.parked |= lanes;
        self.returned |= lanes;
        let Entry::Call(scope) = &self.stack[depth] else { return None };
        let waiting = scope.exec.without(scope.parked).without(self.returned);
        if !waiting.is_empty() {
            return None;
        }
        let scope = scope.clone();
        self.close_above(depth);
        self.stack.pop();
        self.num_calls -= 1;
        (self.exec, self.parked, self.returned) = (scope.exec, scope.parked, scope.returned);
        Some(scope.return_to)
    }

    fn open_scope(&mut self, return_to: usize, counter: Option<Counter>) -> Scope {
        Scope {
            exec: self.exec,
            parked: self.parked,
            returned: self.returned,
            continued: LaneMask::EMPTY,
            return_to,
            counter,
        }
    }

    fn leave_loop(&mut self) {
        if let Some(Entry::Loop(scope)) = self.stack.pop() {
            self.num_loops -= 1;
            self.exec = scope.exec;
            self.parked = scope.parked | self.returned;
        }
    }

    fn innermost_loop(&mut self) -> Result<&mut Scope, Fault> {
        self.stack
            .iter_mut()
            .rev()
            .find_map(|entry| match entry {
                Entry::Loop(scope) => Some(scope),
                Entry::Branch(_) | Entry::Call(_) => None,
            })
            .ok_or(Fault::BreakOutsideLoop)
    }

    /// Drops the entries above `depth` without restoring their masks.
    fn close_above(&mut self, depth: usize) {
        for entry in self.stack.drain(depth + 1..) {
            match entry {
                Entry::Branch(_) => self.num_branches -= 1,
                Entry::Loop(_) => self.num_loops -= 1,
                Entry::Call(_) => self.num_calls -= 1,
            }
        }
    }

    fn check_depth(&mut self) -> Result<(), Fault> {
        let rules = self.rules;
        let in_branch = if self.num_branches > 0 { rules.reserved_in_branch } else { 0 };
        let elements = self.num_loops * rules.entry_elements
            + self.num_calls * rules.call_elements
            + self.num_branches
            + rules.reserved
            + in_branch;
        let needed = elements.div_ceil(4);
        self.deepest = self.deepest.max(needed);
        if needed > rules.declared {
            return Err(Fault::StackOverflow { needed, declared: rules.declared });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::{Flow, StackRules};
    use crate::error::Fault;
    use crate::lanes::LaneMask;

    fn flow(declared: u32) -> Flow {
        let rules = StackRules {
            entry_elements: 4,
            call_elements: 1,
            reserved: 0,
            reserved_in_branch: 2,
            declared,
        };
        Flow::new(LaneMask::first(4), rules)
    }

    #[test]
    fn both_sides_of_a_branch_run_and_join() {
        let mut flow = flow(4);
        flow.push().unwrap();
        flow.deactivate(LaneMask::from_bits(0b0011));
        assert_eq!(flow.active().bits(), 0b1100);
        flow.flip().unwrap();
        assert_eq!(flow.active().bits(), 0b0011);
        flow.pop(1).unwrap();
        assert_eq!(flow.active().bits(), 0b1111);
    }

    #[test]
    fn a_lane_that_broke_stays_inactive_after_else_and_pop() {
        let mut flow = flow(4);
        flow.enter_loop(None).unwrap();
        flow.push().unwrap();
        flow.deactivate(LaneMask::from_bits(0b1110));
        flow.break_loop(flow.active()).unwrap();
        assert_eq!(flow.close_deserted_loop(), Ok(false));
        flow.flip().unwrap();
        assert_eq!(flow.active().bits(), 0b1110);
        flow.pop(1).unwrap();
        assert_eq!(flow.active().bits(), 0b1110);
        assert_eq!(flow.end_iteration(), Ok(true));
        assert_eq!(flow.active().bits(), 0b1110);
        flow.break_loop(flow.active()).unwrap();
        assert_eq!(flow.close_deserted_loop(), Ok(true));
        assert_eq!(flow.end_iteration(), Ok(false));
        assert_eq!(flow.active().bits(), 0b1111);
    }

    #[test]
    fn a_lane_that_continued_resumes_at_the_end_of_the_iteration() {
        let mut flow = flow(4);
        flow.enter_loop(None).unwrap();
        flow.continue_loop(LaneMask::from_bits(0b0001)).unwrap();
        assert_eq!(flow.active().bits(), 0b1110);
        assert_eq!(flow.end_iteration(), Ok(true));
        assert_eq!(flow.active().bits(), 0b1111);
    }

    #[test]
    fn a_return_inside_a_loop_outlasts_the_loop() {
        let mut flow = flow(4);
        flow.call(7).unwrap();
        flow.enter_loop(None).unwrap();
        assert_eq!(flow.return_from_call(LaneMask::from_bits(0b0001)), None);
        flow.break_loop(flow.active()).unwrap();
        assert_eq!(flow.end_iteration(), Ok(false));
        assert_eq!(flow.active().bits(), 0b1110);
        assert_eq!(flow.return_from_call(flow.active()), Some(7));
        assert_eq!(flow.active().bits(), 0b1111);
    }

    #[test]
    fn a_stack_that_is_one_too_small_overflows() {
        let mut flow = flow(1);
        flow.push().unwrap();
        flow.push().unwrap();
        assert_eq!(flow.push(), Err(Fault::StackOverflow { needed: 2, declared: 1 }));
    }
}
