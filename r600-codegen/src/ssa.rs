//! Scalar SSA over structured regions.
//!
//! A [`Value`] is 32 bits per lane. Where the hardware has a matching instruction, SSA uses it, so algebra, modifiers
//! and constants are the machine's own. Vec4 exists only where the hardware requires it (fetches, exports, reductions).
//!
//! # Invariants
//! - Each value has one definition, which dominates its uses in the region tree.
//! - Every join of values is explicit: a branch has phis, a loop has parameters and results.
//! - No register, slot, group or clause appears here.

mod copy;
mod exit_slice;
mod function;
mod inst;
mod loop_exit;
mod low_bits;
mod operand;
mod parse;
mod print;
mod rebuild;
mod rewrite;
mod sources;
mod uses;
mod verify;
mod walk;

pub(crate) use copy::Copier;
pub(crate) use exit_slice::{ExitSlice, Stake};
pub use function::{
    ArrayInfo, ArrayPlace, Condition, Function, If, LiveIn, Loop, LoopParam, Node, Phi, Region,
    ValueDef,
};
pub use inst::{
    AluInst, ArrayAccess, Counter, CubeInst, DotInst, DoubleInst, ExportInst, FetchInst, FetchKind,
    FetchStep, Inst, InstData, InterpInst, InterpPart, LocalEffect, LocalInst, MemoryInst, Place,
    SharedWith,
};
pub(crate) use loop_exit::{LoopExit, may_continue, may_leave};
pub(crate) use low_bits::LowBits;
pub use operand::{Operand, Source};
pub use parse::{ParseError, ParseErrorKind, parse};
pub(crate) use rebuild::Rebuild;
pub use rewrite::Replacements;
pub(crate) use sources::Sources;
pub use uses::Uses;
pub use verify::{VerifyError, verify};
pub use walk::{Arm, Event, Exit, ExitKind, Walk};

use cranelift_entity::entity_impl;

/// A 32-bit value per lane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Value(u32);
entity_impl!(Value, "%");

/// An instruction of one function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct InstId(u32);
entity_impl!(InstId, "inst");

/// An array that is indexed at run time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ArrayId(u32);
entity_impl!(ArrayId, "array");
