//! Pass names, as spelled on the command line.

use pass_manager::PassId;

/// TGSI to SSA.
pub(crate) const LOWER: PassId = PassId::new("lower");
/// Trivial phis go.
pub(crate) const PHIS: PassId = PassId::new("phis");
/// Writes to arrays that nothing reads go.
pub(crate) const DEAD_STORES: PassId = PassId::new("dead-stores");
/// Until they settle: [`REWRITE`], [`PHIS`], [`DCE`].
pub(crate) const SIMPLIFY: PassId = PassId::new("simplify");
/// Folds, simplifies and numbers values.
pub(crate) const REWRITE: PassId = PassId::new("rewrite");
/// What has no effect goes.
pub(crate) const DCE: PassId = PassId::new("dce");
/// Loops of a few iterations become straight code.
pub(crate) const UNROLL: PassId = PassId::new("unroll");
/// Elements of arrays that constants name become values.
pub(crate) const ARRAYS: PassId = PassId::new("arrays");
/// Short branches become selects.
pub(crate) const IF_CONVERT: PassId = PassId::new("if-convert");
/// Tests of loops move to their end.
pub(crate) const ROTATE: PassId = PassId::new("rotate");
/// Exits of a loop that follow each other become one.
pub(crate) const JOIN_EXITS: PassId = PassId::new("join-exits");
/// Accesses to images and buffers that nobody could miss go.
pub(crate) const MEMORY: PassId = PassId::new("memory");
/// Dot products become chains.
pub(crate) const EXPAND_DOTS: PassId = PassId::new("expand-dots");
/// Until they settle: [`COMBINE`], [`DCE`].
pub(crate) const FUSE: PassId = PassId::new("fuse");
/// Two operations become one where one alone reads the other.
pub(crate) const COMBINE: PassId = PassId::new("combine");
/// What each iteration computes anew moves before the loop.
pub(crate) const INVARIANTS: PassId = PassId::new("invariants");
/// SSA to machine IR.
pub(crate) const SELECT: PassId = PassId::new("select");
/// Operations get groups.
pub(crate) const SCHEDULE: PassId = PassId::new("schedule");
/// Values that find no register go to memory.
pub(crate) const SPILL: PassId = PassId::new("spill");
/// Values get registers.
pub(crate) const ALLOCATE: PassId = PassId::new("allocate");
/// Words.
pub(crate) const EMIT: PassId = PassId::new("emit");
