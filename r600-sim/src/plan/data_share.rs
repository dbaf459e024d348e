//! Operations of local memory and the global data share.

/// An operation on a dword (or less) of shared memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LdsOp {
    pub(crate) effect: Effect,
    /// Whether the old value is returned.
    pub(crate) returns: bool,
    /// Dwords between the two places of the two-dword forms.
    pub(crate) offset: u32,
}

/// Effect of an operation on memory.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effect {
    /// New value from the old one and two data operands.
    Update(fn(u32, u32, u32) -> u32),
    /// Stores the low `bytes` bytes.
    Store { bytes: u32 },
    /// Reads `bytes` bytes.
    Read { bytes: u32, is_signed: bool },
    /// Exchanges or stores two dwords.
    WritePair(SecondPlace),
    /// Reads two dwords.
    ReadPair(SecondPlace),
    /// Reads one dword and stores the third operand at the address in the second.
    ReadWrite,
}

/// Address of the second dword of the two-dword forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SecondPlace {
    /// The operation's offset in dwords after the first.
    Relative,
    /// 64 times the offset after the first.
    Strided,
    /// At the address in the second operand.
    Addressed,
}
