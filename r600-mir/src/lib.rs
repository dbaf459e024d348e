#![doc = include_str!("../README.md")]
//!
//! A [`VReg`] is one 32-bit value per lane. It lives in a GPR *and a channel*. The scheduler chooses the channel along
//! with the slot of the writing operation; the register allocator chooses the GPR. Where the hardware requires several
//! values in one GPR (fetch addresses and results, exports, preloaded inputs), they are members of one [`Vector`].
//!
//! # Invariants
//! - A virtual register may be written several times, as by both arms of a branch. Order within a block is program
//!   order: a read sees the latest preceding write.
//! - Members of a vector take distinct channels of one GPR. A register is a member of at most one vector.
//! - Constants and uniforms are operands, never registers.
//! - Nothing here knows TGSI, groups or clauses.

mod access;
mod alu;
mod entity;
mod function;
mod memory;
mod op;
mod operand;
mod parse;
pub mod print;
mod template;

pub use access::{for_each_read, for_each_source, for_each_write, storages_of};
pub use alu::{Alu, FixedSlots, Local, Reduction, Replicated};
pub use entity::{Array, Block, OpId, Origin, VReg, Vector};
pub use function::{ArrayInfo, Function, Node, Region, VRegInfo, VectorInfo};
pub use memory::{Export, ExportTarget, Fetch, FetchStep, FetchTemplate, Memory, Storage};
pub use op::Op;
pub use operand::{
    Component, Dst, Element, HW_WAVE_ID, LDS_QUEUE_A_POP, SE_ID, Src, SrcKind, TIME_HI, TIME_LO,
};
pub use parse::{ParseError, ParseFault, parse};
