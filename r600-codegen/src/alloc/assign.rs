//! Assigns GPRs to live ranges.

use cranelift_entity::SecondaryMap;
use r600_isa::{Chan, Hazard};
use r600_mir::{Array, Function, VReg, Vector};

use crate::live_range::Point;

use super::flow::{Flow, InClause};
use super::liveness::{LiveRanges, Segment};
use super::{AllocError, Allocation, CLAUSE_TEMPORARIES, MAX_GPRS};

/// Assigns every register that has a live range.
pub(super) fn assign(
    function: &Function,
    flow: &Flow,
    chans: &SecondaryMap<VReg, Chan>,
    ranges: &LiveRanges,
) -> Result<Allocation, AllocError> {
    let mut gprs = SecondaryMap::new();
    gprs.resize(function.vregs.len());
    let taken = Taken::new(flow);
    let mut assigner = Assigner { function, flow, chans, ranges, taken, gprs, num_gprs: 0 };
    assigner.fixed();
    let arrays = assigner.arrays()?;
    assigner.vectors()?;
    assigner.scalars()?;
    Ok(Allocation { gprs: assigner.gprs, arrays, num_gprs: assigner.num_gprs })
}

/// A set of GPRs, one bit each.
type Gprs = u128;

/// The GPRs from `first` to before `end`.
const fn gprs_between(first: u8, end: u8) -> Gprs {
    ((1 << (end - first)) - 1) << first
}

/// GPRs that count.
const COUNTED: Gprs = gprs_between(0, MAX_GPRS);

/// Clause temporaries, which keep their values within one clause only.
const TEMPORARIES: Gprs = gprs_between(CLAUSE_TEMPORARIES.start, CLAUSE_TEMPORARIES.end);

/// The first of `gprs`.
fn first(gprs: Gprs) -> Option<u8> {
    (gprs != 0).then(|| gprs.trailing_zeros() as u8)
}

/// Occupied GPRs.
struct Taken {
    /// At each point in each channel, channel by channel.
    at: Vec<Gprs>,
    num_points: usize,
    /// At any point.
    ever: Gprs,
    /// Reserved for arrays.
    arrays: Gprs,
}

impl Taken {
    fn new(flow: &Flow) -> Self {
        let num_points = 2 * flow.steps.len();
        Self { at: vec![0; Chan::ALL.len() * num_points], num_points, ever: 0, arrays: 0 }
    }

    fn place(&self, chan: Chan, (start, end): Segment) -> std::ops::Range<usize> {
        let channel = chan as usize * self.num_points;
        channel + start as usize..channel + end as usize
    }

    /// The GPRs that are occupied in `chan` at some point of `range`.
    fn within(&self, chan: Chan, range: impl Iterator<Item = Segment>) -> Gprs {
        let points = range.flat_map(|segment| &self.at[self.place(chan, segment)]);
        points.fold(self.arrays, |taken, at| taken | at)
    }

    fn take(&mut self, gpr: u8, chan: Chan, range: impl Iterator<Item = Segment>) {
        for segment in range {
            let place = self.place(chan, segment);
            self.at[place].iter_mut().for_each(|at| *at |= 1 << gpr);
            self.ever |= 1 << gpr;
        }
    }
}

struct Assigner<'a> {
    function: &'a Function,
    flow: &'a Flow,
    chans: &'a SecondaryMap<VReg, Chan>,
    ranges: &'a LiveRanges,
    taken: Taken,
    gprs: SecondaryMap<VReg, Option<u8>>,
    num_gprs: u8,
}

impl<'a> Assigner<'a> {
    fn place(&mut self, gpr: u8, vreg: VReg) {
        self.taken.take(gpr, self.chans[vreg], self.ranges.of(vreg));
        self.gprs[vreg] = Some(gpr);
        if gpr < MAX_GPRS {
            self.num_gprs = self.num_gprs.max(gpr + 1);
        }
    }

    fn place_all(&mut self, gpr: u8, members: &[VReg]) {
        members.iter().for_each(|&member| self.place(gpr, member));
    }

    /// Assigns vectors with a fixed GPR.
    fn fixed(&mut self) {
        let function: &'a Function = self.function;
        for info in function.vectors.values() {
            if let Some(gpr) = info.gpr {
                self.place_all(gpr, &info.members);
            }
        }
    }

