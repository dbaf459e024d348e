//! Ready operations, and those among them with priority.

use arrayvec::ArrayVec;

use crate::bits::BitSet;
use crate::ranks::Ranks;

/// The most ready operations considered for one group.
pub(crate) const MAX_TRIED: usize = 40;

/// Ready operations in the order in which they are tried.
pub(crate) type Order = ArrayVec<u32, MAX_TRIED>;

/// How ready operations are sorted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// The most urgent first.
    Urgency,
    /// In program order.
    Position,
}

/// Which ready operations take priority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum First {
    /// Those that end more values than they begin, and those that take many slots.
    Ending,
    /// Those that planned fetches need.
    Needed,
}

/// Operations in two orders.
#[derive(Debug)]
struct Sorted {
    by_rank: BitSet,
    by_position: BitSet,
}

impl Sorted {
    fn new(num_ops: usize) -> Self {
        Self { by_rank: BitSet::new(num_ops), by_position: BitSet::new(num_ops) }
    }

    fn insert(&mut self, ranks: &Ranks, at: u32) {
        self.by_rank.insert(ranks.rank[at as usize]);
        self.by_position.insert(at);
    }

    fn remove(&mut self, ranks: &Ranks, at: u32) {
        self.by_rank.remove(ranks.rank[at as usize]);
        self.by_position.remove(at);
    }

    fn contains(&self, at: u32) -> bool {
        self.by_position.contains(at)
    }
}

/// Ready ALU operations. Those with priority are tracked incrementally: a block may have thousands of ready operations,
/// too many to scan for each group.
#[derive(Debug)]
pub(crate) struct Ready<'a> {
    ranks: &'a Ranks,
    all: Sorted,
    len: usize,
    /// `None` if register pressure is never limited.
    ending: Option<Sorted>,
    /// `None` if there are no fetches.
    needed: Option<Sorted>,
    /// Operations that have not been classified yet.
    fresh: Vec<u32>,
}

impl<'a> Ready<'a> {
    /// The empty set of operations with these `ranks`.
    pub(crate) fn new(ranks: &'a Ranks, may_be_pressed: bool, has_fetches: bool) -> Self {
        let num_ops = ranks.rank.len();
        let sorted = || Sorted::new(num_ops);
        Self {
            ranks,
            all: sorted(),
            len: 0,
            ending: may_be_pressed.then(sorted),
            needed: has_fetches.then(sorted),
            fresh: Vec::new(),
        }
    }

    pub(crate) fn insert(&mut self, at: u32) {
        self.all.insert(self.ranks, at);
        self.len += 1;
        if self.ending.is_some() || self.needed.is_some() {
            self.fresh.push(at);
        }
    }

    /// Removes `at`, which must be in the set.
    pub(crate) fn remove(&mut self, at: u32) {
        self.all.remove(self.ranks, at);
        for first in [&mut self.ending, &mut self.needed].into_iter().flatten() {
            if first.contains(at) {
                first.remove(self.ranks, at);
            }
        }
        self.len -= 1;
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn contains(&self, at: u32) -> bool {
        self.all.contains(at)
    }

    /// The operations in program order.
    pub(crate) fn in_order(&self) -> impl Iterator<Item = u32> {
        self.all.by_position.iter()
    }

    /// Takes an operation that has not been classified.
    pub(crate) fn next_fresh(&mut self) -> Option<u32> {
        while let Some(at) = self.fresh.pop() {
            if self.all.contains(at) {
                return Some(at);
            }
        }
        None
    }

    /// Gives the ready operation `at` the priority `first`.
    pub(crate) fn prefer(&mut self, first: First, at: u32) {
        let set = match first {
            First::Ending => &mut self.ending,
            First::Needed => &mut self.needed,
        };
        if let Some(set) = set {
            set.insert(self.ranks, at);
        }
    }

    /// Resets the priority of operations that feed fetches.
    pub(crate) fn forget_needed(&mut self) {
        if let Some(Sorted { by_rank, by_position }) = &mut self.needed {
            by_rank.clear();
            by_position.clear();
        }
    }

    /// The operations to try, up to [`MAX_TRIED`]: only those before `horizon`, with those of `first` in front.
    pub(crate) fn order(&self, first: First, by: By, horizon: Option<u32>) -> Order {
        let mut order = Order::new();
        let first = match first {
            First::Ending => &self.ending,
            First::Needed => &self.needed,
        };
        if let Some(first) = first {
            self.fill(&mut order, first, (by, horizon), |_| true);
        }
        let is_other = |at: u32| first.as_ref().is_none_or(|first| !first.contains(at));
        self.fill(&mut order, &self.all, (by, horizon), is_other);
        order
    }

    /// Adds the `wanted` members of `set` to `order` while it has room.
    fn fill(
        &self,
        order: &mut Order,
        set: &Sorted,
        (by, horizon): (By, Option<u32>),
        wanted: impl Fn(u32) -> bool,
    ) {
        let room = order.remaining_capacity();
        let is_near = |at: &u32| horizon.is_none_or(|horizon| *at < horizon);
        let at_rank = |rank: u32| self.ranks.order[rank as usize];
        match by {
            _ if room == 0 => {}
            By::Urgency if horizon.is_none() => {
                let all = set.by_rank.iter().map(at_rank);
                order.extend(all.filter(|&at| wanted(at)).take(room));
            }
            // Few operations are before the horizon.
            By::Urgency => {
                let near = set.by_position.iter().take_while(is_near).filter(|&at| wanted(at));
                let mut ranks: Vec<u32> = near.map(|at| self.ranks.rank[at as usize]).collect();
                ranks.sort_unstable();
                order.extend(ranks.into_iter().map(at_rank).take(room));
            }
            By::Position => {
                let near = set.by_position.iter().take_while(is_near);
                order.extend(near.filter(|&at| wanted(at)).take(room));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The order of operations that are all ready; those at `ending` end values.
    fn order(keys: &[u32], ending: &[u32], by: By, horizon: Option<u32>) -> Vec<u32> {
        let ranks = Ranks::by_key(keys);
        let mut ready = Ready::new(&ranks, true, true);
        (0..keys.len() as u32).for_each(|at| ready.insert(at));
        ending.iter().for_each(|&at| ready.prefer(First::Ending, at));
        ready.order(First::Ending, by, horizon).to_vec()
    }

    #[test]
    fn what_comes_first_is_sorted_as_the_rest_is() {
        let keys = [5, 4, 3, 2, 1, 0];
        assert_eq!(order(&keys, &[1, 3], By::Position, None), [1, 3, 0, 2, 4, 5]);
        assert_eq!(order(&keys, &[1, 3], By::Urgency, None), [3, 1, 5, 4, 2, 0]);
        assert_eq!(order(&keys, &[1, 3], By::Position, Some(3)), [1, 0, 2]);
        assert_eq!(order(&keys, &[1, 3], By::Urgency, Some(3)), [1, 2, 0]);
        assert_eq!(order(&[0; 50], &[49], By::Urgency, None)[..3], [49, 0, 1]);
        assert_eq!(order(&[0; 50], &[49], By::Urgency, None).len(), MAX_TRIED);
    }

    #[test]
    fn removed_fresh_operations_are_skipped() {
        let ranks = Ranks::by_key(&[0, 0]);
        let mut ready = Ready::new(&ranks, true, false);
        [0, 1].into_iter().for_each(|at| ready.insert(at));
        ready.remove(1);
        assert_eq!([ready.next_fresh(), ready.next_fresh()], [Some(0), None]);
    }
}
