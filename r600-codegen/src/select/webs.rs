//! Webs: values that live in one virtual register because phis connect them.
//!
//! Each value starts as a web of its own. A phi and one of its sources become one web if they do not interfere; each pair
//! that does interfere costs a move. Two live ranges may share the point at which one value is copied to the other: there
//! both hold the same value, and after it each lane reads only one of them.

use cranelift_entity::{EntitySet, SecondaryMap};

use crate::internal::Broken;
use crate::live_range::{LiveRange, Point};
use crate::ssa::{Event, ExitKind, Function, Operand, Value, ValueDef};

use super::liveness::{Kept, Twin, live_ranges};

/// A partition of the values.
#[derive(Clone, Debug, Default)]
pub(super) struct Webs {
    parent: SecondaryMap<Value, Option<Value>>,
    /// Copies for lanes that skip an arm, ordered by point.
    twins: Vec<Twin>,
}

/// A phi and one of its sources.
#[derive(Clone, Copy, Debug)]
struct Connection {
    phi: Value,
    source: Value,
    /// Number of loops around the phi. Moves in inner loops cost the most.
    depth: u32,
}

impl Webs {
    /// Connects each phi with those of its sources that do not interfere.
    pub(super) fn build(function: &Function) -> Result<Self, Broken> {
        let mut connections = connections(function)?;
        let mut webs = Self::default();
        if connections.is_empty() {
            return Ok(webs);
        }
        connections.sort_by_key(|connection| std::cmp::Reverse(connection.depth));
        let mut wanted = EntitySet::with_capacity(function.values.len());
        for connection in &connections {
            wanted.extend([connection.phi, connection.source]);
        }
        let Kept { mut ranges, twins } = live_ranges(function, &wanted)?;
        webs.twins = twins;
        for connection in connections {
            // A live-in value stays in its fixed register, and a phi must not be tied to it.
            if function.values[connection.source] != ValueDef::LiveIn {
                webs.connect(connection, &mut ranges);
            }
        }
        Ok(webs)
    }

    /// The value that represents the web of `value`.
    pub(super) fn find(&self, mut value: Value) -> Value {
        while let Some(parent) = self.parent[value] {
            value = parent;
        }
        value
    }

    fn connect(&mut self, connection: Connection, ranges: &mut SecondaryMap<Value, LiveRange>) {
        let a = self.find(connection.phi);
        let b = self.find(connection.source);
        if a == b || self.interfere(a, b, ranges) {
            return;
        }
        let (root, leaf) =
            if ranges[a].segments().len() >= ranges[b].segments().len() { (a, b) } else { (b, a) };
        let merged = std::mem::take(&mut ranges[leaf]);
        ranges[root].merge(&merged);
        self.parent[leaf] = Some(root);
    }

    /// Whether two webs hold different values somewhere.
    fn interfere(&self, a: Value, b: Value, ranges: &SecondaryMap<Value, LiveRange>) -> bool {
        ranges[a].common(&ranges[b]).any(|(start, end)| {
            let is_copy = self.is_copied(start, a, b) || self.is_copied(start, b, a);
            end != start + 1 || !is_copy
        })
    }

    /// Whether a value of web `to` is written at a point as a copy of one of web `from`.
    fn is_copied(&self, point: Point, to: Value, from: Value) -> bool {
        let first = self.twins.partition_point(|twin| twin.point < point);
        let mut at_point = self.twins[first..].iter().take_while(|twin| twin.point == point);
        at_point.any(|twin| self.find(twin.to) == to && self.find(twin.from) == from)
    }
}

/// Each phi with each of its sources, in program order.
fn connections(function: &Function) -> Result<Vec<Connection>, Broken> {
    let mut all = Vec::new();
    let mut walk = function.body.walk();
    while let Some(event) = walk.next() {
        // The copies for leaving lanes run once, not once per iteration.
        let depth = match event {
            Event::Exit(exit) if exit.kind == ExitKind::Break => {
                walk.loop_depth().saturating_sub(1)
            }
            _ => walk.loop_depth(),
        };
        let mut connect = |phi: Value, arg: Operand| {
            if let Some(source) = arg.as_plain_value() {
                all.push(Connection { phi, source, depth: depth as u32 });
            }
        };
        match event {
            // Handled at the join: all sources of one phi, then those of the next.
            Event::ArmEnd(..) => {}
            Event::Join(branch) => {
                for phi in &branch.phis {
                    connect(phi.value, phi.then);
                    connect(phi.value, phi.otherwise);
                }
            }
            other => other.for_each_flow(connect)?,
        }
    }
    Ok(all)
}
