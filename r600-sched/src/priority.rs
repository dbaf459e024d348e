//! Which of the ready operations come first.

use crate::Urgency;
use crate::fetches::FetchPlan;
use crate::progress::Progress;
use crate::ready::{By, First, Order};
use crate::registers::Registers;
use r600_mir::Op;

/// The first of the ready ALU operations, in order. Registers are short where `is_pressed`: then values end before new ones
/// begin.
pub(crate) fn order(progress: &Progress<'_>, is_pressed: bool, urgency: Urgency) -> Order {
    let (first, by) = match (is_pressed, urgency) {
        (true, Urgency::ScarceFirst) => (First::Ending, By::Urgency),
        // In program order values are mostly used soon after they are made.
        (true, Urgency::Height) => (First::Ending, By::Position),
        (false, _) => (First::Needed, By::Urgency),
    };
    progress.alu.order(first, by, progress.horizon())
}

/// Notes which of the ready operations come first now, as far as that is new.
///
/// An operation comes to end more values than it begins when it becomes ready, or while it is when it is left as the only
/// reader of a value. What writes the values that it writes comes before or after it, so that it stays so.
pub(crate) fn note_first(
    progress: &mut Progress<'_>,
    plan: &FetchPlan,
    registers: &mut Registers<'_>,
) {
    while let Some(at) = progress.alu.next_fresh() {
        if plan.needs(at) {
            progress.alu.prefer(First::Needed, at);
        }
        if is_ending(progress, registers, at) {
            progress.alu.prefer(First::Ending, at);
        }
    }
    while let Some((op, place)) = registers.next_last_reader() {
        if let Some(at) = progress.ready_at(op, place)
            && is_ending(progress, registers, at)
        {
            progress.alu.prefer(First::Ending, at);
        }
    }
}

/// Whether `at` comes first while registers are short.
fn is_ending(progress: &Progress<'_>, registers: &Registers<'_>, at: u32) -> bool {
    // What takes three slots finds them only before others are there.
    let is_wide = matches!(progress.op(at), Op::Replicated(_));
    registers.counts_ends() && (is_wide || registers.effect_of(progress.id(at)) < 0)
}
