//! Live ranges of virtual registers over scheduled steps.
//!
//! Step s reads at `2·s` and writes at `2·s + 1`. Within a block one walk forward finds them all; what is read
//! before it is written is then followed back through the blocks to the writes it may see, every block once
//! per register.

use cranelift_entity::{EntityRef as _, SecondaryMap};
use r600_mir::{Function, VReg};

use crate::hash::FastSet;
use crate::live_range::Point;

use super::flow::Flow;

/// The points from the first to before the second.
pub(crate) type Segment = (Point, Point);

/// The live range of every register: segments that are sorted and disjoint.
#[derive(Debug)]
pub(crate) struct LiveRanges {
    segments: Vec<Segment>,
    /// Where the segments of each register begin, and at the end where the last end.
    first: Vec<u32>,
}

impl LiveRanges {
    /// The segments of `vreg`.
    pub(crate) fn of(&self, vreg: VReg) -> &[Segment] {
        let at = vreg.index();
        &self.segments[self.first[at] as usize..self.first[at + 1] as usize]
    }

    /// Where the range of `vreg` begins; `None` for one that is neither read nor written.
    pub(crate) fn start(&self, vreg: VReg) -> Option<Point> {
        self.of(vreg).first().map(|segment| segment.0)
    }

    /// Sorts `owned` by register. Segments of one register keep their order.
    fn by_register(num_vregs: usize, owned: &[Owned]) -> Self {
        let mut first = vec![0_u32; num_vregs + 2];
        for (vreg, _) in owned {
            first[vreg.index() + 2] += 1;
        }
        for at in 2..first.len() {
            first[at] += first[at - 1];
        }
        let mut segments = vec![(0, 0); owned.len()];
        for (vreg, segment) in owned {
            let next = &mut first[vreg.index() + 1];
            segments[*next as usize] = *segment;
            *next += 1;
        }
        first.pop();
        Self { segments, first }
    }

    /// Joins segments of one register that meet or overlap.
    fn join(&mut self) {
        let mut kept = 0;
        for at in 0..self.first.len() - 1 {
            let (begin, end) = (self.first[at] as usize, self.first[at + 1] as usize);
            self.segments[begin..end].sort_unstable();
            self.first[at] = kept as u32;
            for n in begin..end {
                let segment = self.segments[n];
                if n > begin && segment.0 <= self.segments[kept - 1].1 {
                    let last = &mut self.segments[kept - 1].1;
                    *last = segment.1.max(*last);
                } else {
                    self.segments[kept] = segment;
                    kept += 1;
                }
            }
        }
        self.segments.truncate(kept);
        if let Some(end) = self.first.last_mut() {
            *end = kept as u32;
        }
    }
}

/// A segment of a register.
type Owned = (VReg, Segment);

/// The live range of every register.
pub(crate) fn live_ranges(function: &Function, flow: &Flow) -> LiveRanges {
    let num_vregs = function.vregs.len();
    let mut walk = Walk {
        flow,
        segments: Vec::with_capacity(num_vregs),
        open: SecondaryMap::new(),
        entered: FastSet::default(),
        work: Vec::new(),
    };
    walk.open.resize(num_vregs);
    for block in 0..flow.blocks.len() {
        walk.block(block as u32);
    }
    let mut ranges = LiveRanges::by_register(num_vregs, &walk.segments);
    if !walk.work.is_empty() {
        walk.follow(&ranges);
        ranges = LiveRanges::by_register(num_vregs, &walk.segments);
    }
    ranges.join();
    ranges
}

struct Walk<'a> {
    flow: &'a Flow,
    segments: Vec<Owned>,
    /// One more than the number of the newest segment of each register; 0 where there is none.
    open: SecondaryMap<VReg, u32>,
    /// Registers known to be live at the end of a block.
    entered: FastSet<(VReg, u32)>,
    work: Vec<(VReg, u32)>,
}

impl<'a> Walk<'a> {
    fn bounds(&self, block: u32) -> (u32, u32) {
        let block = &self.flow.blocks[block as usize];
        (block.first, block.end)
    }

    /// Ranges of the reads and writes in one block.
    fn block(&mut self, block: u32) {
        let flow: &'a Flow = self.flow;
        let (first, end) = self.bounds(block);
        for at in first..end {
            let step = &flow.steps[at as usize];
            for &vreg in &step.reads {
                self.read(vreg, block, 2 * at + 1);
            }
            for &vreg in &step.writes {
                // Even a write nobody reads takes its place for a moment.
                self.begin(vreg, (2 * at + 1, 2 * at + 2));
            }
        }
    }

    fn begin(&mut self, vreg: VReg, segment: Segment) {
        self.segments.push((vreg, segment));
        self.open[vreg] = self.segments.len() as u32;
    }

    /// A read that ends at `end`: from the last write before it, in this block or those before.
    fn read(&mut self, vreg: VReg, block: u32, end: Point) {
        let start = 2 * self.bounds(block).0;
        if let Some(open) = self.open[vreg].checked_sub(1) {
            let segment = &mut self.segments[open as usize].1;
            if segment.0 >= start {
                segment.1 = segment.1.max(end);
                return;
            }
        }
        self.begin(vreg, (start, end));
        self.enter_predecessors(vreg, block);
    }

    fn enter_predecessors(&mut self, vreg: VReg, block: u32) {
        let flow: &'a Flow = self.flow;
        for &predecessor in &flow.blocks[block as usize].predecessors {
            if self.entered.insert((vreg, predecessor)) {
                self.work.push((vreg, predecessor));
            }
        }
    }

    /// Follows registers that are live at the ends of blocks; `local` are the segments within blocks.
    fn follow(&mut self, local: &LiveRanges) {
        while let Some((vreg, block)) = self.work.pop() {
            let (first, end) = self.bounds(block);
            let segments = local.of(vreg);
            let newest = segments.partition_point(|&(start, _)| start < 2 * end).checked_sub(1);
            let start = newest.map_or(0, |at| segments[at].0);
            // Segments that begin with a write begin at an odd point.
            if start > 2 * first && start % 2 == 1 {
                self.segments.push((vreg, (start, 2 * end)));
            } else {
                if first < end {
                    self.segments.push((vreg, (2 * first, 2 * end)));
                }
                self.enter_predecessors(vreg, block);
            }
        }
    }
}
