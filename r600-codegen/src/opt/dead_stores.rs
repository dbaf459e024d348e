//! Removes writes to array elements that are written again before anything reads the array.
//!
//! Arrays start as zeros, like all temporaries; what the shader itself writes first need not be cleared.

use r600_isa::Chan;

use crate::hash::FastMap;
use crate::ssa::{ArrayId, Function, InstData, Node};

/// Removes dead writes among the straight code of the outermost region; true when there were any.
pub fn remove_dead_stores(function: &mut Function) -> bool {
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
                dead.extend(pending.insert(key, at));
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
    let changed = !dead.is_empty();
    dead.sort_unstable();
    let mut at = 0;
    function.body.nodes.retain(|_| {
        at += 1;
        dead.binary_search(&(at - 1)).is_err()
    });
    changed
}
