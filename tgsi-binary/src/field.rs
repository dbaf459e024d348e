//! Bit fields of words.

/// Consecutive bits of a word. A field that a dialect lacks reads as 0 and can hold only 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Field {
    /// Word and field, for messages.
    pub(crate) name: &'static str,
    lo: u8,
    width: u8,
}

impl Field {
    /// The bits `lo` to `hi`, both included.
    pub(crate) const fn new(name: &'static str, lo: u8, hi: u8) -> Self {
        Self { name, lo, width: hi - lo + 1 }
    }

    /// A field that the dialect lacks.
    pub(crate) const fn absent(name: &'static str) -> Self {
        Self { name, lo: 0, width: 0 }
    }

    /// Whether the dialect has the field.
    pub(crate) const fn exists(self) -> bool {
        self.width != 0
    }

    /// The largest value.
    pub(crate) const fn max(self) -> u32 {
        match self.width {
            0 => 0,
            width => u32::MAX >> (32 - width),
        }
    }

    /// The field's bits, all set.
    pub(crate) const fn bits(self) -> u32 {
        self.max() << self.lo
    }

    /// The same field counted from the other end of the word.
    pub(crate) const fn mirrored(self) -> Self {
        match self.width {
            0 => self,
            width => Self { lo: 32 - self.lo - width, ..self },
        }
    }

    /// The field's bits of `word`.
    #[inline]
    pub(crate) const fn get(self, word: u32) -> u32 {
        word >> self.lo & self.max()
    }

    /// The low byte of the field's bits.
    #[inline]
    pub(crate) const fn byte(self, word: u32) -> u8 {
        self.get(word) as u8
    }

    /// Whether a one-bit field is set.
    #[inline]
    pub(crate) const fn flag(self, word: u32) -> bool {
        self.get(word) != 0
    }

    /// A signed 16-bit field.
    #[inline]
    pub(crate) const fn signed(self, word: u32) -> i16 {
        self.get(word) as i16
    }

    /// The low bits of `value` in place, truncated to the field.
    #[inline]
    pub(crate) const fn cut(self, value: u32) -> u32 {
        (value & self.max()) << self.lo
    }

    /// `value` in place; `None` when it does not fit.
    #[inline]
    pub(crate) const fn put(self, value: u32) -> Option<u32> {
        if value <= self.max() { Some(value << self.lo) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::Field;

    #[test]
    fn fields_accept_values_that_fit() {
        let field = Field::new("a.b", 4, 11);
        assert_eq!(field.put(255), Some(0xFF0));
        assert_eq!(field.put(256), None);
        assert_eq!(field.cut(257), 0x10);
        assert_eq!(field.get(0xABCD), 0xBC);
    }

    #[test]
    fn absent_fields_hold_only_zero() {
        let field = Field::absent("a.b");
        assert_eq!((field.get(u32::MAX), field.bits()), (0, 0));
        assert_eq!((field.put(0), field.put(1)), (Some(0), None));
        assert_eq!(field.mirrored(), field);
    }

    #[test]
    fn mirrored_fields_keep_their_order_of_bits() {
        let field = Field::new("a.b", 4, 11).mirrored();
        assert_eq!(field.get(0x0BC0_0000), 0xBC);
        assert_eq!(field.mirrored(), Field::new("a.b", 4, 11));
        let whole = Field::new("a.b", 0, 31);
        assert_eq!(whole.mirrored(), whole);
    }
}
