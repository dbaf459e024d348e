//! A function: its registers, its operations, and the regions that contain them.

use arrayvec::ArrayVec;
use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use r600_isa::{Chan, Chip, Hazard, HazardSet};

use crate::{Array, Block, Op, OpId, Origin, VReg, Vector};

/// Facts about a virtual register before scheduling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VRegInfo {
    /// The vector it belongs to.
    pub vector: Option<Vector>,
    /// Its channel, if the scheduler may not choose it (preloaded inputs).
    pub chan: Option<Chan>,
}

/// Facts about a vector before allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VectorInfo {
    /// Its members.
    pub members: ArrayVec<VReg, 4>,
    /// Its GPR, if fixed (preloaded inputs).
    pub gpr: Option<u8>,
}

/// Facts about an indexed array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArrayInfo {
    /// Number of GPRs.
    pub len: u8,
}

/// A step of a region.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// Operations.
    Block(Block),
    /// Lanes that pass the predicate operation at the end of the preceding block run `then`, the others `otherwise`. If
    /// no lane is active in `then`, it is skipped.
    If {
        /// Taken if the predicate holds.
        then: Region,
        /// Taken if it does not.
        otherwise: Region,
    },
    /// Runs until all lanes have left it.
    Loop {
        /// The body.
        body: Region,
    },
    /// Active lanes leave the innermost loop.
    Break,
    /// Active lanes wait for the next iteration of the innermost loop.
    Continue,
}

/// Steps in order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Region {
    /// The steps.
    pub nodes: Vec<Node>,
}

/// A function ready to be scheduled.
#[derive(Clone, Debug)]
pub struct Function {
    /// The chip it is for.
    pub chip: Chip,
    /// Hardware bugs that are deliberately not avoided.
    pub ignored: HazardSet,
    /// Virtual registers.
    pub vregs: PrimaryMap<VReg, VRegInfo>,
    /// Vectors.
    pub vectors: PrimaryMap<Vector, VectorInfo>,
    /// Indexed arrays.
    pub arrays: PrimaryMap<Array, ArrayInfo>,
    /// Operations.
    pub ops: PrimaryMap<OpId, Op>,
    /// Origins of operations, where known.
    pub origins: SecondaryMap<OpId, Option<Origin>>,
    /// Operations of each block, in order. A predicate operation comes last.
    pub blocks: PrimaryMap<Block, Vec<OpId>>,
    /// The whole program.
    pub body: Region,
    /// Registers that hold a value on entry.
    pub live_in: Vec<VReg>,
    /// Allocated scratch memory, in vec4 per lane.
    pub scratch: u16,
    /// Registers whose sums keep the order of their terms. The text form does not show them.
    pub ordered: EntitySet<VReg>,
}

impl Function {
    /// A function without operations.
    pub fn new(chip: Chip) -> Self {
        Self {
            chip,
            ignored: HazardSet::NONE,
            vregs: PrimaryMap::new(),
            vectors: PrimaryMap::new(),
            arrays: PrimaryMap::new(),
            ops: PrimaryMap::new(),
            origins: SecondaryMap::new(),
            blocks: PrimaryMap::new(),
            body: Region::default(),
            live_in: Vec::new(),
            scratch: 0,
            ordered: EntitySet::new(),
        }
    }

    /// Whether code must avoid this known or suspected hardware bug.
    pub fn avoids(&self, hazard: Hazard) -> bool {
        self.chip.has(hazard) && !self.ignored.contains(hazard)
    }
}
