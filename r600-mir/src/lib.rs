#![doc = include_str!("../README.md")]
//!
//! A [`VReg`] is one 32-bit value per lane. Its place is a GPR *and a channel*; the scheduler settles
//! the channel (the slot an operation takes decides it), the register allocator the GPR. Where the
//! hardware wants several values in one GPR (fetch addresses and results, exports, preloaded inputs),
//! they are members of one [`Vector`].
//!
//! # Invariants
//! - A virtual register may be written several times (the arms of a branch write the register that
//!   is read after it). Order within a block is program order: reads see the latest write before them.
//! - Members of a vector take distinct channels of one GPR; a register is a member of at most one.
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
