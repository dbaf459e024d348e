//! How a program is run.

use r600_isa::HazardSet;

use crate::arith::numerics::Numerics;

/// How a launch treats numbers, missing data and time.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// Denormals and NaN.
    pub numerics: Numerics,
    /// What a buffer fetch outside its buffer does.
    pub bounds: Bounds,
    /// Control flow instructions, groups and fetches that may run, before the run is given up.
    pub step_limit: u64,
    /// [Events](crate::Event) that a wavefront may leave, before the run is given up.
    pub event_limit: usize,
    /// What registers hold that nothing has written.
    pub fill: u32,
    /// Semantic number of each attribute register, R1 upward, for semantic fetches.
    pub vertex_semantics: Vec<u8>,
    /// Dwords of local memory.
    pub local_memory_size: usize,
    /// Dwords of the global data share.
    pub global_share_size: usize,
    /// Vectors of scratch memory of each lane.
    pub scratch_size: usize,
    /// Whether a vertex shader may end without a parameter, as the console's do. Drivers of computers export one that
    /// nothing reads.
    pub may_lack_parameters: bool,
    /// What the run takes its chip to get wrong; hazards of other chips change nothing. With
    /// [`StaleVertexCache`](r600_isa::Hazard::StaleVertexCache) clauses of vertex fetches read lines as they were when
    /// they were read first. A group or fetch that does not avoid one of the others stops the program with
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
    /// The same with another treatment of denormals and NaN.
    #[must_use]
    pub fn numerics(mut self, numerics: Numerics) -> Self {
        self.numerics = numerics;
        self
    }

    /// The same with another answer to fetches outside their buffer.
    #[must_use]
    pub fn bounds(mut self, bounds: Bounds) -> Self {
        self.bounds = bounds;
        self
    }

    /// The same with another limit of steps.
    #[must_use]
    pub fn step_limit(mut self, step_limit: u64) -> Self {
        self.step_limit = step_limit;
        self
    }

    /// The same with another limit of events.
    #[must_use]
    pub fn event_limit(mut self, event_limit: usize) -> Self {
        self.event_limit = event_limit;
        self
    }

    /// The same with other contents of registers that nothing has written.
    #[must_use]
    pub fn fill(mut self, fill: u32) -> Self {
        self.fill = fill;
        self
    }

    /// The same with the semantic numbers of attribute registers.
    #[must_use]
    pub fn vertex_semantics(mut self, vertex_semantics: Vec<u8>) -> Self {
        self.vertex_semantics = vertex_semantics;
        self
    }

    /// The same with vertex shaders that may end without a parameter, or may not.
    #[must_use]
    pub fn may_lack_parameters(mut self, may: bool) -> Self {
        self.may_lack_parameters = may;
        self
    }

    /// The same with another size of local memory, in dwords.
    #[must_use]
    pub fn local_memory_size(mut self, local_memory_size: usize) -> Self {
        self.local_memory_size = local_memory_size;
        self
    }

    /// The same with another size of the global data share, in dwords.
    #[must_use]
    pub fn global_share_size(mut self, global_share_size: usize) -> Self {
        self.global_share_size = global_share_size;
        self
    }

    /// The same with another size of scratch memory, in vectors a lane.
    #[must_use]
    pub fn scratch_size(mut self, scratch_size: usize) -> Self {
        self.scratch_size = scratch_size;
        self
    }

    /// The same with other hazards.
    #[must_use]
    pub fn hazards(mut self, hazards: HazardSet) -> Self {
        self.hazards = hazards;
        self
    }
}

/// What a buffer fetch outside its buffer does.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Bounds {
    /// Stops the program.
    #[default]
    Error,
    /// Reads zeros, as the hardware does.
    Zero,
}
