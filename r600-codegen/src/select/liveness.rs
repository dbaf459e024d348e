//! Live ranges of SSA values, before any register is chosen.
//!
//! Every node of the region tree has a point; reads happen at `2·point`, writes at `2·point + 1`. A range
//! is found from each use: up the tree to the region of the definition, once per value and region.

use cranelift_entity::{EntitySet, SecondaryMap};

use crate::hash::FastSet;
use crate::internal::Broken;
use crate::live_range::{LiveRange, Point};
use crate::ssa::{Function, If, Loop, Node, OpenLoops, Operand, Region, Value};

/// When a value is read that a node reads at `point`.
const fn read(point: Point) -> Point {
    2 * point
}

/// When a value is written that a node writes at `point`.
const fn write(point: Point) -> Point {
    2 * point + 1
}

/// The live ranges of `wanted` values, merges with their copies included; those of others are empty.
pub(super) fn live_ranges(
    function: &Function,
    wanted: &EntitySet<Value>,
) -> Result<SecondaryMap<Value, LiveRange>, Broken> {
    let mut walk = Walk {
        function,
        wanted,
        next: 1,
        scopes: vec![Scope { start: 0, entry: 0, kind: ScopeKind::Plain, number: 0 }],
        num_scopes: 1,
        defined: SecondaryMap::with_capacity(function.values.len()),
        segments: SecondaryMap::with_capacity(function.values.len()),
        entered: FastSet::default(),
        loop_ends: loop_ends(function),
        next_loop: 0,
        loops: OpenLoops::default(),
    };
    for live in &function.live_in {
        walk.define(live.value, 0);
    }
    walk.region(&function.body)?;
    let mut ranges = SecondaryMap::with_capacity(function.values.len());
    for value in wanted.iter() {
        ranges[value] = LiveRange::from_segments(std::mem::take(&mut walk.segments[value]));
    }
    Ok(ranges)
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
    /// Point before all of the region's own.
    start: Point,
    /// Point in the region around it from which it is entered.
    entry: Point,
    kind: ScopeKind,
    number: u32,
}

struct Walk<'a> {
    function: &'a Function,
    wanted: &'a EntitySet<Value>,
    next: Point,
    scopes: Vec<Scope>,
    num_scopes: u32,
    defined: SecondaryMap<Value, Point>,
    segments: SecondaryMap<Value, Vec<(Point, Point)>>,
    /// Values known to be live at the start of a scope.
    entered: FastSet<(Value, u32)>,
    /// The end point of each loop, in the order of their starts.
    loop_ends: Vec<Point>,
    next_loop: usize,
    loops: OpenLoops,
}

