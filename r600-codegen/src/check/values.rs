//! Checks that every read finds its value. The value in each channel of each register is tracked along every
//! control-flow path.

use r600_mir::VReg;

use super::lockstep::{CodeStep, CodeSteps, Place, array_places};
use super::{Code, CodeFault};
use crate::alloc::{BasicBlock, CLAUSE_TEMPORARIES, Flow};

/// Channels of all registers.
const NUM_PLACES: usize = 4 * 128;

/// What each channel of each register holds; `None` is unknown.
type State = Vec<Option<VReg>>;

/// Checks every read.
pub(super) fn check(code: &Code<'_>, flow: &Flow, steps: &CodeSteps) -> Result<(), CodeFault> {
    let first = flow.blocks.first().map_or(0, |block| block.end as usize);
    let entry = flow.steps.len() - steps.steps.len();
    debug_assert!(entry <= first, "the steps of entry come first");
    let values = Values { flow, steps: &steps.steps, entry, live_in: live_in(code) };
    values.outside_arrays(&array_places(code))?;
    let ends = values.fixpoint();
    for (at, block) in flow.blocks.iter().enumerate() {
        // No lane reaches a block after a loop without an exit.
        let Some(mut state) = values.at_entry(at, &ends) else { continue };
        let mut cf = None;
        for number in values.range(block) {
            let step = &values.steps[number];
            if cf.replace(step.cf) != Some(step.cf) {
                forget_temporaries(&mut state);
            }
            values.reads(number, &state)?;
            write(step, &mut state);
        }
    }
    Ok(())
}

/// The live-in values and their places.
fn live_in(code: &Code<'_>) -> Vec<(VReg, Place)> {
    let machine = code.machine;
    let place = |&vreg: &VReg| {
        let gpr = machine.vectors[machine.vregs[vreg].vector?].gpr?;
        Some((vreg, 4 * usize::from(gpr) + code.schedule.chans[vreg] as usize))
    };
    machine.live_in.iter().filter_map(place).collect()
}

fn forget_temporaries(state: &mut State) {
    state[4 * usize::from(CLAUSE_TEMPORARIES.start)..].fill(None);
}

/// Records the writes of a step. All other copies of a written value become stale.
fn write(step: &CodeStep, state: &mut State) {
    let is_written = |held: &Option<VReg>| {
        held.is_some_and(|held| step.writes.iter().any(|(vreg, _)| *vreg == Some(held)))
    };
    if step.writes.iter().any(|(vreg, _)| vreg.is_some()) {
        state.iter_mut().filter(|held| is_written(held)).for_each(|held| *held = None);
    }
    for &(vreg, place) in &step.writes {
        state[place] = vreg;
    }
}

struct Values<'a> {
    flow: &'a Flow,
    steps: &'a [CodeStep],
    /// Number of steps at the start of the flow that stand for the values on entry.
    entry: usize,
    live_in: Vec<(VReg, Place)>,
}

impl Values<'_> {
    fn range(&self, block: &BasicBlock) -> std::ops::Range<usize> {
        let of = |step: u32| (step as usize).saturating_sub(self.entry);
        of(block.first)..of(block.end)
    }

    fn outside_arrays(&self, arrays: &[std::ops::Range<Place>]) -> Result<(), CodeFault> {
        for (number, step) in self.steps.iter().enumerate() {
            let places = step.writes.iter().map(|(_, place)| place);
            if places.into_iter().any(|place| arrays.iter().any(|array| array.contains(place))) {
                return Err(CodeFault::Array(number));
            }
        }
        Ok(())
    }

    fn reads(&self, number: usize, state: &State) -> Result<(), CodeFault> {
        let wrong = self.steps[number].reads.iter().find(|(vreg, at)| state[*at] != Some(*vreg));
        match wrong {
            Some(&(vreg, _)) => Err(CodeFault::Value { step: number, vreg }),
            None => Ok(()),
        }
    }

    /// States at the ends of blocks, consistent over all paths.
    fn fixpoint(&self) -> Vec<Option<State>> {
        let mut ends: Vec<Option<State>> = vec![None; self.flow.blocks.len()];
        loop {
            let mut changed = false;
            for (at, block) in self.flow.blocks.iter().enumerate() {
                let Some(mut state) = self.at_entry(at, &ends) else { continue };
                self.range(block).for_each(|number| write(&self.steps[number], &mut state));
                forget_temporaries(&mut state);
                if ends[at].as_ref() != Some(&state) {
                    ends[at] = Some(state);
                    changed = true;
                }
            }
            if !changed {
                return ends;
            }
        }
    }

    /// The state on entry of a block; `None` while no path to it is known.
    fn at_entry(&self, at: usize, ends: &[Option<State>]) -> Option<State> {
        if at == 0 {
            let mut state = vec![None; NUM_PLACES];
            self.live_in.iter().for_each(|&(vreg, place)| state[place] = Some(vreg));
            return Some(state);
        }
        let ways = &self.flow.blocks[at].predecessors;
        let mut known = ways.iter().filter_map(|&way| ends[way as usize].as_ref());
        let mut state = known.next()?.clone();
        for other in known {
            for (slot, held) in state.iter_mut().zip(other) {
                if slot != held {
                    *slot = None;
                }
            }
        }
        Some(state)
    }
}
