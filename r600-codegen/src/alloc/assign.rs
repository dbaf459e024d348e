//! Gives GPRs to live ranges.

use cranelift_entity::SecondaryMap;
use r600_isa::{Chan, Hazard};
use r600_mir::{Array, Function, VReg, Vector};

use crate::live_range::Point;

use super::flow::Flow;
use super::liveness::{LiveRanges, Segment};
use super::{AllocError, Allocation, CLAUSE_TEMPORARIES, MAX_GPRS};

/// Assigns every register that has a live range.
pub(super) fn assign(
    function: &Function,
    flow: &Flow,
    chans: &SecondaryMap<VReg, Chan>,
    ranges: &LiveRanges,
) -> Result<Allocation, AllocError> {
    let mut assigner = Assigner {
        function,
        flow,
        chans,
        ranges,
        occupied: (0..128).map(|_| Default::default()).collect(),
        ends: [[0; 128]; 4],
        gprs: SecondaryMap::with_capacity(function.vregs.len()),
        num_gprs: 0,
    };
    assigner.fixed();
    let arrays = assigner.arrays()?;
    assigner.vectors()?;
    assigner.scalars()?;
    Ok(Allocation { gprs: assigner.gprs, arrays, num_gprs: assigner.num_gprs })
}

/// Live segments of one channel of one GPR, sorted and disjoint.
#[derive(Clone, Debug, Default)]
struct Occupied {
    segments: Vec<Segment>,
}

impl Occupied {
    fn is_free(&self, range: &[Segment]) -> bool {
        range.iter().all(|&(start, end)| {
            let at = self.segments.partition_point(|&(_, other_end)| other_end <= start);
            self.segments.get(at).is_none_or(|&(other_start, _)| end <= other_start)
        })
    }

    fn take(&mut self, range: &[Segment]) {
        for &(start, end) in range {
            let at = self.segments.partition_point(|&(other, _)| other < start);
            self.segments.insert(at, (start, end));
        }
    }
}

struct Assigner<'a> {
    function: &'a Function,
    flow: &'a Flow,
    chans: &'a SecondaryMap<VReg, Chan>,
    ranges: &'a LiveRanges,
    occupied: Vec<[Occupied; 4]>,
    /// Where the last segment of each GPR ends, by channel.
    ends: [[Point; 128]; 4],
    gprs: SecondaryMap<VReg, Option<u8>>,
    num_gprs: u8,
}

