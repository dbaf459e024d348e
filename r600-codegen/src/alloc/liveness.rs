//! Live ranges of virtual registers over scheduled steps.
//!
//! Step s reads at `2·s` and writes at `2·s + 1`. Once liveness between blocks is known, one forward walk finds the
//! segments of all ranges in order.

use r600_mir::{Function, VReg};

use cranelift_entity::SecondaryMap;

use crate::live_range::Point;

use super::crossing::{self, Crossing};
use super::flow::Flow;

/// The points from the first to before the second.
pub(crate) type Segment = (Point, Point);

/// The live range of every register: segments that are sorted and disjoint. Most registers have one.
#[derive(Debug)]
pub(crate) struct LiveRanges {
    /// The segments of all registers, each with the number of the next one of its register.
    segments: Vec<(Segment, Option<u32>)>,
    /// The numbers of the first and the last segment of each register.
    ends: SecondaryMap<VReg, Option<(u32, u32)>>,
}

impl LiveRanges {
    /// The segments of `vreg`.
    pub(crate) fn of(&self, vreg: VReg) -> impl Iterator<Item = Segment> {
        let mut next = self.ends[vreg].map(|(first, _)| first);
        std::iter::from_fn(move || {
            let (segment, following) = self.segments[next? as usize];
            next = following;
            Some(segment)
        })
    }

    /// Where the range of `vreg` begins; `None` for one that is neither read nor written.
    pub(crate) fn start(&self, vreg: VReg) -> Option<Point> {
        self.ends[vreg].map(|(first, _)| self.segments[first as usize].0.0)
    }

    /// Where the range of `vreg` begins and ends.
    pub(crate) fn span(&self, vreg: VReg) -> Option<Segment> {
        let (first, last) = self.ends[vreg]?;
        Some((self.segments[first as usize].0.0, self.segments[last as usize].0.1))
    }

    /// Adds a segment to the range of `vreg`. It must not begin before the last segment does.
    fn begin(&mut self, vreg: VReg, segment: Segment) {
        let new = self.segments.len() as u32;
        match &mut self.ends[vreg] {
            Some((_, last)) => {
                let (before, next) = &mut self.segments[*last as usize];
                if segment.0 <= before.1 {
                    before.1 = before.1.max(segment.1);
                    return;
                }
                *next = Some(new);
                *last = new;
            }
            none => *none = Some((new, new)),
        }
        self.segments.push((segment, None));
    }

    /// Extends the last segment of `vreg` to `end`, or adds a segment from `start` if there is none.
    fn extend(&mut self, vreg: VReg, start: Point, end: Point) {
        match self.ends[vreg] {
            Some((_, last)) => {
                let segment = &mut self.segments[last as usize].0;
                segment.1 = segment.1.max(end);
            }
            None => self.begin(vreg, (start, end)),
        }
    }
}

/// The live range of every register.
pub(crate) fn live_ranges(function: &Function, flow: &Flow) -> LiveRanges {
    let num_vregs = function.vregs.len();
    let mut ends = SecondaryMap::new();
    ends.resize(num_vregs);
    let mut ranges = LiveRanges { segments: Vec::with_capacity(num_vregs), ends };
    let Crossing { beginnings, endings } = Crossing::of(flow, num_vregs);
    let (mut beginnings, mut endings) = (&beginnings[..], &endings[..]);
    for (number, block) in (0..).zip(&flow.blocks) {
        let (start, end) = (2 * block.first, 2 * block.end);
        // A value that is live across the boundary between two blocks continues its segment: it is read before it is
        // written.
        for (_, vreg) in crossing::of_block(&mut beginnings, number) {
            ranges.begin(*vreg, (start, start));
        }
        for step in block.first..block.end {
            for &vreg in flow.steps.reads(step) {
                ranges.extend(vreg, start, 2 * step + 1);
            }
            for &vreg in flow.steps.writes(step) {
                // Even a write that nobody reads occupies a GPR at its own point.
                ranges.begin(vreg, (2 * step + 1, 2 * step + 2));
            }
        }
        for (_, vreg) in crossing::of_block(&mut endings, number) {
            ranges.extend(*vreg, start, end);
        }
    }
    ranges
}
