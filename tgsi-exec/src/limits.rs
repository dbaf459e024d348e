//! What a run may take: bounds on work and memory, whatever the shader asks for.

/// Instructions that a quad may take where nothing else is wanted.
pub const STEP_LIMIT: u64 = 1_000_000;

/// What a run may take; the step limit is given with each run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Limit of bytes for the registers of a quad; 16 MiB by default.
    pub memory: usize,
    /// Calls within calls; 32 by default.
    pub calls: usize,
    /// Vertices that a run may emit where the shader sets no limit of its own; 65,536 by default.
    pub vertices: usize,
    /// Registers that the vertices of a run may have together; 4,194,304 by default.
    pub vertex_registers: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 1 << 24, calls: 32, vertices: 65_536, vertex_registers: 1 << 22 }
    }
}
