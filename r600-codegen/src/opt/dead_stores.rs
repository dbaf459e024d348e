//! Removes writes to array elements that are written again before anything reads the array.
//!
//! Arrays start as zeros, like all temporaries; what the shader itself writes first need not be cleared.

use pass_manager::{Declaration, Done, Fuel, Pass, PassCx};
use r600_isa::Chan;

use crate::error::Stop;
use crate::forms::Ssa;
use crate::hash::FastMap;
use crate::names;
use crate::ssa::{ArrayId, Function, InstData, Node};

/// The pass.
pub(crate) struct RemoveDeadStores;

impl Pass<Ssa> for RemoveDeadStores {
    fn declaration(&self) -> Declaration {
        // A phi that says nothing may stand between an index and its constant.
        Declaration::optional(names::DEAD_STORES).after(&[names::PHIS])
    }

    fn run(&self, ssa: &mut Ssa, cx: &mut PassCx<'_, Ssa>) -> Result<Done, Stop> {
        remove_dead_stores(&mut ssa.function, cx.fuel);
        Ok(Done::Settled)
    }
}

/// Removes dead writes among the straight code of the outermost region.
fn remove_dead_stores(function: &mut Function, fuel: &mut Fuel) {
    let mut dead = Vec::new();
    let mut pending: FastMap<(ArrayId, u16, Chan), usize> = FastMap::default();
    for (at, node) in function.body.nodes.iter().enumerate() {
        let Node::Inst(inst) = node else {
            // What happens inside a branch or loop is not followed.
            pending.clear();
            continue;
        };
        match &function.insts[*inst].data {
            InstData::Store(access, _) if access.index.is_none() => {
                let key = (access.array, access.offset, access.chan);
                dead.extend(pending.insert(key, at).filter(|_| fuel.burn()));
            }
            InstData::Load(access) => match access.index {
                None => {
                    pending.remove(&(access.array, access.offset, access.chan));
                }
                Some(_) => pending.retain(|key, _| key.0 != access.array),
            },
            _ => {}
        }
    }
    dead.sort_unstable();
    let mut at = 0;
    function.body.nodes.retain(|_| {
        at += 1;
        dead.binary_search(&(at - 1)).is_err()
    });
}
