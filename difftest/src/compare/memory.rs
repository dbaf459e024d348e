//! Compares what is left in buffers and images, which all lanes share.

use std::collections::{BTreeMap, BTreeSet};

use tgsi_exec::Tolerance;

use crate::scene::{Change, Changes, Place};
use crate::uncompared::Cause;

use super::lanes::is_same;
use super::mismatch::Mismatch;
use super::tally::Tally;

/// How far words of memory may lie from those of the plain run.
#[derive(Clone, Debug, Default)]
pub(super) struct MemoryEnvelope {
    /// Of the words on which runs disagree.
    tolerance: BTreeMap<Place, Tolerance>,
    /// Whether anything goes everywhere.
    is_open: bool,
}

impl MemoryEnvelope {
    /// Lets anything go.
    pub(super) fn free(&mut self) {
        self.is_open = true;
    }

    /// Takes in another run.
    pub(super) fn widen(&mut self, plain: &Changes, run: &Changes) {
        for (place, [plain, other]) in both(plain, run).filter(|(_, [a, b])| a != b) {
            self.tolerance.entry(place).or_default().widen(plain, other);
        }
    }

    /// Lets anything go in the words in which a run in another order differs.
    pub(super) fn free_differing(&mut self, plain: &Changes, run: &Changes) {
        for (place, _) in both(plain, run).filter(|(_, [a, b])| a != b) {
            self.tolerance.insert(place, Tolerance::Open);
        }
    }

    /// Compares what a program leaves.
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

/// Whether a program leaves the words of a run.
pub(super) fn has_words(run: &Changes, got: &Changes) -> bool {
    both(run, got).all(|(_, [want, got])| is_same(got, want))
}

/// The words that either has changed, as each has them.
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
