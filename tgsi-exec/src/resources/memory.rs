//! Buffers and memory.

/// Something that has bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Space {
    /// `BUFFER[n]`.
    Buffer(u32),
    /// `MEMORY[n]`: shared by a work group, or global.
    Memory(u32),
    /// `MEMORY[n]`, private to one invocation: the lane of the quad that asks.
    Private(u32, u8),
    /// The counters `HWATOMIC[n]`.
    HardwareAtomic(u32),
    /// Constant buffer `n`, as `LOAD` sees it; without an answer it is made of constants.
    Constants(u32),
}
