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

/// Attempts for a function that gets no others.
const FEW: u32 = 4;

/// Operations below which noise finds next to nothing.
const SMALL: usize = 16;

/// The best of `best` and a few attempts with noise, which are given up as soon as they are no shorter.
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

/// The cheapest of `best` and so many attempts with noise, or fewer for a large function. Every second has a limit on
/// live values, each in turn up to the number of registers that `best` has.
pub(super) fn search(search: &Search<'_>, mut best: Choice, most: u32) -> Result<Choice, Stop> {
    let num_ops = search.machine.ops.len().max(1);
    let count = u32::try_from(WORK / num_ops).unwrap_or(most).min(most);
    for number in 0..count {
        let is_limited = number % 2 == 1;
        let pressure = is_limited.then(|| LEAST_LIMIT + number / 2 % num_limits(&best));
        // With a limit the default takes program order where registers are short, in which there is no noise.
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
