//! Finds the merge point of a branch without a merge instruction of its own.

use std::collections::HashSet;

use crate::binary::Id;
use crate::error::{Fault, invalid};

use super::Translator;
use super::flow::targets;

/// Number of steps between blocks that count as the work of one instruction.
const STEPS_OF_WORK: usize = 8;

impl Translator<'_> {
    /// The block where the two sides of a branch meet. The branch has no merge instruction of its own, because that of
    /// its block belongs to a loop. `None` if a side leaves immediately, or if the sides meet only at the end of the
    /// region or the iteration.
    pub(super) fn join(
        &mut self,
        on_true: Id,
        on_false: Id,
        stop: Option<Id>,
    ) -> Result<Option<Id>, Fault> {
        if self.is_exit(on_true, stop)? || self.is_exit(on_false, stop)? {
            return Ok(None);
        }
        let [one, other] =
            [self.reached(on_true, stop, None)?, self.reached(on_false, stop, None)?];
        let other: HashSet<Id> = other.into_iter().collect();
        // The sides meet in the first block of this list, since every path to the others passes through it.
        let both: Vec<Id> = one.into_iter().filter(|block| other.contains(block)).collect();
        let Some(&meeting) = both.first() else { return Ok(None) };
        let both: HashSet<Id> = both.into_iter().collect();
        for side in [on_true, on_false] {
            let before = self.reached(side, stop, Some(meeting))?;
            if before.iter().any(|block| both.contains(block)) {
                let text = "the sides of a branch without a merge instruction meet twice";
                return Err(invalid(text));
            }
        }
        Ok(Some(meeting))
    }

    /// The blocks reachable from `from`, in topological order except for loops. Stops at `without` and at blocks
    /// outside the region or the iteration.
    fn reached(
        &mut self,
        from: Id,
        stop: Option<Id>,
        without: Option<Id>,
    ) -> Result<Vec<Id>, Fault> {
        let mut done = Vec::new();
        let mut seen = HashSet::new();
        let mut open = vec![(from, false)];
        let mut num_steps = 0;
        while let Some((id, is_done)) = open.pop() {
            num_steps += 1;
            if is_done {
                done.push(id);
                continue;
            }
            if without == Some(id) || self.is_exit(id, stop)? || !seen.insert(id) {
                continue;
            }
            open.push((id, true));
            open.extend(targets(self.block(id)?.end).into_iter().map(|target| (target, false)));
        }
        // A function with many such branches is traversed once for each of them.
        self.code.add_work(1 + num_steps / STEPS_OF_WORK);
        self.check_size()?;
        done.reverse();
        Ok(done)
    }
}