impl Walk<'_> {
    fn point(&mut self) -> Point {
        self.next += 1;
        self.next - 1
    }

    /// `value` is written by the node at `point`.
    fn define(&mut self, value: Value, point: Point) {
        if !self.wanted.contains(value) {
            return;
        }
        self.defined[value] = point;
        self.segments[value].push((write(point), write(point) + 1));
    }

    /// `value` is read by the node at `point`.
    fn read(&mut self, value: Value, point: Point) {
        if !self.wanted.contains(value) {
            return;
        }
        let defined = self.defined[value];
        let mut end = read(point) + 1;
        for at in (0..self.scopes.len()).rev() {
            let scope = self.scopes[at];
            if at == 0 || write(defined) > read(scope.start) {
                self.segments[value].push((write(defined), end));
                return;
            }
            if !self.entered.insert((value, scope.number)) {
                // Known to be live from the start of this scope on: only the tail may be new.
                self.segments[value].push((write(scope.start), end));
                return;
            }
            match scope.kind {
                ScopeKind::Plain => self.segments[value].push((write(scope.start), end)),
                ScopeKind::Loop { end: loop_end } => {
                    self.segments[value].push((write(scope.start), read(loop_end) + 1));
                }
            }
            end = read(scope.entry) + 1;
        }
    }

    fn read_operands(&mut self, operands: &[Operand], point: Point) {
        operands.iter().filter_map(|o| o.as_value()).for_each(|value| self.read(value, point));
    }

    /// A merge's value is written by the copy at `point`.
    fn copy_to(&mut self, value: Value, point: Point) {
        self.segments[value].push((write(point), write(point) + 1));
    }

    fn enter(&mut self, start: Point, entry: Point, kind: ScopeKind) {
        self.scopes.push(Scope { start, entry, kind, number: self.num_scopes });
        self.num_scopes += 1;
    }

    fn region(&mut self, region: &Region) -> Result<(), Broken> {
        for node in &region.nodes {
            match node {
                Node::Inst(inst) => {
                    let point = self.point();
                    let function = self.function;
                    let inst = &function.insts[*inst];
                    inst.data.for_each_operand(|operand| {
                        if let Some(value) = operand.as_value() {
                            self.read(value, point);
                        }
                    });
                    inst.results.iter().for_each(|&value| self.define(value, point));
                }
                Node::If(branch) => self.branch(branch)?,
                Node::Loop(body) => self.loop_node(body)?,
                Node::Break(args) => {
                    let merges = self.loops.innermost()?;
                    self.exit(args, &merges.results);
                }
                Node::Continue(args) => {
                    let merges = self.loops.innermost()?;
                    self.exit(args, &merges.params);
                }
            }
        }
        Ok(())
    }

    fn exit(&mut self, args: &[Operand], targets: &[Value]) {
        let point = self.point();
        self.read_operands(args, point);
        targets.iter().for_each(|&value| self.copy_to(value, point));
    }

    fn branch(&mut self, branch: &If) -> Result<(), Broken> {
        // Copies for lanes that skip an empty arm are made before the branch.
        let before = self.point();
        if branch.otherwise.nodes.is_empty() {
            for phi in &branch.phis {
                self.read_operands(&[phi.otherwise], before);
                self.copy_to(phi.value, before);
            }
        }
        let start = self.point();
        self.read_operands(&branch.condition.src, start);
        let then: Vec<Operand> = branch.phis.iter().map(|phi| phi.then).collect();
        self.arm(start, &branch.then, branch, &then)?;
        if !branch.otherwise.nodes.is_empty() {
            let otherwise: Vec<Operand> = branch.phis.iter().map(|phi| phi.otherwise).collect();
            self.arm(start, &branch.otherwise, branch, &otherwise)?;
        }
        let join = self.point();
        for phi in &branch.phis {
            self.define(phi.value, join);
        }
        Ok(())
    }

    /// One arm of a branch, with the copies at its end.
    fn arm(
        &mut self,
        entry: Point,
        region: &Region,
        branch: &If,
        args: &[Operand],
    ) -> Result<(), Broken> {
        // A start of its own keeps the other arm out of the arm's ranges.
        let start = self.point();
        self.enter(start, entry, ScopeKind::Plain);
        self.region(region)?;
        let end = self.point();
        self.read_operands(args, end);
        self.scopes.pop();
        branch.phis.iter().for_each(|phi| self.copy_to(phi.value, end));
        Ok(())
    }

    fn loop_node(&mut self, node: &Loop) -> Result<(), Broken> {
        let start = self.point();
        for param in &node.params {
            self.read_operands(&[param.init], start);
            self.define(param.value, start);
        }
        let end = self.loop_ends[self.next_loop];
        self.next_loop += 1;
        self.loops.open(node);
        self.enter(start, start, ScopeKind::Loop { end });
        self.region(&node.body)?;
        self.scopes.pop();
        self.loops.close();
        let end = self.point();
        node.results.iter().for_each(|&value| self.define(value, end));
        Ok(())
    }
}

/// The end point of each loop in the order of their starts, by the same numbering as the walk.
fn loop_ends(function: &Function) -> Vec<Point> {
    let mut ends = Vec::new();
    let mut next = 1;
    number_region(&function.body, &mut next, &mut ends);
    ends
}

fn number_region(region: &Region, next: &mut Point, ends: &mut Vec<Point>) {
    for node in &region.nodes {
        match node {
            Node::Inst(_) | Node::Break(_) | Node::Continue(_) => *next += 1,
            Node::If(branch) => {
                *next += 3;
                number_region(&branch.then, next, ends);
                *next += 1;
                if !branch.otherwise.nodes.is_empty() {
                    *next += 1;
                    number_region(&branch.otherwise, next, ends);
                    *next += 1;
                }
                *next += 1;
            }
            Node::Loop(body) => {
                *next += 1;
                let at = ends.len();
                ends.push(0);
                number_region(&body.body, next, ends);
                ends[at] = *next;
                *next += 1;
            }
        }
    }
}
