//! Finds the merge point of a branch without a merge instruction of its own.

use std::collections::HashSet;

use crate::binary::Id;
use crate::error::{Fault, invalid};

use super::Translator;
use super::flow::targets;

/// Steps from block to block that take as long as an instruction does.
const STEPS_OF_WORK: usize = 8;

impl Translator<'_> {
    /// The block in which both sides of a branch meet. The branch has no merge instruction of its own, because that of
    /// its block belongs to a loop. `None` if a side leaves at once, or if they meet only at the end of the region or
    /// the iteration.
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
        // All paths to the others lead through the block in which they meet, so it comes first.
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

    /// The blocks reachable from `from`, in topological order except for loops. Excludes the blocks by which control
    /// leaves, and `without` and what follows it.
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
        // A function with many such branches is traversed once for each.
        self.code.add_work(1 + num_steps / STEPS_OF_WORK);
        self.check_size()?;
        done.reverse();
        Ok(done)
    }
}
