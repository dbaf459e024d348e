//! Pass names, as spelled on the command line.

use pass_manager::PassId;

/// TGSI to SSA.
pub(crate) const LOWER: PassId = PassId::new("lower");
/// Removes trivial phis.
pub(crate) const PHIS: PassId = PassId::new("phis");
/// Removes writes to arrays that nothing reads.
pub(crate) const DEAD_STORES: PassId = PassId::new("dead-stores");
/// Runs [`REWRITE`], [`PHIS`] and [`DCE`] until nothing changes.
pub(crate) const SIMPLIFY: PassId = PassId::new("simplify");
/// Folds, simplifies and numbers values.
pub(crate) const REWRITE: PassId = PassId::new("rewrite");
/// Removes code without effect.
pub(crate) const DCE: PassId = PassId::new("dce");
/// Unrolls loops of a few iterations.
pub(crate) const UNROLL: PassId = PassId::new("unroll");
/// Turns array elements with constant indices into values.
pub(crate) const ARRAYS: PassId = PassId::new("arrays");
/// Turns short branches into selects.
pub(crate) const IF_CONVERT: PassId = PassId::new("if-convert");
/// Moves the tests of loops to their ends.
pub(crate) const ROTATE: PassId = PassId::new("rotate");
/// Joins consecutive exits of a loop into one.
pub(crate) const JOIN_EXITS: PassId = PassId::new("join-exits");
/// Removes redundant accesses to images and buffers.
pub(crate) const MEMORY: PassId = PassId::new("memory");
/// Expands dot products into chains.
pub(crate) const EXPAND_DOTS: PassId = PassId::new("expand-dots");
/// Runs [`COMBINE`] and [`DCE`] until nothing changes.
pub(crate) const FUSE: PassId = PassId::new("fuse");
/// Combines an operation with its only reader.
pub(crate) const COMBINE: PassId = PassId::new("combine");
/// Moves loop-invariant code before the loop.
pub(crate) const INVARIANTS: PassId = PassId::new("invariants");
/// SSA to machine IR.
pub(crate) const SELECT: PassId = PassId::new("select");
/// Puts operations into groups.
pub(crate) const SCHEDULE: PassId = PassId::new("schedule");
/// Moves values that get no register to memory.
pub(crate) const SPILL: PassId = PassId::new("spill");
/// Assigns registers to values.
pub(crate) const ALLOCATE: PassId = PassId::new("allocate");
/// Machine code to words.
pub(crate) const EMIT: PassId = PassId::new("emit");
