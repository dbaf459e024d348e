//! Chooses the registers to spill.
//!
//! Live ranges follow program order. Where more registers are live than fit, the one with the longest range and the
//! fewest reads and writes is spilled; accesses in loops weigh more.

use std::collections::BTreeSet;

use cranelift_entity::SecondaryMap;
use r600_mir::{Block, Function, Node, Region, VReg};
use r600_mir::{for_each_read, for_each_write};

use crate::alloc::{Flow, InClause, LiveRanges, live_ranges};
use crate::live_range::Point;

use super::Unit;

/// Assumed number of iterations of a loop.
const ASSUMED_ITERATIONS: f64 = 8.0;

/// Loop depth beyond which weights no longer grow.
const MAX_DEPTH: i32 = 4;

/// Length below which spilling a range gains nothing.
const SHORTEST: Point = 16;

/// The units to spill in order of their first definitions, so that at most `gprs` GPRs are live at once.
pub(super) fn units(function: &Function, gprs: u32) -> Vec<Unit> {
    let arrays: u32 = function.arrays.values().map(|array| u32::from(array.len)).sum();
    let limit = 4 * gprs.saturating_sub(arrays);
    let flow = in_program_order(function);
    let ranges = live_ranges(function, &flow);
    let costs = costs(function);
    let mut sweep = Sweep {
        function,
        ranges: &ranges,
        costs: &costs,
        live: 0,
        live_members: Default::default(),
        candidates: BTreeSet::new(),
        spilled: Vec::new(),
        keys: SecondaryMap::new(),
    };
    sweep.run(limit as usize);
    sweep.spilled.sort_by_key(|&unit| (first_point(function, &ranges, unit), unit));
    sweep.spilled
}

/// Every operation as a step, in program order.
fn in_program_order(function: &Function) -> Flow {
    Flow::build(function, |block, out| {
        for &op in &function.blocks[block] {
            for_each_read(&function.ops[op], |vreg| out.read(vreg));
            for_each_write(&function.ops[op], |vreg| out.write(vreg));
            out.end(InClause::Outside);
        }
    })
}

/// Reads and writes of each register, weighted by loops.
fn costs(function: &Function) -> SecondaryMap<VReg, f64> {
    let mut costs = SecondaryMap::with_default(0.0);
    each_block(&function.body, 0, &mut |block, depth| {
        let weight = ASSUMED_ITERATIONS.powi(depth.min(MAX_DEPTH));
        for &op in &function.blocks[block] {
            for_each_read(&function.ops[op], |vreg| costs[vreg] += weight);
            for_each_write(&function.ops[op], |vreg| costs[vreg] += weight);
        }
    });
    costs
}

fn each_block(region: &Region, depth: i32, visit: &mut impl FnMut(Block, i32)) {
    for node in &region.nodes {
        match node {
            Node::Block(block) => visit(*block, depth),
            Node::If { then, otherwise } => {
                each_block(then, depth, visit);
                each_block(otherwise, depth, visit);
            }
            Node::Loop { body } => each_block(body, depth + 1, visit),
            Node::Break | Node::Continue => {}
        }
    }
}

fn unit_of(function: &Function, vreg: VReg) -> Unit {
    function.vregs[vreg].vector.map_or(Unit::Scalar(vreg), Unit::Vector)
}

fn members(function: &Function, unit: Unit) -> &[VReg] {
    match unit {
        Unit::Vector(vector) => &function.vectors[vector].members,
        Unit::Scalar(_) => &[],
    }
}

fn first_point(function: &Function, ranges: &LiveRanges, unit: Unit) -> Option<Point> {
    match unit {
        Unit::Scalar(vreg) => ranges.start(vreg),
        Unit::Vector(_) => {
            members(function, unit).iter().filter_map(|&vreg| ranges.start(vreg)).min()
        }
    }
}

/// A walk over all points in order.
struct Sweep<'a> {
    function: &'a Function,
    ranges: &'a LiveRanges,
    costs: &'a SecondaryMap<VReg, f64>,
    /// Registers that are live and not spilled.
    live: usize,
    /// Live registers of each unit.
    live_members: std::collections::BTreeMap<Unit, usize>,
    /// Live units, the ones to spill first.
    candidates: BTreeSet<(u64, Unit)>,
    spilled: Vec<Unit>,
    /// Sort keys of units, at their first registers. A unit has many live segments and enters and leaves the set with
    /// each.
    keys: SecondaryMap<VReg, Option<Option<u64>>>,
}

impl Sweep<'_> {
    fn run(&mut self, limit: usize) {
        let mut events: Vec<(Point, bool, VReg)> = Vec::new();
        for vreg in self.function.vregs.keys() {
            for (start, end) in self.ranges.of(vreg) {
                events.push((start, true, vreg));
                events.push((end, false, vreg));
            }
        }
        // Ends come before starts, to make room.
        events.sort_unstable();
        let mut gone = BTreeSet::new();
        for (_, begins, vreg) in events {
            let unit = unit_of(self.function, vreg);
            if gone.contains(&unit) {
                continue;
            }
            if begins {
                self.begin(unit);
            } else {
                self.end(unit);
            }
            while self.live > limit
                && let Some((_, cheapest)) = self.candidates.pop_first()
            {
                self.live -= self.live_members.remove(&cheapest).into_iter().sum::<usize>();
                gone.insert(cheapest);
                self.spilled.push(cheapest);
            }
        }
    }

    fn begin(&mut self, unit: Unit) {
        self.live += 1;
        let count = self.live_members.entry(unit).or_insert(0);
        *count += 1;
        if *count == 1
            && let Some(key) = self.key(unit)
        {
            self.candidates.insert((key, unit));
        }
    }

    fn end(&mut self, unit: Unit) {
        self.live -= 1;
        let Some(count) = self.live_members.get_mut(&unit) else { return };
        *count -= 1;
        if *count == 0 {
            self.live_members.remove(&unit);
            if let Some(key) = self.key(unit) {
                self.candidates.remove(&(key, unit));
            }
        }
    }

    /// Reads and writes per live point of a unit, as bits that sort like the number; `None` if it lives too shortly.
    fn key(&mut self, unit: Unit) -> Option<u64> {
        let first = match unit {
            Unit::Scalar(vreg) => Some(vreg),
            Unit::Vector(_) => members(self.function, unit).first().copied(),
        };
        let Some(first) = first else { return self.compute_key(unit) };
        if let Some(known) = self.keys[first] {
            return known;
        }
        let key = self.compute_key(unit);
        self.keys[first] = Some(key);
        key
    }

    fn compute_key(&self, unit: Unit) -> Option<u64> {
        let single;
        let all = match unit {
            Unit::Scalar(vreg) => {
                single = [vreg];
                &single[..]
            }
            Unit::Vector(_) => members(self.function, unit),
        };
        let segments = all.iter().flat_map(|&vreg| self.ranges.of(vreg));
        let points: Point = segments.map(|(start, end)| end - start).sum();
        let cost: f64 = all.iter().map(|&vreg| self.costs[vreg]).sum();
        (points >= SHORTEST).then(|| (cost / f64::from(points)).to_bits())
    }
}
