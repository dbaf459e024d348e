//! The SSA optimiser: each submodule is one pass over a [`Function`].

mod dce;
mod dead_stores;
mod dot;
mod fold;
mod fuse;
mod hoist;
mod if_convert;
mod invariants;
mod phis;
pub(crate) mod rewrite;
mod simplify;
mod sources;
mod unroll;

pub use dce::eliminate_dead_code;
pub use dead_stores::remove_dead_stores;
pub use dot::expand_dots;
pub use fuse::fuse;
pub use if_convert::convert_branches;
pub use invariants::hoist_invariants;
pub use phis::remove_trivial_merges;
pub use rewrite::RewriteCounts;
pub use simplify::{Simplified, simplify};
pub use unroll::unroll;

/// What the optimiser may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Goals {
    /// Whether rewrites that could change a float result are forbidden.
    pub precise: bool,
}

use cranelift_entity::SecondaryMap;

use crate::ssa::{Function, Value};

/// How often each value is read, in the whole function.
pub(crate) fn count_uses(function: &mut Function) -> SecondaryMap<Value, u32> {
    let mut uses = SecondaryMap::new();
    uses.resize(function.values.len());
    let insts = &function.insts;
    function.body.for_each_inst(&mut |inst| {
        insts[inst].data.for_each_operand(|operand| {
            if let Some(value) = operand.as_value() {
                uses[value] += 1;
            }
        });
    });
    function.body.for_each_node_operand_mut(&mut |operand| {
        if let Some(value) = operand.as_value() {
            uses[value] += 1;
        }
    });
    uses
}