    /// Arrays take whole GPRs for the whole program.
    fn arrays(&mut self) -> Result<SecondaryMap<Array, u8>, AllocError> {
        let mut bases = SecondaryMap::new();
        for (array, info) in &self.function.arrays {
            let taken = self.taken.ever | self.taken.arrays;
            let last = MAX_GPRS.checked_sub(info.len).ok_or(AllocError::OutOfRegisters)?;
            let base = (0..=last)
                .find(|&base| taken & gprs_between(base, base + info.len) == 0)
                .ok_or(AllocError::OutOfRegisters)?;
            self.taken.arrays |= gprs_between(base, base + info.len);
            self.num_gprs = self.num_gprs.max(base + info.len);
            bases[array] = base;
        }
        Ok(bases)
    }

    /// Assigns vectors in order of their first definition; they are harder to place than single registers.
    fn vectors(&mut self) -> Result<(), AllocError> {
        let function: &'a Function = self.function;
        let mut order: Vec<(Point, Vector)> = Vec::with_capacity(function.vectors.len());
        let free = function.vectors.iter().filter(|(_, info)| info.gpr.is_none());
        order.extend(free.filter_map(|(vector, info)| {
            let start = info.members.iter().filter_map(|&m| self.ranges.start(m)).min()?;
            Some((start, vector))
        }));
        order.sort_unstable();
        for (_, vector) in order {
            let members = &function.vectors[vector].members;
            let gpr = self.find(members).ok_or(AllocError::OutOfRegisters)?;
            self.place_all(gpr, members);
        }
        Ok(())
    }

    fn scalars(&mut self) -> Result<(), AllocError> {
        let vregs = &self.function.vregs;
        let mut order: Vec<(Point, VReg)> = Vec::with_capacity(vregs.len());
        let single = vregs.iter().filter(|(_, info)| info.vector.is_none());
        order.extend(single.filter_map(|(vreg, _)| Some((self.ranges.start(vreg)?, vreg))));
        order.sort_unstable();
        for (_, vreg) in order {
            let gpr = self.find_scalar(vreg).ok_or(AllocError::OutOfRegisters)?;
            self.place(gpr, vreg);
        }
        Ok(())
    }

    /// The GPRs that are free for all of `members`.
    fn free(&self, members: &[VReg]) -> Gprs {
        let taken = |&vreg: &VReg| self.taken.within(self.chans[vreg], self.ranges.of(vreg));
        !members.iter().map(taken).fold(0, |all, taken| all | taken)
    }

    fn find_scalar(&self, vreg: VReg) -> Option<u8> {
        let free = self.free(&[vreg]);
        let temporary = || first(free & TEMPORARIES).filter(|_| self.is_clause_local(vreg));
        temporary().or_else(|| self.best_of(free, &[vreg]))
    }

    fn find(&self, members: &[VReg]) -> Option<u8> {
        self.best_of(self.free(members), members)
    }

    /// The first GPR of those that are `free` for `members`. If `members` are fetched, one that no later fetch of the
    /// clause reads is preferred, because such a fetch would need a clause of its own.
    fn best_of(&self, free: Gprs, members: &[VReg]) -> Option<u8> {
        let free = free & COUNTED;
        first(free & !self.read_beside(members)).or_else(|| first(free))
    }

    /// GPRs that are read by fetches of the clause that writes `members`, after the fetch that does.
    fn read_beside(&self, members: &[VReg]) -> Gprs {
        if !self.function.avoids(Hazard::FetchOfFetched) {
            return 0;
        }
        let start = members.iter().filter_map(|&member| self.ranges.start(member)).min();
        let Some(writer) = start.filter(|start| start % 2 == 1).map(|start| start / 2) else {
            return 0;
        };
        let steps = &self.flow.steps;
        let clause = steps.clause(writer);
        let InClause::Fetch(_) = clause else { return 0 };
        let later =
            (writer + 1..steps.len() as u32).take_while(|&step| steps.clause(step) == clause);
        let gprs = later.flat_map(|step| steps.reads(step)).filter_map(|&vreg| self.gprs[vreg]);
        gprs.fold(0, |read, gpr| read | 1 << gpr)
    }

    /// Whether the register is written and read within one ALU clause only.
    fn is_clause_local(&self, vreg: VReg) -> bool {
        let Some((start, end)) = self.ranges.span(vreg) else { return false };
        // The first point is a write, the last one past a read or a write.
        let clause = self.flow.steps.clause(start / 2);
        start % 2 == 1 && clause.is_alu() && clause == self.flow.steps.clause((end - 1) / 2)
    }
}
