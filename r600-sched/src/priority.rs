//! Which of the ready operations come first.

use arrayvec::ArrayVec;

use crate::Urgency;
use crate::fetches::FetchPlan;
use crate::progress::Progress;
use crate::registers::Registers;
use r600_mir::Op;

/// Ready operations looked at for one group.
pub(crate) const MAX_TRIED: usize = 40;

/// Ready operations in the order in which they are tried.
pub(crate) type Order = ArrayVec<u32, MAX_TRIED>;

/// What decides about the order.
pub(crate) struct Ranking<'a, 'f> {
    pub(crate) plan: &'a FetchPlan,
    pub(crate) registers: &'a Registers<'f>,
    /// Whether registers are short: then values end before new ones begin.
    pub(crate) is_pressed: bool,
    pub(crate) urgency: Urgency,
}

impl Ranking<'_, '_> {
    /// The first of the ready ALU operations, in order.
    pub(crate) fn order(&self, progress: &Progress<'_>) -> Order {
        let urgent = progress.alu.by_urgency().filter(|&at| progress.is_near(at));
        if self.is_pressed {
            // In program order values are mostly used soon after they are made.
            let ends = |at: u32| self.registers.effect_of(progress.id(at)) < 0;
            // What takes three slots finds them only before others are there.
            let is_wide = |at: u32| matches!(progress.op(at), Op::Replicated(_));
            let is_first = |&at: &u32| is_wide(at) || ends(at);
            if self.urgency == Urgency::ScarceFirst {
                return partitioned(urgent, is_first);
            }
            let near = progress.alu.in_order().take_while(|&at| progress.is_near(at));
            return partitioned(near, is_first);
        }
        partitioned(urgent, |&at| self.plan.needs(at))
    }
}

/// As many of `all` as are tried: first those for which `is_first` holds.
fn partitioned(all: impl Iterator<Item = u32>, is_first: impl Fn(&u32) -> bool) -> Order {
    let (mut first, mut rest) = (Order::new(), Order::new());
    for at in all {
        let list = if is_first(&at) { &mut first } else { &mut rest };
        // What comes after so many is not tried.
        let _ = list.try_push(at);
        if first.is_full() {
            break;
        }
    }
    rest.truncate(MAX_TRIED - first.len());
    first.extend(rest);
    first
}
