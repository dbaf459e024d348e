//! Live ranges of SSA values, before register selection.
//!
//! Each event of the walk over the region tree has a point, numbered from 1. Values that are live on entry are written
//! at point 0. Reads happen at `2·point`, writes at `2·point + 1`. A range is found from each use by walking up the
//! tree to the region of the definition, once per value and region.
//!
//! A lane that leaves an iteration from an arm reads none of the iteration's values any more. So their ranges have a
//! hole from the exit to the end of the arm, where the copies for the lane are made.

use cranelift_entity::{EntitySet, SecondaryMap};

use crate::hash::FastMap;
use crate::internal::Broken;
use crate::live_range::{LiveRange, Point};
use crate::ssa::{Arm, Event, Function, If, Operand, Value};

/// When a node at `point` reads.
const fn read(point: Point) -> Point {
    2 * point
}

/// When a node at `point` writes.
const fn write(point: Point) -> Point {
    2 * point + 1
}

/// A copy of a value for the lanes that skip an arm, while the lanes in the arm still read the value. If source and
/// destination share a register, no copy is needed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Twin {
    /// The first point of the copy's range.
    pub(super) point: Point,
    pub(super) to: Value,
    pub(super) from: Value,
}

/// Live ranges, and copies that may share a register with their source.
#[derive(Debug)]
pub(super) struct Kept {
    /// The ranges of the wanted values, including the copies to phis. Ranges of other values are empty.
    pub(super) ranges: SecondaryMap<Value, LiveRange>,
    /// Copies for lanes that skip an arm, ordered by point.
    pub(super) twins: Vec<Twin>,
}

/// The live ranges of `wanted` values.
pub(super) fn live_ranges(function: &Function, wanted: &EntitySet<Value>) -> Result<Kept, Broken> {
    let mut finder = Finder {
        function,
        wanted,
        scopes: vec![Scope { start: 0, entry: 0, kind: ScopeKind::Plain, number: 0, loops: 0 }],
        num_scopes: 1,
        holes: Vec::new(),
        exit: None,
        covered: SecondaryMap::with_capacity(function.values.len()),
        branches: Vec::new(),
        defined: SecondaryMap::with_capacity(function.values.len()),
        segments: SecondaryMap::with_capacity(function.values.len()),
        entered: FastMap::default(),
        loop_ends: loop_ends(function).into_iter(),
        twins: Vec::new(),
    };
    for live in &function.live_in {
        finder.define(live.value, 0);
    }
    for (event, point) in function.body.walk().zip(1..) {
        finder.event(event, point)?;
    }
    let mut ranges = SecondaryMap::with_capacity(function.values.len());
    for value in wanted.iter() {
        ranges[value] = LiveRange::from_segments(std::mem::take(&mut finder.segments[value]));
    }
    let mut twins = finder.twins;
    twins.retain(|twin| ranges[twin.from].contains(twin.point));
    Ok(Kept { ranges, twins })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ScopeKind {
    Plain,
    /// A loop's body; it ends at this point.
    Loop {
        end: Point,
    },
}

/// A region that is being walked.
#[derive(Clone, Copy)]
struct Scope {
    /// The point before all points of the region.
    start: Point,
    /// The point in the surrounding region from which it is entered.
    entry: Point,
    kind: ScopeKind,
    number: u32,
    /// Number of loops around its contents, its own included.
    loops: usize,
}

struct Finder<'a> {
    function: &'a Function,
    wanted: &'a EntitySet<Value>,
    scopes: Vec<Scope>,
    num_scopes: u32,
    /// The condition points of open branches.
    branches: Vec<Point>,
    /// For each open loop, the holes in the ranges of values defined in it, in order.
    holes: Vec<Vec<(Point, Point)>>,
    /// The last exit, as long as only ends of regions follow it.
    exit: Option<Point>,
    /// Up to where the range of each value is known in the region of its definition.
    covered: SecondaryMap<Value, Point>,
    defined: SecondaryMap<Value, Point>,
    segments: SecondaryMap<Value, Vec<(Point, Point)>>,
    /// For values live at the start of a scope: up to where their ranges are known in that scope.
    entered: FastMap<(Value, u32), Point>,
    /// The end points of loops not reached yet, in the order of their starts.
    loop_ends: std::vec::IntoIter<Point>,
    /// The copies for lanes that skip an arm.
    twins: Vec<Twin>,
}

