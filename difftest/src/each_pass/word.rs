//! What a value is in a run.

/// 32 bits, and what is not said about them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) bits: u32,
    /// Whether a pass may make anything of them.
    pub(super) open: bool,
    /// Whether, if they are a NaN, it may be any.
    pub(super) kind_is_open: bool,
}

impl Word {
    /// What nothing has been written to: nothing is said about it.
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
