//! Ordered sets of small integers.

/// A set of integers below a limit.
///
/// Members at any one time are mostly close together, so only words between the first and the last are scanned, however
/// high the limit is.
#[derive(Clone, Debug)]
pub(crate) struct BitSet {
    words: Vec<u64>,
    /// The range of words that may be nonzero, both ends inclusive.
    first: usize,
    last: usize,
}

impl BitSet {
    /// The empty set of numbers below `limit`.
    pub(crate) fn new(limit: usize) -> Self {
        Self { words: vec![0; limit.div_ceil(64)], first: 0, last: 0 }
    }

    /// Inserts `number`.
    pub(crate) fn insert(&mut self, number: u32) {
        let at = number as usize / 64;
        self.words[at] |= 1 << (number % 64);
        self.first = self.first.min(at);
        self.last = self.last.max(at);
    }

    /// Removes `number`.
    pub(crate) fn remove(&mut self, number: u32) {
        self.words[number as usize / 64] &= !(1 << (number % 64));
        while self.first < self.last && self.words[self.first] == 0 {
            self.first += 1;
        }
        while self.first < self.last && self.words[self.last] == 0 {
            self.last -= 1;
        }
    }

    /// Removes all numbers.
    pub(crate) fn clear(&mut self) {
        self.words.get_mut(self.first..=self.last).unwrap_or_default().fill(0);
        self.last = self.first;
    }

    /// Whether `number` is in the set.
    pub(crate) fn contains(&self, number: u32) -> bool {
        self.words[number as usize / 64] >> (number % 64) & 1 != 0
    }

    /// The numbers of the set, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        let words = self.words.get(self.first..=self.last).unwrap_or_default();
        words.iter().zip(self.first..).flat_map(|(&word, at)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let bit = rest.trailing_zeros();
                // Clears the lowest bit; with none left, `bit` is past the word.
                rest &= rest.wrapping_sub(1);
                (bit < 64).then_some(64 * at as u32 + bit)
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::BitSet;

    #[test]
    fn numbers_come_in_order() {
        let mut set = BitSet::new(130);
        for number in [129, 0, 64, 63, 5] {
            set.insert(number);
        }
        set.remove(5);
        assert!(set.contains(64) && !set.contains(5));
        assert_eq!(set.iter().collect::<Vec<_>>(), [0, 63, 64, 129]);
    }

    #[test]
    fn words_at_both_ends_come_and_go() {
        let mut set = BitSet::new(1000);
        assert_eq!(set.iter().count(), 0);
        for number in [500, 999, 0] {
            set.insert(number);
        }
        set.remove(0);
        set.remove(999);
        assert_eq!(set.iter().collect::<Vec<_>>(), [500]);
        set.insert(3);
        set.insert(700);
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 500, 700]);
        [3, 500, 700].into_iter().for_each(|number| set.remove(number));
        assert_eq!(set.iter().count(), 0);
        set.insert(64);
        assert_eq!(set.iter().collect::<Vec<_>>(), [64]);
    }
}
