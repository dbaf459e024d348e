//! A function: its registers, its operations, and the regions that they stand in.

use arrayvec::ArrayVec;
use cranelift_entity::{EntitySet, PrimaryMap, SecondaryMap};
use r600_isa::{Chan, Chip, Hazard, HazardSet};

use crate::{Array, Block, Op, OpId, Origin, VReg, Vector};

/// What is known of a virtual register before scheduling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VRegInfo {
    /// The vector it belongs to.
    pub vector: Option<Vector>,
    /// Its channel, where that is not the scheduler's to choose (preloaded inputs).
    pub chan: Option<Chan>,
}

/// What is known of a vector before allocation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct VectorInfo {
    /// Its members.
    pub members: ArrayVec<VReg, 4>,
    /// Its GPR, where that is fixed (preloaded inputs).
    pub gpr: Option<u8>,
}

/// What is known of an indexed array.
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
    /// Lanes for which the predicate operation that ends the block before holds run `then`, the others
    /// `otherwise`. A `then` that no lane is left in is jumped over.
    If {
        /// Where the predicate holds.
        then: Region,
        /// Where it does not.
        otherwise: Region,
    },
    /// Runs until no lane is left in it.
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
    /// Hazards of the chip that are deliberately not avoided.
    pub ignored: HazardSet,
    /// Virtual registers.
    pub vregs: PrimaryMap<VReg, VRegInfo>,
    /// Vectors.
    pub vectors: PrimaryMap<Vector, VectorInfo>,
    /// Indexed arrays.
    pub arrays: PrimaryMap<Array, ArrayInfo>,
    /// Operations.
    pub ops: PrimaryMap<OpId, Op>,
    /// Where operations come from, as far as that is known.
    pub origins: SecondaryMap<OpId, Option<Origin>>,
    /// Operations of each block, in order. A predicate operation stands last.
    pub blocks: PrimaryMap<Block, Vec<OpId>>,
    /// The whole program.
    pub body: Region,
    /// Registers that hold a value on entry.
    pub live_in: Vec<VReg>,
    /// Vec4 of each lane's scratch memory that are given away.
    pub scratch: u16,
    /// Registers whose sums keep the order of their terms. Nothing tells it in text.
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

    /// Whether code has to avoid what the chip gets wrong, or is suspected to.
    pub fn avoids(&self, hazard: Hazard) -> bool {
        self.chip.has(hazard) && !self.ignored.contains(hazard)
    }
}
