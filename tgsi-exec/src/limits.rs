//! Limits of a run: bounds on work and memory for any shader.

/// The default number of instructions that a quad may execute.
pub const STEP_LIMIT: u64 = 1_000_000;

/// The limits of a run; the step limit is given with each run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Limits {
    /// Bytes for the registers of a quad; 16 MiB by default.
    pub memory: usize,
    /// Nesting depth of calls; 32 by default.
    pub calls: usize,
    /// Vertices that a run may emit if the shader sets no limit of its own; 65,536 by default.
    pub vertices: usize,
    /// Total number of registers of all vertices of a run; 4,194,304 by default.
    pub vertex_registers: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: 1 << 24, calls: 32, vertices: 65_536, vertex_registers: 1 << 22 }
    }
}
