//! What exits of loops would hand on, were elements of arrays values: each of them all that its loop writes.

use cranelift_entity::SecondaryMap;
use r600_isa::Chan;

use crate::hash::FastSet;
use crate::ssa::{ArrayAccess, ArrayId, Event, Function, InstData};

use super::Usage;

/// A channel of an element.
type Cell = (ArrayId, u16, Chan);

/// A loop around the point to which the walk has come.
#[derive(Default)]
struct Around {
    /// What it writes.
    written: FastSet<Cell>,
    exits: usize,
}

/// The values that all exits would hand on for each array that may dissolve.
pub(super) fn handed_on(
    function: &Function,
    usage: &SecondaryMap<ArrayId, Usage>,
) -> SecondaryMap<ArrayId, usize> {
    let mut handed_on: SecondaryMap<ArrayId, usize> = SecondaryMap::new();
    if !function.body.has_loop() {
        return handed_on;
    }
    let may_dissolve = |array: ArrayId| usage[array].dissolves(function.arrays[array].place);
    let dissolving: FastSet<ArrayId> =
        function.arrays.keys().filter(|&array| may_dissolve(array)).collect();
    let mut loops: Vec<Around> = Vec::new();
    for event in function.body.walk() {
        match event {
            Event::Inst(inst) => {
                if let InstData::Store(access, _) = &function.insts[inst].data
                    && dissolving.contains(&access.array)
                    && let Some(around) = loops.last_mut()
                {
                    note_written(access, &usage[access.array], &mut around.written);
                }
            }
            Event::Loop(_) => loops.push(Around::default()),
            Event::Exit(_) => {
                if let Some(around) = loops.last_mut() {
                    around.exits += 1;
                }
            }
            Event::LoopEnd(_) => {
                let Some(Around { written, exits }) = loops.pop() else { continue };
                for &(array, ..) in &written {
                    handed_on[array] = handed_on[array].saturating_add(exits);
                }
                if let Some(outer) = loops.last_mut() {
                    join(&mut outer.written, written);
                }
            }
            _ => {}
        }
    }
    handed_on
}

/// What a store writes. By an index that is what something reads of the channel.
fn note_written(access: &ArrayAccess, usage: &Usage, written: &mut FastSet<Cell>) {
    if access.index.is_none() {
        written.insert((access.array, access.offset, access.chan));
        return;
    }
    let reads = usage.named_reads.iter().filter(|(_, chan)| *chan == access.chan);
    written.extend(reads.map(|&(offset, chan)| (access.array, offset, chan)));
}

/// Adds what an inner loop writes to what the one around it does.
fn join(outer: &mut FastSet<Cell>, mut inner: FastSet<Cell>) {
    // The smaller set moves, so that nests are no quadratic work.
    if outer.len() < inner.len() {
        std::mem::swap(outer, &mut inner);
    }
    outer.extend(inner);
}