impl Assigner<'_> {
    fn is_free(&self, gpr: u8, vreg: VReg) -> bool {
        let (gpr, chan) = (usize::from(gpr), self.chans[vreg] as usize);
        // Ranges come mostly in order of their starts.
        let begins_behind =
            self.ranges.start(vreg).is_none_or(|start| self.ends[chan][gpr] <= start);
        begins_behind || self.occupied[gpr][chan].is_free(self.ranges.of(vreg))
    }

    fn place(&mut self, gpr: u8, vreg: VReg) {
        let (chan, range) = (self.chans[vreg] as usize, self.ranges.of(vreg));
        self.occupied[usize::from(gpr)][chan].take(range);
        let end = &mut self.ends[chan][usize::from(gpr)];
        *end = range.last().map_or(*end, |segment| segment.1.max(*end));
        self.gprs[vreg] = Some(gpr);
        if gpr < MAX_GPRS {
            self.num_gprs = self.num_gprs.max(gpr + 1);
        }
    }

    fn place_vector(&mut self, gpr: u8, vector: Vector) {
        let function = self.function;
        for &member in &function.vectors[vector].members {
            self.place(gpr, member);
        }
    }

    /// Vectors whose GPR is given.
    fn fixed(&mut self) {
        let function = self.function;
        for (vector, info) in &function.vectors {
            if let Some(gpr) = info.gpr {
                self.place_vector(gpr, vector);
            }
        }
    }

    /// Arrays take whole GPRs for the whole program.
    fn arrays(&mut self) -> Result<SecondaryMap<Array, u8>, AllocError> {
        let all = [(0, Point::MAX)];
        let mut bases = SecondaryMap::new();
        for (array, info) in &self.function.arrays {
            let base = (0..MAX_GPRS.saturating_sub(info.len))
                .find(|&base| {
                    self.occupied[usize::from(base)..usize::from(base + info.len)]
                        .iter()
                        .flatten()
                        .all(|channel| channel.is_free(&all))
                })
                .ok_or(AllocError::OutOfRegisters)?;
            for gpr in base..base + info.len {
                self.occupied[usize::from(gpr)].iter_mut().for_each(|channel| channel.take(&all));
                self.ends.iter_mut().for_each(|ends| ends[usize::from(gpr)] = Point::MAX);
            }
            self.num_gprs = self.num_gprs.max(base + info.len);
            bases[array] = base;
        }
        Ok(bases)
    }

    /// Vectors, in order of their first definition: they are harder to place than single registers.
    fn vectors(&mut self) -> Result<(), AllocError> {
        let function = self.function;
        let mut order: Vec<(Point, Vector)> = function
            .vectors
            .iter()
            .filter(|(_, info)| info.gpr.is_none())
            .filter_map(|(vector, info)| {
                let start = info.members.iter().filter_map(|&m| self.ranges.start(m)).min()?;
                Some((start, vector))
            })
            .collect();
        order.sort_unstable();
        for (_, vector) in order {
            let members = &function.vectors[vector].members;
            let gpr = self.find(members).ok_or(AllocError::OutOfRegisters)?;
            self.place_vector(gpr, vector);
        }
        Ok(())
    }

    fn scalars(&mut self) -> Result<(), AllocError> {
        let mut order: Vec<(Point, VReg)> = self
            .function
            .vregs
            .iter()
            .filter(|(_, info)| info.vector.is_none())
            .filter_map(|(vreg, _)| Some((self.ranges.start(vreg)?, vreg)))
            .collect();
        order.sort_unstable();
        for (_, vreg) in order {
            let gpr = self.find_scalar(vreg).ok_or(AllocError::OutOfRegisters)?;
            self.place(gpr, vreg);
        }
        Ok(())
    }

    fn find_scalar(&self, vreg: VReg) -> Option<u8> {
        if self.is_clause_local(vreg)
            && let Some(temporary) =
                CLAUSE_TEMPORARIES.into_iter().find(|&gpr| self.is_free(gpr, vreg))
        {
            return Some(temporary);
        }
        self.find(&[vreg])
    }

    /// The first GPR that is free for `members`. Where they are fetched, one that no later fetch of the clause reads is
    /// better, since that one would need a clause of its own.
    fn find(&self, members: &[VReg]) -> Option<u8> {
        let is_free = |gpr: &u8| members.iter().all(|&member| self.is_free(*gpr, member));
        let first = (0..MAX_GPRS).find(is_free)?;
        let read = self.read_beside(members);
        let others = || (first..MAX_GPRS).filter(|&gpr| read & 1 << gpr == 0).find(is_free);
        if read & 1 << first == 0 { Some(first) } else { others().or(Some(first)) }
    }

    /// GPRs that are read by fetches of the clause that writes `members`, after the fetch that does, a bit each.
    fn read_beside(&self, members: &[VReg]) -> u128 {
        if !self.function.avoids(Hazard::FetchOfFetched) {
            return 0;
        }
        let start = members.iter().filter_map(|&member| self.ranges.start(member)).min();
        let Some(writer) = start.filter(|start| start % 2 == 1).map(|start| start as usize / 2)
        else {
            return 0;
        };
        let steps = &self.flow.steps[writer..];
        let Some(clause) = steps[0].fetch_clause else { return 0 };
        let later = steps[1..].iter().take_while(|step| step.fetch_clause == Some(clause));
        let gprs = later.flat_map(|step| &step.reads).filter_map(|&vreg| self.gprs[vreg]);
        gprs.fold(0, |read, gpr| read | 1 << gpr)
    }

    /// Whether the register is written and read within one ALU clause only.
    fn is_clause_local(&self, vreg: VReg) -> bool {
        let range = self.ranges.of(vreg);
        let (Some(&(start, _)), Some(&(_, end))) = (range.first(), range.last()) else {
            return false;
        };
        let clause_at = |step: Point| self.flow.steps[step as usize].alu_clause;
        // The first point is a write, the last one past a read or a write.
        let (first, last) = (start / 2, (end - 1) / 2);
        start % 2 == 1 && clause_at(first).is_some() && clause_at(first) == clause_at(last)
    }
}
