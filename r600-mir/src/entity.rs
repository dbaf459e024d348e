//! The entities of a function, each with its own index type.

use cranelift_entity::entity_impl;

/// A virtual register: 32 bits in every lane.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct VReg(u32);
entity_impl!(VReg, "r");

/// Virtual registers that share one GPR, in distinct channels.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vector(u32);
entity_impl!(Vector, "vec");

/// Consecutive GPRs that are indexed at run time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Array(u32);
entity_impl!(Array, "array");

/// An operation of the function.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct OpId(u32);
entity_impl!(OpId, "op");

/// A basic block: a straight-line sequence of operations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Block(u32);
entity_impl!(Block, "block");

/// The place in the source that an operation comes from. Only the caller gives the number a meaning; this crate carries
/// it along without interpreting it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Origin(u32);
entity_impl!(Origin, "@");
