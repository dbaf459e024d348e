//! Execution counters.

/// Execution counters of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Control flow instructions executed.
    pub control_flow: u64,
    /// ALU clauses executed.
    pub alu_clauses: u64,
    /// ALU groups executed by the wavefront.
    pub groups: u64,
    /// ALU groups times the lanes that were active in them.
    pub group_lanes: u64,
    /// Filled slots executed.
    pub slots: u64,
    /// Fetch clauses executed.
    pub fetch_clauses: u64,
    /// Texture instructions executed.
    pub texture_fetches: u64,
    /// Vertex and other buffer fetches executed.
    pub buffer_fetches: u64,
    /// Exports and memory writes executed.
    pub exports: u64,
    /// The most branch stack entries in use.
    pub stack_entries: u32,
    /// Registers that the program declares.
    pub gprs: u32,
}
