//! The limit on what lowering makes of a shader.
//!
//! One instruction may become hundreds of operations: a write to a dynamically indexed output selects among all
//! outputs, and a lookup whose texture and sampler have run-time indices fetches from all pairs.

use crate::ssa::{Function, InstData};

/// The most operations, as a multiple of the instruction limit.
const OPERATIONS_PER_INSTRUCTION: usize = 16;

/// How many operations a fetch counts as. It defines four values, which later passes must keep apart.
const OPERATIONS_PER_FETCH: usize = 8;

/// Counts the operations of a function.
pub(super) struct Growth {
    most: usize,
    operations: usize,
    /// Number of instructions already counted.
    counted: usize,
}

impl Growth {
    /// The limit for shaders of up to `instructions` instructions.
    pub(super) fn up_to(instructions: usize) -> Self {
        let most = instructions.saturating_mul(OPERATIONS_PER_INSTRUCTION);
        Self { most, operations: 0, counted: 0 }
    }

    /// Counts the new instructions of `function`; false if the limit is exceeded.
    pub(super) fn allows(&mut self, function: &Function) -> bool {
        let new = function.insts.values().skip(self.counted);
        self.operations += new.map(|inst| operations_of(&inst.data)).sum::<usize>();
        self.counted = function.insts.len();
        self.operations <= self.most
    }
}

fn operations_of(data: &InstData) -> usize {
    match data {
        InstData::Fetch(_) => OPERATIONS_PER_FETCH,
        _ => 1,
    }
}
