//! Restarts with randomised priorities.
//!
//! A list scheduler never undoes a placement, and operations of equal priority come in program order. Noise makes each
//! attempt take another path. The best of many beats every tie-breaking rule that was tried.

use r600_sched::{Options, Urgency};

use crate::error::Stop;

use super::{Choice, Search};

/// Operations that all attempts together may place: about a tenth of a second.
const WORK: usize = 96_000;

/// The least limit on live values that is tried.
const LEAST_LIMIT: u32 = 2;

/// Attempts of [`shorten`].
const FEW: u32 = 4;

/// Number of operations below which noise hardly ever helps.
const SMALL: usize = 16;

/// The best of `best` and a few attempts with noise. An attempt stops as soon as it cannot be shorter than the best.
pub(super) fn shorten(search: &Search<'_>, mut best: Choice) -> Result<Choice, Stop> {
    if search.machine.ops.len() < SMALL {
        return Ok(best);
    }
    for number in 0..FEW {
        if search.is_shortest(&best) {
            break;
        }
        best = search.shorten(best, None, &Options::SHORT.noise(Some(number)))?;
    }
    Ok(best)
}

/// The cheapest of `best` and at most `most` attempts with noise, fewer for a large function. Every second attempt has
/// a limit on live values; the limits cycle up to the number of registers of `best`.
pub(super) fn search(search: &Search<'_>, mut best: Choice, most: u32) -> Result<Choice, Stop> {
    let num_ops = search.machine.ops.len().max(1);
    let count = u32::try_from(WORK / num_ops).unwrap_or(most).min(most);
    for number in 0..count {
        let is_limited = number % 2 == 1;
        let pressure = is_limited.then(|| LEAST_LIMIT + number / 2 % num_limits(&best));
        // With a limit, `Height` uses program order while registers are short, and noise has no effect on that order.
        let is_noisy_always = number % 4 >= 2;
        let urgency = if is_noisy_always { Urgency::ScarceFirst } else { Urgency::Height };
        let options = Options::SHORT.pressure(pressure).urgency(urgency).noise(Some(number));
        best = search.improve(best, &options)?;
    }
    Ok(best)
}

/// How many limits could make a difference.
fn num_limits(best: &Choice) -> u32 {
    best.allocation.as_ref().map_or(1, |found| u32::from(found.num_gprs)).max(LEAST_LIMIT)
}
