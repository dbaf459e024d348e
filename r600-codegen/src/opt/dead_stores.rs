//! Removes writes to array elements that are written again before anything reads the array.
//!
//! Arrays start as zeros, like all temporaries; what the shader itself writes first need not be cleared.

use pass_manager::{Declaration, Done, Fuel, Pass, PassCx};
use r600_isa::Chan;

use crate::error::Stop;
use crate::forms::Ssa;
use crate::hash::{FastMap, FastSet};
use crate::names;
use crate::ssa::{ArrayAccess, ArrayId, Event, Function, InstData, InstId, Node};

/// The pass.
pub(crate) struct RemoveDeadStores;

impl Pass<Ssa> for RemoveDeadStores {
    fn declaration(&self) -> Declaration {
        // A phi that says nothing may stand between an index and its constant.
        Declaration::optional(names::DEAD_STORES).after(&[names::PHIS])
    }

    fn run(&self, ssa: &mut Ssa, cx: &mut PassCx<'_, Ssa>) -> Result<Done, Stop> {
        if !ssa.function.arrays.is_empty() {
            remove_dead_stores(&mut ssa.function, cx.fuel);
        }
        Ok(Done::Settled)
    }
}

/// The write of each element that nothing has read yet.
type Pending = FastMap<(ArrayId, u16, Chan), InstId>;

/// Removes dead writes from the outermost region. What happens inside a branch or loop may not happen: of that only the
/// reads count.
fn remove_dead_stores(function: &mut Function, fuel: &mut Fuel) {
    let mut dead = FastSet::default();
    let mut pending = Pending::default();
    let mut walk = function.body.walk();
    while let Some(event) = walk.next() {
        let Event::Inst(inst) = event else { continue };
        match &function.insts[inst].data {
            InstData::Store(access, _) if access.index.is_none() && walk.depth() == 0 => {
                let key = (access.array, access.offset, access.chan);
                dead.extend(pending.insert(key, inst).filter(|_| fuel.burn()));
            }
            InstData::Load(access) => read(access, &mut pending),
            _ => {}
        }
    }
    if !dead.is_empty() {
        function.body.nodes.retain(|node| !matches!(node, Node::Inst(inst) if dead.contains(inst)));
    }
}

/// Forgets the writes that `access` may read.
fn read(access: &ArrayAccess, pending: &mut Pending) {
    match access.index {
        None => {
            pending.remove(&(access.array, access.offset, access.chan));
        }
        Some(_) => pending.retain(|key, _| (key.0, key.2) != (access.array, access.chan)),
    }
}
