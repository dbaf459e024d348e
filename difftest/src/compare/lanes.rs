//! Lanes and channels of results.

use tgsi_exec::{Outcome, Tolerance};

use super::{Exported, Results};

pub(super) fn is_killed(killed: u64, lane: usize) -> bool {
    (killed >> lane) & 1 == 1
}

pub(super) fn channels(exported: &Exported, lane: usize) -> impl Iterator<Item = (usize, u32)> {
    exported[lane].into_iter().enumerate().filter_map(|(channel, bits)| Some((channel, bits?)))
}

pub(super) fn num_channels(results: &Results, lane: usize) -> u64 {
    let of = |(_, exported): &(usize, Exported)| channels(exported, lane).count() as u64;
    if is_killed(results.killed, lane) { 1 } else { results.outputs.iter().map(of).sum() }
}

pub(super) fn has_bits(outcome: &Outcome, results: &Results, lane: usize) -> bool {
    if is_killed(results.killed, lane) || is_killed(outcome.killed.into(), lane) {
        return is_killed(results.killed, lane) == is_killed(outcome.killed.into(), lane);
    }
    results.outputs.iter().all(|(register, exported)| {
        let Some(want) = outcome.outputs.get(*register) else { return true };
        channels(exported, lane).all(|(channel, got)| is_same(got, want[lane][channel]))
    })
}

/// Equality up to the sign of zero. The bits of a NaN may be a negative integer.
pub(super) fn is_same(got: u32, want: u32) -> bool {
    Tolerance::None.allows(got, want)
}
