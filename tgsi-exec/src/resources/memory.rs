//! Buffers and memory.

/// An address space.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// `BUFFER[n]`.
    Buffer(u32),
    /// The shared memory of a work group. Every `MEMORY[n]` that is declared `SHARED`, or not declared, starts at its
    /// first byte.
    Shared,
    /// `MEMORY[n]` that is declared `GLOBAL` or `INPUT`.
    Memory(u32),
    /// `MEMORY[n]`, private to one invocation: a lane of the quad.
    Private(u32, u8),
    /// The counters `HWATOMIC[n]`.
    HardwareAtomic(u32),
    /// Constant buffer `n`, as `LOAD` sees it; `None` builds it from the constants.
    Constants(u32),
}
