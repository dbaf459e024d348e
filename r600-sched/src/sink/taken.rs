//! Which slots are taken. There may be thousands of full groups between an operation and its reader.

use std::ops::RangeInclusive;

use r600_isa::Slot;

/// Steps at which a slot is known to be taken. Such a slot stays taken.
#[derive(Debug)]
pub(super) struct Taken {
    /// For each step and slot, an earlier step, after which the slot is taken at every step up to this one; the step
    /// itself if that is unknown.
    before: Vec<[u32; Slot::ALL.len()]>,
}

impl Taken {
    /// No knowledge about `num_steps` steps.
    pub(super) fn none(num_steps: u32) -> Self {
        Self { before: (0..num_steps).map(|step| [step; Slot::ALL.len()]).collect() }
    }

    /// The last of `steps` for which `is_free` holds. It must never begin to hold for a step for which it failed.
    pub(super) fn last_free(
        &mut self,
        slot: Slot,
        steps: RangeInclusive<u32>,
        is_free: impl Fn(u32) -> bool,
    ) -> Option<u32> {
        let slot = slot as usize;
        let mut at = *steps.end();
        while at >= *steps.start() {
            let before = self.before[at as usize][slot];
            if before != at {
                // Path halving: the next search follows half as many links.
                let next = self.before[before as usize][slot];
                self.before[at as usize][slot] = next;
                at = next;
            } else if is_free(at) {
                return Some(at);
            } else {
                at = at.checked_sub(1)?;
                self.before[at as usize + 1][slot] = at;
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn full_groups_are_looked_at_once() {
        let mut taken = Taken::none(1000);
        let num_asked = Cell::new(0);
        let mut last = |steps, free: &[u32]| {
            num_asked.set(0);
            let step = taken.last_free(Slot::Y, steps, |step| {
                num_asked.set(num_asked.get() + 1);
                free.contains(&step)
            });
            (step, num_asked.get())
        };
        assert_eq!(last(900..=999, &[7]), (None, 100));
        assert_eq!(last(800..=999, &[7]), (None, 100));
        assert_eq!(last(0..=999, &[7]), (Some(7), 793));
        assert_eq!(last(0..=999, &[7]), (Some(7), 1));
        assert_eq!(last(0..=999, &[]), (None, 8));
        assert_eq!(last(0..=5, &[]), (None, 1));
    }
}
