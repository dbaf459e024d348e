//! Sets of small numbers, read in order.

/// A set of numbers below a limit.
#[derive(Clone, Debug)]
pub(crate) struct BitSet {
    words: Vec<u64>,
}

impl BitSet {
    /// The empty set of numbers below `limit`.
    pub(crate) fn new(limit: usize) -> Self {
        Self { words: vec![0; limit.div_ceil(64)] }
    }

    /// Takes in `number`.
    pub(crate) fn insert(&mut self, number: u32) {
        self.words[number as usize / 64] |= 1 << (number % 64);
    }

    /// Takes out `number`.
    pub(crate) fn remove(&mut self, number: u32) {
        self.words[number as usize / 64] &= !(1 << (number % 64));
    }

    /// Whether `number` is in the set.
    pub(crate) fn contains(&self, number: u32) -> bool {
        self.words[number as usize / 64] >> (number % 64) & 1 != 0
    }

    /// The numbers of the set, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = u32> {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
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
}
