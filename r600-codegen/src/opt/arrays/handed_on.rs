//! Counts the values that joins and exits would pass if array elements were values: at each join one for every element
//! that its branch writes, at each exit one for every element that its loop writes.

use cranelift_entity::SecondaryMap;
use r600_isa::Chan;

use crate::hash::FastSet;
use crate::ssa::{ArrayAccess, ArrayId, Event, Function, InstData};

use super::Usage;

/// A channel of an element.
type Cell = (ArrayId, u16, Chan);

/// A branch or loop around the current point of the walk.
#[derive(Default)]
struct Around {
    /// The cells that it writes.
    written: FastSet<Cell>,
    /// How often it passes on what it writes: a branch once, a loop at each exit.
    times: usize,
}

/// For each array that may dissolve, the number of values that all joins and exits would pass on.
pub(super) fn handed_on(
    function: &Function,
    usage: &SecondaryMap<ArrayId, Usage>,
) -> SecondaryMap<ArrayId, usize> {
    let mut handed_on: SecondaryMap<ArrayId, usize> = SecondaryMap::new();
    let may_dissolve = |array: ArrayId| usage[array].dissolves(function.arrays[array].place);
    let dissolving: FastSet<ArrayId> =
        function.arrays.keys().filter(|&array| may_dissolve(array)).collect();
    let mut around: Vec<Around> = Vec::new();
    let mut loops: Vec<usize> = Vec::new();
    for event in function.body.walk() {
        match event {
            Event::Inst(inst) => {
                if let InstData::Store(access, _) = &function.insts[inst].data
                    && dissolving.contains(&access.array)
                    && let Some(innermost) = around.last_mut()
                {
                    note_written(access, &usage[access.array], &mut innermost.written);
                }
            }
            Event::Branch(_) => around.push(Around { times: 1, ..Around::default() }),
            Event::Loop(_) => {
                loops.push(around.len());
                around.push(Around::default());
            }
            Event::Exit(_) => {
                let own = loops.last().and_then(|&at| around.get_mut(at));
                own.into_iter().for_each(|own| own.times += 1);
            }
            Event::LoopEnd(_) | Event::Join(_) => {
                if matches!(event, Event::LoopEnd(_)) {
                    loops.pop();
                }
                let Some(Around { written, times }) = around.pop() else { continue };
                for &(array, ..) in &written {
                    handed_on[array] = handed_on[array].saturating_add(times);
                }
                if let Some(outer) = around.last_mut() {
                    join(&mut outer.written, written);
                }
            }
            _ => {}
        }
    }
    handed_on
}

/// Adds the cells that a store writes. With a dynamic index these are all cells of the channel that something reads.
fn note_written(access: &ArrayAccess, usage: &Usage, written: &mut FastSet<Cell>) {
    if access.index.is_none() {
        written.insert((access.array, access.offset, access.chan));
        return;
    }
    let reads = usage.named_reads.iter().filter(|(_, chan)| *chan == access.chan);
    written.extend(reads.map(|&(offset, chan)| (access.array, offset, chan)));
}

/// Adds the cells of an inner branch or loop to those of the one around it.
fn join(outer: &mut FastSet<Cell>, mut inner: FastSet<Cell>) {
    // The smaller set is added to the larger one. Deep nesting would take quadratic time if the inner set always moved.
    if outer.len() < inner.len() {
        std::mem::swap(outer, &mut inner);
    }
    outer.extend(inner);
}
