//! A value in a run.

/// 32 bits, and whether they are undefined.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) bits: u32,
    /// Whether the bits are undefined.
    pub(super) open: bool,
    /// Whether a NaN may be of any kind.
    pub(super) kind_is_open: bool,
}

impl Word {
    /// An unwritten value, which is undefined.
    pub(super) const UNWRITTEN: Self = Self { bits: 0x4f12_3456, open: true, kind_is_open: false };

    /// The word as an operand with these modifiers.
    pub(super) fn modified(self, abs: bool, neg: bool) -> Self {
        const SIGN: u32 = 1 << 31;
        let bits = if abs { self.bits & !SIGN } else { self.bits };
        Self { bits: if neg { bits ^ SIGN } else { bits }, ..self }
    }

    pub(super) fn of(bits: u32) -> Self {
        Self { bits, open: false, kind_is_open: false }
    }
}
