//! Removes writes to array elements that are overwritten before the array is read, or that no read can reach.
//!
//! Arrays start as zeros, like all temporaries. Elements that the shader itself writes first need no clearing. An array
//! of structures is indexed by multiples of the structure's size, so reads of one member do not reach the others.

use pass_manager::{Declaration, Done, Fuel, Pass, PassCx};
use r600_isa::Chan;

use crate::error::Stop;
use crate::forms::Ssa;
use crate::hash::{FastMap, FastSet};
use crate::names;
use crate::ssa::{ArrayAccess, ArrayId, Event, Function, InstData, InstId, LowBits, Node, Operand};

use super::dce::eliminate_dead_code;

/// The pass.
pub(crate) struct RemoveDeadStores;

impl Pass<Ssa> for RemoveDeadStores {
    fn declaration(&self) -> Declaration {
        // A trivial phi may hide that an index is constant.
        Declaration::optional(names::DEAD_STORES).after(&[names::PHIS])
    }

    fn run(&self, ssa: &mut Ssa, cx: &mut PassCx<'_, Ssa>) -> Result<Done, Stop> {
        let function = &mut ssa.function;
        if !function.arrays.is_empty() && !cx.fuel.is_spent() {
            // A dead load would keep the stores that it reads.
            if eliminate_dead_code(function)? {
                cx.fuel.burn();
            }
            remove_unreached_stores(function, cx.fuel);
            remove_dead_stores(function, cx.fuel);
        }
        Ok(Done::Settled)
    }
}

/// For each channel of an array, what its loads may reach: element numbers without the index, each with what is known
/// of the index.
type Reached = FastMap<(ArrayId, Chan), FastSet<(u16, LowBits)>>;

fn reached(function: &Function) -> Reached {
    let mut reached = Reached::default();
    function.body.for_each_inst(&mut |inst| {
        if let InstData::Load(access) = &function.insts[inst].data {
            let index = LowBits::of(function, access.index.unwrap_or(Operand::ZERO));
            let loads = reached.entry((access.array, access.chan)).or_default();
            loads.insert((if index == LowBits::NONE { 0 } else { access.offset }, index));
        }
    });
    reached
}

/// Removes writes to elements that no load can reach. A write with a dynamic index stays.
fn remove_unreached_stores(function: &mut Function, fuel: &mut Fuel) {
    let reached = reached(function);
    let is_reached = |access: &ArrayAccess| {
        let loads = reached.get(&(access.array, access.chan));
        loads.is_some_and(|loads| {
            loads
                .iter()
                .any(|(offset, index)| index.allow(i32::from(access.offset) - i32::from(*offset)))
        })
    };
    let mut unreached = FastSet::default();
    function.body.for_each_inst(&mut |inst| {
        if let InstData::Store(access, _) = &function.insts[inst].data
            && access.index.is_none()
            && !is_reached(access)
            && fuel.burn()
        {
            unreached.insert(inst);
        }
    });
    if !unreached.is_empty() {
        function.body.retain_insts(&|inst| !unreached.contains(&inst));
    }
}

/// For each channel of each array, the last write of each element that nothing has read yet. Channels come first,
/// because a load with a dynamic index may read all elements of one.
type Pending = FastMap<(ArrayId, Chan), FastMap<u16, InstId>>;

/// Removes dead writes from the outermost region. Code in a branch or loop may not run, so only its reads count.
fn remove_dead_stores(function: &mut Function, fuel: &mut Fuel) {
    let mut dead = FastSet::default();
    let mut pending = Pending::default();
    let mut walk = function.body.walk();
    while let Some(event) = walk.next() {
        let Event::Inst(inst) = event else { continue };
        match &function.insts[inst].data {
            InstData::Store(access, _) if access.index.is_none() && walk.depth() == 0 => {
                let writes = pending.entry((access.array, access.chan)).or_default();
                dead.extend(writes.insert(access.offset, inst).filter(|_| fuel.burn()));
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
    let of_channel = (access.array, access.chan);
    if access.index.is_some() {
        pending.remove(&of_channel);
    } else if let Some(writes) = pending.get_mut(&of_channel) {
        writes.remove(&access.offset);
    }
}
