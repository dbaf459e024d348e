//! Which of the ready operations come first.

use crate::fetches::FetchPlan;
use crate::progress::Progress;
use crate::registers::Registers;

/// What decides about the order.
pub(crate) struct Ranking<'a, 'f> {
    pub(crate) plan: &'a FetchPlan,
    pub(crate) registers: &'a Registers<'f>,
    /// Whether registers are short: then values end before new ones begin.
    pub(crate) is_pressed: bool,
}

/// Smaller comes first.
type Key = (i32, i32, u32);

impl Ranking<'_, '_> {
    /// The ready ALU operations in order, the first `count` of them.
    pub(crate) fn order(&self, progress: &Progress<'_>, count: usize) -> Vec<u32> {
        let near = progress.alu.iter().filter(|&&at| progress.is_near(at));
        let mut keys: Vec<Key> = near.map(|&at| self.key(progress, at)).collect();
        if keys.len() > count {
            keys.select_nth_unstable(count);
            keys.truncate(count);
        }
        keys.sort_unstable();
        keys.into_iter().map(|(_, _, at)| at).collect()
    }

    fn key(&self, progress: &Progress<'_>, at: u32) -> Key {
        if self.is_pressed {
            let effect = self.registers.effect_of(progress.op(at));
            // In program order values are mostly used soon after they are made.
            return (i32::from(effect >= 0), at as i32, at);
        }
        let height = progress.graph().height[at as usize] as i32;
        (i32::from(!self.plan.needs(at)), -height, at)
    }
}
