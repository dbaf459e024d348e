//! Buffers and memory.

/// Something that has bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// `BUFFER[n]`.
    Buffer(u32),
    /// What a work group shares: every `MEMORY[n]` that is declared `SHARED`, or not at all, means it from its first byte on.
    Shared,
    /// `MEMORY[n]` that is declared `GLOBAL` or `INPUT`.
    Memory(u32),
    /// `MEMORY[n]`, private to one invocation: the lane of the quad that asks.
    Private(u32, u8),
    /// The counters `HWATOMIC[n]`.
    HardwareAtomic(u32),
    /// Constant buffer `n`, as `LOAD` sees it; without an answer it is made of constants.
    Constants(u32),
}