impl Finder<'_> {
    /// Records that the node at `point` writes `value`.
    fn define(&mut self, value: Value, point: Point) {
        if !self.wanted.contains(value) {
            return;
        }
        self.defined[value] = point;
        self.segments[value].push((write(point), write(point) + 1));
    }

    /// Records that the node at `point` reads `value`.
    fn read(&mut self, value: Value, point: Point) {
        if !self.wanted.contains(value) {
            return;
        }
        let defined = write(self.defined[value]);
        let has_definition = |scope: &Scope| defined > read(scope.start);
        let defining = self.scopes.iter().rposition(has_definition).unwrap_or(0);
        let loops = self.scopes[defining].loops;
        let mut end = read(point) + 1;
        for at in (defining + 1..self.scopes.len()).rev() {
            let scope = self.scopes[at];
            if let Some(known) = self.entered.get_mut(&(value, scope.number)) {
                // The value is known to be live from the start of this scope, so only the tail is new.
                let start = std::mem::replace(known, end.max(*known));
                return self.live(value, (start, end), loops);
            }
            let until = match scope.kind {
                ScopeKind::Plain => end,
                ScopeKind::Loop { end: loop_end } => read(loop_end) + 1,
            };
            self.entered.insert((value, scope.number), until);
            self.live(value, (write(scope.start), until), loops);
            end = read(scope.entry) + 1;
        }
        let start = defined.max(self.covered[value]);
        self.live(value, (start, end), loops);
        self.covered[value] = start.max(end);
    }

    /// Marks `value` live between two points, except in the holes of its loop. `loops` is the number of loops around
    /// its definition.
    fn live(&mut self, value: Value, (mut start, end): (Point, Point), loops: usize) {
        let holes = loops.checked_sub(1).and_then(|at| self.holes.get(at));
        let holes = holes.map(Vec::as_slice).unwrap_or_default();
        let first = holes.partition_point(|&(_, hole_end)| hole_end <= start);
        for &(hole, hole_end) in holes[first..].iter().take_while(|(hole, _)| *hole < end) {
            self.segments[value].push((start, hole.max(start)));
            start = hole_end;
        }
        self.segments[value].push((start, end.max(start)));
    }

    fn read_operand(&mut self, operand: Operand, point: Point) {
        if let Some(value) = operand.as_value() {
            self.read(value, point);
        }
    }

    /// Records that the copy at `point` writes the value of a phi.
    fn copy_to(&mut self, value: Value, point: Point) {
        self.segments[value].push((write(point), write(point) + 1));
    }

    /// Records copies at `point`, all made at once.
    fn copies(&mut self, copies: impl Iterator<Item = (Value, Operand)>, point: Point) {
        for (to, from) in copies {
            self.read_operand(from, point);
            self.copy_to(to, point);
        }
    }

    fn enter(&mut self, start: Point, entry: Point, kind: ScopeKind) {
        let own = usize::from(matches!(kind, ScopeKind::Loop { .. }));
        let loops = self.scopes.last().map_or(0, |scope| scope.loops) + own;
        self.scopes.push(Scope { start, entry, kind, number: self.num_scopes, loops });
        self.num_scopes += 1;
    }

    /// Ends an arm. Lanes that left it by an exit read nothing before its end.
    fn end_arm(&mut self, point: Point) {
        if let (Some(exit), Some(holes)) = (self.exit.take(), self.holes.last_mut()) {
            holes.push((write(exit), write(point) + 1));
        }
    }

    fn event(&mut self, event: Event<'_>, point: Point) -> Result<(), Broken> {
        match event {
            Event::Inst(inst) => {
                let inst = &self.function.insts[inst];
                inst.data.for_each_operand(|operand| self.read_operand(operand, point));
                inst.results.iter().for_each(|&value| self.define(value, point));
            }
            Event::Branch(branch) => {
                // Copies for lanes that skip an empty arm are made before the branch.
                if is_skipped(branch, Arm::Otherwise) {
                    self.copies(branch.flows(Arm::Otherwise), point);
                    let copied = branch.flows(Arm::Otherwise);
                    self.twins.extend(copied.filter_map(|(to, from)| {
                        Some(Twin { point: write(point), to, from: from.as_plain_value()? })
                    }));
                }
            }
            Event::Condition(branch) => {
                branch.condition.src.iter().for_each(|&operand| self.read_operand(operand, point));
                self.branches.push(point);
            }
            Event::Arm(branch, arm) if !is_skipped(branch, arm) => {
                let entry = self.branches.last().copied().unwrap_or_default();
                self.enter(point, entry, ScopeKind::Plain);
            }
            Event::ArmEnd(branch, arm) if !is_skipped(branch, arm) => {
                branch.flows(arm).for_each(|(_, from)| self.read_operand(from, point));
                self.scopes.pop();
                self.end_arm(point);
                branch.phis.iter().for_each(|phi| self.copy_to(phi.value, point));
            }
            Event::Arm(..) | Event::ArmEnd(..) => {}
            Event::Join(branch) => {
                self.branches.pop();
                branch.phis.iter().for_each(|phi| self.define(phi.value, point));
            }
            Event::Loop(body) => {
                for (value, from) in body.entry_flows() {
                    self.read_operand(from, point);
                    self.define(value, point);
                }
                let end = self.loop_ends.next();
                let end = end.ok_or_else(|| Broken::new("a loop", "its end was not numbered"))?;
                self.enter(point, point, ScopeKind::Loop { end });
                self.holes.push(Vec::new());
            }
            Event::LoopEnd(body) => {
                self.scopes.pop();
                self.holes.pop();
                self.exit = None;
                body.results.iter().for_each(|&value| self.define(value, point));
            }
            Event::Exit(exit) => {
                self.copies(exit.flows()?, point);
                self.exit = Some(point);
            }
        }
        Ok(())
    }
}

/// Whether an arm is an empty `else`, which no lane enters.
fn is_skipped(branch: &If, arm: Arm) -> bool {
    arm == Arm::Otherwise && branch.otherwise.nodes.is_empty()
}

/// The end point of each loop in the order of their starts.
fn loop_ends(function: &Function) -> Vec<Point> {
    let mut ends = Vec::new();
    let mut open = Vec::new();
    for (event, point) in function.body.walk().zip(1..) {
        match event {
            Event::Loop(_) => {
                open.push(ends.len());
                ends.push(0);
            }
            Event::LoopEnd(_) => {
                if let Some(at) = open.pop() {
                    ends[at] = point;
                }
            }
            _ => {}
        }
    }
    ends
}
