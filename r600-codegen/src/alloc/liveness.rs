//! Live ranges of virtual registers over scheduled steps.
//!
//! Step s reads at `2·s` and writes at `2·s + 1`. From each read the range is followed back through the
//! blocks to the writes it may see, every block once per register.

use std::collections::HashSet;

use cranelift_entity::SecondaryMap;
use r600_sched::machine::{Function, VReg};

use crate::live_range::{LiveRange, Point};

use super::flow::Flow;

/// The live range of every register.
pub(crate) fn live_ranges(function: &Function, flow: &Flow) -> SecondaryMap<VReg, LiveRange> {
    let mut walk = Walk::new(function, flow);
    for block in 0..flow.blocks.len() {
        walk.block(block as u32);
    }
    let mut ranges = SecondaryMap::with_capacity(function.vregs.len());
    for vreg in function.vregs.keys() {
        ranges[vreg] = LiveRange::from_segments(std::mem::take(&mut walk.segments[vreg]));
    }
    ranges
}

struct Walk<'a> {
    flow: &'a Flow,
    segments: SecondaryMap<VReg, Vec<(Point, Point)>>,
    /// Steps that write each register, in order.
    writes: SecondaryMap<VReg, Vec<u32>>,
    /// Registers known to be live at the end of a block.
    live_out: HashSet<(VReg, u32)>,
    work: Vec<(VReg, u32)>,
}

impl<'a> Walk<'a> {
    fn new(function: &Function, flow: &'a Flow) -> Self {
        let mut writes: SecondaryMap<VReg, Vec<u32>> =
            SecondaryMap::with_capacity(function.vregs.len());
        let mut segments: SecondaryMap<VReg, Vec<(Point, Point)>> =
            SecondaryMap::with_capacity(function.vregs.len());
        for (at, step) in flow.steps.iter().enumerate() {
            for &vreg in &step.writes {
                writes[vreg].push(at as u32);
                // Even a write nobody reads takes its place for a moment.
                segments[vreg].push((2 * at as u32 + 1, 2 * at as u32 + 2));
            }
        }
        Self { flow, segments, writes, live_out: HashSet::new(), work: Vec::new() }
    }

    /// Ranges of the reads in one block.
    fn block(&mut self, block: u32) {
        let (first, end) = self.bounds(block);
        for at in (first..end).rev() {
            let reads = self.flow.steps[at as usize].reads.clone();
            for vreg in reads {
                self.read(vreg, block, at);
            }
        }
        self.follow();
    }

    fn bounds(&self, block: u32) -> (u32, u32) {
        let block = &self.flow.blocks[block as usize];
        (block.first, block.end)
    }

    /// A read at step `at`: from the last write before it, in this block or those before.
    fn read(&mut self, vreg: VReg, block: u32, at: u32) {
        let (first, _) = self.bounds(block);
        let end = 2 * at + 1;
        match self.last_write(vreg, first, at) {
            Some(write) => self.segments[vreg].push((2 * write + 1, end)),
            None => {
                self.segments[vreg].push((2 * first, end));
                self.enter_predecessors(vreg, block);
            }
        }
    }

    fn last_write(&self, vreg: VReg, first: u32, before: u32) -> Option<u32> {
        let writes = &self.writes[vreg];
        let at = writes.partition_point(|&write| write < before);
        at.checked_sub(1).map(|at| writes[at]).filter(|&write| write >= first)
    }

    fn enter_predecessors(&mut self, vreg: VReg, block: u32) {
        for &predecessor in &self.flow.blocks[block as usize].predecessors {
            if self.live_out.insert((vreg, predecessor)) {
                self.work.push((vreg, predecessor));
            }
        }
    }

    /// Follows registers that are live at the ends of blocks.
    fn follow(&mut self) {
        while let Some((vreg, block)) = self.work.pop() {
            let (first, end) = self.bounds(block);
            match self.last_write(vreg, first, end) {
                Some(write) => self.segments[vreg].push((2 * write + 1, 2 * end)),
                None => {
                    self.segments[vreg].push((2 * first, 2 * end));
                    self.enter_predecessors(vreg, block);
                }
            }
        }
    }
}
