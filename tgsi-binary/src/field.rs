//! Bit fields of words.

/// Consecutive bits of a word, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// Word and field, for messages.
    pub(crate) name: &'static str,
    pub(crate) lo: u8,
    pub(crate) hi: u8,
}

impl Field {
    const fn max(self) -> u32 {
        u32::MAX >> (31 - (self.hi - self.lo))
    }

    /// The field's bits of `word`.
    pub(crate) const fn get(self, word: u32) -> u32 {
        word >> self.lo & self.max()
    }

    /// Whether a one-bit field is set.
    pub(crate) const fn flag(self, word: u32) -> bool {
        self.get(word) != 0
    }

    /// A 16-bit field with sign.
    pub(crate) const fn signed(self, word: u32) -> i16 {
        self.get(word) as i16
    }

    /// `value` in place; `None` when it does not fit.
    pub(crate) fn put(self, value: u32) -> Option<u32> {
        (value <= self.max()).then_some(value << self.lo)
    }
}
