//! Options of a run.

use r600_isa::HazardSet;

use crate::arith::numerics::Numerics;

/// Options of a launch: numeric mode, missing data and limits.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Denormals and NaN.
    pub numerics: Numerics,
    /// Behaviour of a buffer fetch outside its buffer.
    pub bounds: Bounds,
    /// Maximum number of control flow instructions, groups and fetches executed before the run is aborted.
    pub step_limit: u64,
    /// Maximum number of [events](crate::Event) per wavefront before the run is aborted.
    pub event_limit: usize,
    /// Contents of unwritten registers.
    pub fill: u32,
    /// Semantic number of each attribute register, R1 upward, for semantic fetches.
    pub vertex_semantics: Vec<u8>,
    /// Dwords of local memory.
    pub local_memory_size: usize,
    /// Dwords of the global data share.
    pub global_share_size: usize,
    /// Scratch memory per lane, in vectors.
    pub scratch_size: usize,
    /// Whether a vertex shader may end without exporting a parameter, as the console's do. Desktop drivers export one
    /// that nothing reads.
    pub may_lack_parameters: bool,
    /// Hazards to model; those of other chips have no effect. With
    /// [`StaleVertexCache`](r600_isa::Hazard::StaleVertexCache), vertex fetch clauses read each line as it was when
    /// first read. A group or fetch that does not avoid one of the others stops the program with
    /// [`Fault::Exposed`](crate::Fault::Exposed), as far as `r600-sim/src/plan/hazards.rs` recognises it.
    pub hazards: HazardSet,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            numerics: Numerics::default(),
            bounds: Bounds::default(),
            step_limit: 1_000_000,
            event_limit: 1_048_576,
            fill: 0,
            vertex_semantics: Vec::new(),
            local_memory_size: 8192,
            global_share_size: 16384,
            scratch_size: 256,
            may_lack_parameters: false,
            hazards: HazardSet::NONE,
        }
    }
}

impl Options {
    /// Sets the treatment of denormals and NaN.
    #[must_use]
    pub fn numerics(mut self, numerics: Numerics) -> Self {
        self.numerics = numerics;
        self
    }

    /// Sets the behaviour of fetches outside their buffer.
    #[must_use]
    pub fn bounds(mut self, bounds: Bounds) -> Self {
        self.bounds = bounds;
        self
    }

    /// Sets the step limit.
    #[must_use]
    pub fn step_limit(mut self, step_limit: u64) -> Self {
        self.step_limit = step_limit;
        self
    }

    /// Sets the event limit.
    #[must_use]
    pub fn event_limit(mut self, event_limit: usize) -> Self {
        self.event_limit = event_limit;
        self
    }

    /// Sets the contents of unwritten registers.
    #[must_use]
    pub fn fill(mut self, fill: u32) -> Self {
        self.fill = fill;
        self
    }

    /// Sets the semantic numbers of attribute registers.
    #[must_use]
    pub fn vertex_semantics(mut self, vertex_semantics: Vec<u8>) -> Self {
        self.vertex_semantics = vertex_semantics;
        self
    }

    /// Sets whether vertex shaders may end without a parameter.
    #[must_use]
    pub fn may_lack_parameters(mut self, may: bool) -> Self {
        self.may_lack_parameters = may;
        self
    }

    /// Sets the size of local memory, in dwords.
    #[must_use]
    pub fn local_memory_size(mut self, local_memory_size: usize) -> Self {
        self.local_memory_size = local_memory_size;
        self
    }

    /// Sets the size of the global data share, in dwords.
    #[must_use]
    pub fn global_share_size(mut self, global_share_size: usize) -> Self {
        self.global_share_size = global_share_size;
        self
    }

    /// Sets the size of scratch memory, in vectors per lane.
    #[must_use]
    pub fn scratch_size(mut self, scratch_size: usize) -> Self {
        self.scratch_size = scratch_size;
        self
    }

    /// Sets the hazards to model.
    #[must_use]
    pub fn hazards(mut self, hazards: HazardSet) -> Self {
        self.hazards = hazards;
        self
    }
}

/// Behaviour of a buffer fetch outside its buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bounds {
    /// Stops the program.
    #[default]
    Error,
    /// Reads zeros, as the hardware does.
    Zero,
}
