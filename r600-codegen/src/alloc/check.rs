//! Checks an allocation without trusting the allocator.
//!
//! A forward walk over every control-flow path tracks which register each channel of each GPR holds. A read must find
//! its own register. Live ranges are not used.

use cranelift_entity::SecondaryMap;
use r600_isa::Chan;
use r600_mir::{Function, VReg};
use thiserror::Error;

use super::Allocation;
use super::flow::Flow;

/// A read that would not see its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub(crate) enum CheckError {
    /// The register was given no GPR.
    #[error("step {step}: {vreg} has no GPR")]
    Unassigned {
        /// Step in execution order.
        step: u32,
        /// The register.
        vreg: VReg,
    },
    /// Its GPR holds something else on some path.
    #[error("step {step}: {vreg} is not in its GPR any more")]
    Clobbered {
        /// Step in execution order.
        step: u32,
        /// The register.
        vreg: VReg,
    },
    /// A clause temporary is read in a clause other than that of its write.
    #[error("step {step}: {vreg} is a clause temporary of another clause")]
    LeftClause {
        /// Step in execution order.
        step: u32,
        /// The register.
        vreg: VReg,
    },
}

/// The register in each channel of each GPR; `None` if unknown.
type State = Vec<Option<VReg>>;

/// Checks every read of the program.
///
/// # Errors
/// The first read that would not see its value.
pub(crate) fn check(
    function: &Function,
    flow: &Flow,
    chans: &SecondaryMap<VReg, Chan>,
    allocation: &Allocation,
) -> Result<(), CheckError> {
    let checker = Checker { flow, chans, allocation };
    let ends = checker.fixpoint();
    for (at, block) in flow.blocks.iter().enumerate() {
        // No lane reaches a block after a loop without an exit.
        let Some(mut state) = checker.entry(at, &ends) else { continue };
        for step in block.first..block.end {
            checker.reads(step, &state)?;
            checker.writes(step, &mut state);
        }
    }
    let _ = function;
    Ok(())
}

struct Checker<'a> {
    flow: &'a Flow,
    chans: &'a SecondaryMap<VReg, Chan>,
    allocation: &'a Allocation,
}

impl Checker<'_> {
    fn place(&self, vreg: VReg) -> Option<usize> {
        let gpr = self.allocation.gprs[vreg]?;
        Some(4 * usize::from(gpr) + self.chans[vreg] as usize)
    }

    /// States at the ends of blocks, consistent over all paths.
    fn fixpoint(&self) -> Vec<Option<State>> {
        let mut ends: Vec<Option<State>> = vec![None; self.flow.blocks.len()];
        loop {
            let mut changed = false;
            for (at, block) in self.flow.blocks.iter().enumerate() {
                let Some(mut state) = self.entry(at, &ends) else { continue };
                (block.first..block.end).for_each(|step| self.writes(step, &mut state));
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
    fn entry(&self, at: usize, ends: &[Option<State>]) -> Option<State> {
        if at == 0 {
            return Some(vec![None; 512]);
        }
        let mut known = self.flow.blocks[at]
            .predecessors
            .iter()
            .filter_map(|&predecessor| ends[predecessor as usize].as_ref());
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

    fn reads(&self, step: u32, state: &State) -> Result<(), CheckError> {
        for &vreg in self.flow.steps.reads(step) {
            let place = self.place(vreg).ok_or(CheckError::Unassigned { step, vreg })?;
            if state[place] != Some(vreg) {
                return Err(CheckError::Clobbered { step, vreg });
            }
            let temporary = place / 4 >= usize::from(super::CLAUSE_TEMPORARIES.start);
            if temporary && !self.written_in_same_clause(step, vreg) {
                return Err(CheckError::LeftClause { step, vreg });
            }
        }
        Ok(())
    }

    fn written_in_same_clause(&self, step: u32, vreg: VReg) -> bool {
        let steps = &self.flow.steps;
        let clause = steps.clause(step);
        let mut before = (0..step).rev().take_while(|&step| steps.clause(step) == clause);
        clause.is_alu() && before.any(|step| steps.writes(step).contains(&vreg))
    }

    fn writes(&self, step: u32, state: &mut State) {
        for &vreg in self.flow.steps.writes(step) {
            if let Some(place) = self.place(vreg) {
                state[place] = Some(vreg);
            }
        }
    }
}
