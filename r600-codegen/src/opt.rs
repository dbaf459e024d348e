//! The SSA optimiser: one file per pass, and shared parts.

mod arrays;
mod dce;
mod dead_stores;
mod dot;
mod elements;
mod fold;
mod fuse;
mod hoist;
mod if_convert;
mod invariants;
mod join_exits;
mod memory;
mod phis;
pub(crate) mod rewrite;
mod rotate;
mod simplify;
mod unroll;

pub(crate) use arrays::DissolveArrays;
pub(crate) use dce::EliminateDeadCode;
pub(crate) use dead_stores::RemoveDeadStores;
pub(crate) use dot::ExpandDots;
pub(crate) use fuse::Combine;
pub(crate) use if_convert::ConvertBranches;
pub(crate) use invariants::HoistInvariants;
pub(crate) use join_exits::JoinExits;
pub(crate) use memory::JoinAccesses;
pub(crate) use phis::RemoveTrivialPhis;
pub use rewrite::{Goals, RewriteCounts};
pub(crate) use rotate::RotateLoops;
pub(crate) use simplify::Rewrite;
pub(crate) use unroll::Unroll;
