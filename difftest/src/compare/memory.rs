//! Compares the final contents of buffers and images, which all lanes share.

use std::collections::{BTreeMap, BTreeSet};

use tgsi_exec::Tolerance;

use crate::scene::{Change, Changes, Place};
use crate::uncompared::Cause;

use super::lanes::is_same;
use super::mismatch::Mismatch;
use super::tally::Tally;

/// How far words of memory may differ from those of the plain run.
#[derive(Clone, Debug, Default)]
pub(super) struct MemoryEnvelope {
    /// Tolerances of the words on which runs disagree.
    tolerance: BTreeMap<Place, Tolerance>,
    /// Whether all of memory is unconstrained.
    is_open: bool,
}

impl MemoryEnvelope {
    /// Leaves all of memory unconstrained.
    pub(super) fn free(&mut self) {
        self.is_open = true;
    }

    /// Adds another run.
    pub(super) fn widen(&mut self, plain: &Changes, run: &Changes) {
        for (place, [plain, other]) in both(plain, run).filter(|(_, [a, b])| a != b) {
            self.tolerance.entry(place).or_default().widen(plain, other);
        }
    }

    /// Leaves the words unconstrained that differ in a run in another order.
    pub(super) fn free_differing(&mut self, plain: &Changes, run: &Changes) {
        for (place, _) in both(plain, run).filter(|(_, [a, b])| a != b) {
            self.tolerance.insert(place, Tolerance::Open);
        }
    }

    /// Compares the final memory of a program.
    pub(super) fn check(&self, plain: &Changes, got: &Changes) -> Result<Tally, Mismatch> {
        let mut tally = Tally::default();
        for (place, [want, got]) in both(plain, got) {
            let allowed = self.tolerance.get(&place).copied().unwrap_or_default();
            if is_same(got, want) || allowed.allows_nan(got, want) {
                tally.exact += 1;
            } else if self.is_open || allowed == Tolerance::Open {
                tally.open.add(Cause::Memory, 1);
            } else if allowed.allows(got, want) {
                tally.near += 1;
            } else {
                return Err(Mismatch::Memory { place, want, got });
            }
        }
        Ok(tally)
    }
}

/// Whether a program leaves the same words as a run.
pub(super) fn has_words(run: &Changes, got: &Changes) -> bool {
    both(run, got).all(|(_, [want, got])| is_same(got, want))
}

/// The words that either run has changed, with both values.
fn both<'a>(a: &'a Changes, b: &'a Changes) -> impl Iterator<Item = (Place, [u32; 2])> + 'a {
    let places: BTreeSet<Place> = a.keys().chain(b.keys()).copied().collect();
    let word = |own: Option<&Change>, other: Option<&Change>| {
        own.map(|change| change.after).or(other.map(|change| change.before)).unwrap_or_default()
    };
    places.into_iter().map(move |place| {
        let [a, b] = [a, b].map(|changes| changes.get(&place));
        (place, [word(a, b), word(b, a)])
    })
}
