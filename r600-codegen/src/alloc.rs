//! Register allocation of scheduled code.
//!
//! Scheduling has fixed the channel of every register and the order of all reads and writes. What remains is a GPR
//! number for each register and vector. Groups read before they write, so a value may take the GPR of one whose last
//! read is in the same group. GPRs are assigned greedily in order of definition, which for the intervals of one channel
//! needs no more GPRs than are live at once.
//!
//! Values that live within one ALU clause may use the clause temporaries R124 to R127, which do not count.

mod assign;
mod check;
mod crossing;
mod flow;
mod liveness;

use cranelift_entity::SecondaryMap;
use r600_isa::Chan;
use r600_mir::{Array, Function, VReg};
use thiserror::Error;

use crate::refusal::Refusal;

pub(crate) use self::check::check;
pub(crate) use self::flow::{BasicBlock, Flow, InClause, Steps};
pub(crate) use self::liveness::{LiveRanges, live_ranges};

/// GPRs of a program, not counting clause temporaries.
pub const MAX_GPRS: u8 = 124;

/// Clause temporaries: GPRs that only keep their values within one clause.
pub(crate) const CLAUSE_TEMPORARIES: std::ops::Range<u8> = 124..128;

/// The place of every register.
#[derive(Clone, Debug)]
pub struct Allocation {
    /// GPR of each virtual register that is read or written.
    pub gprs: SecondaryMap<VReg, Option<u8>>,
    /// First GPR of each array.
    pub arrays: SecondaryMap<Array, u8>,
    /// One more than the highest GPR in use, clause temporaries aside.
    pub num_gprs: u8,
}

/// Why allocation fails.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AllocError {
    /// More values are live at once than there are registers.
    #[error("{}", Refusal::OutOfRegisters)]
    OutOfRegisters,
    /// More values are spilled than scratch memory holds.
    #[error("{}", Refusal::OutOfScratch)]
    OutOfScratch,
}

impl AllocError {
    /// The reason.
    pub fn refusal(&self) -> Refusal {
        match self {
            Self::OutOfRegisters => Refusal::OutOfRegisters,
            Self::OutOfScratch => Refusal::OutOfScratch,
        }
    }
}

/// Gives every register of `function` a GPR; `chans` is the channel that scheduling chose for each.
///
/// # Errors
/// If more values are live at once than fit.
pub(crate) fn allocate(
    function: &Function,
    flow: &Flow,
    chans: &SecondaryMap<VReg, Chan>,
) -> Result<Allocation, AllocError> {
    let ranges = liveness::live_ranges(function, flow);
    assign::assign(function, flow, chans, &ranges)
}
