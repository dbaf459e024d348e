//! Where slots are taken: between an operation and its reader there may be thousands of full groups.

use std::ops::RangeInclusive;

use r600_isa::Slot;

/// Steps that are known to have a slot taken, and stay so.
#[derive(Debug)]
pub(super) struct Taken {
    /// For each step and slot, a step before it up to which all have the slot taken; itself where that is not known of it.
    before: Vec<[u32; Slot::ALL.len()]>,
}

impl Taken {
    /// Nothing is known of so many steps.
    pub(super) fn none(num_steps: u32) -> Self {
        Self { before: (0..num_steps).map(|step| [step; Slot::ALL.len()]).collect() }
    }

    /// The last of `steps` for which `is_free` holds, which must not come to hold for any of them later.
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
                // The next search takes this way in half as many steps.
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
