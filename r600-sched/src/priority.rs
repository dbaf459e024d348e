//! Priorities among ready operations.

use crate::Urgency;
use crate::fetches::FetchPlan;
use crate::progress::Progress;
use crate::ready::{By, First, Order};
use crate::registers::Registers;
use r600_mir::Op;

/// The first ready ALU operations, in order. `is_pressed` means register pressure: values are then ended before new
/// ones are started.
pub(crate) fn order(progress: &Progress<'_>, is_pressed: bool, urgency: Urgency) -> Order {
    let (first, by) = match (is_pressed, urgency) {
        (true, Urgency::ScarceFirst) => (First::Ending, By::Urgency),
        // In program order, values are mostly used soon after they are made.
        (true, Urgency::Height) => (First::Ending, By::Position),
        (false, _) => (First::Needed, By::Urgency),
    };
    progress.alu.order(first, by, progress.horizon())
}

/// Updates which ready operations have priority.
///
/// An operation begins to end more values than it starts at one of two times: when it becomes ready, or later, when it
/// becomes the only remaining reader of a value. This never reverses, because other writers of its results come before
/// or after it.
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

/// Whether `at` has priority under register pressure.
fn is_ending(progress: &Progress<'_>, registers: &Registers<'_>, at: u32) -> bool {
    // An operation of three slots only fits in an empty group.
    let is_wide = matches!(progress.op(at), Op::Replicated(_));
    registers.counts_ends() && (is_wide || registers.effect_of(progress.id(at)) < 0)
}
