//! Webs: values that live in one virtual register because phis connect them.
//!
//! Each value starts as a web of its own. A phi and a source of it become one web when their live
//! ranges do not intersect; every pair for which they do costs a move.

use cranelift_entity::{EntitySet, SecondaryMap};

use crate::internal::Broken;
use crate::live_range::LiveRange;
use crate::ssa::{Event, ExitKind, Function, Operand, Value, ValueDef};

use super::liveness::live_ranges;

/// A partition of the values.
#[derive(Clone, Debug)]
pub(super) struct Webs {
    parent: SecondaryMap<Value, Option<Value>>,
}

/// A phi and one of its sources.
#[derive(Clone, Copy, Debug)]
struct Connection {
    merge: Value,
    source: Value,
    /// Loops around it: moves in inner loops cost most.
    depth: u32,
}

impl Webs {
    /// Connects what can be connected.
    pub(super) fn build(function: &Function) -> Result<Self, Broken> {
        let mut connections = connections(function)?;
        let mut webs = Self { parent: SecondaryMap::with_capacity(function.values.len()) };
        if connections.is_empty() {
            return Ok(webs);
        }
        connections.sort_by_key(|connection| std::cmp::Reverse(connection.depth));
        let mut wanted = EntitySet::with_capacity(function.values.len());
        for connection in &connections {
            wanted.extend([connection.merge, connection.source]);
        }
        let mut ranges = live_ranges(function, &wanted)?;
        for connection in connections {
            // What is in a fixed register on entry keeps it: a phi is not bound to such a place.
            if function.values[connection.source] != ValueDef::LiveIn {
                webs.connect(connection, &mut ranges);
            }
        }
        Ok(webs)
    }

    /// The value that stands for the web of `value`.
    pub(super) fn find(&self, mut value: Value) -> Value {
        while let Some(parent) = self.parent[value] {
            value = parent;
        }
        value
    }

    fn connect(&mut self, connection: Connection, ranges: &mut SecondaryMap<Value, LiveRange>) {
        let a = self.find(connection.merge);
        let b = self.find(connection.source);
        if a == b || ranges[a].intersects(&ranges[b]) {
            return;
        }
        let (root, leaf) =
            if ranges[a].segments().len() >= ranges[b].segments().len() { (a, b) } else { (b, a) };
        let merged = std::mem::take(&mut ranges[leaf]);
        ranges[root].merge(&merged);
        self.parent[leaf] = Some(root);
    }
}

/// Every phi with each of its sources, in the order in which they are written.
fn connections(function: &Function) -> Result<Vec<Connection>, Broken> {
    let mut all = Vec::new();
    let mut walk = function.body.walk();
    while let Some(event) = walk.next() {
        // The copies for lanes that leave are made once.
        let depth = match event {
            Event::Exit(exit) if exit.kind == ExitKind::Break => {
                walk.loop_depth().saturating_sub(1)
            }
            _ => walk.loop_depth(),
        };
        let mut connect = |merge: Value, arg: Operand| {
            if let Some(source) = arg.as_plain_value() {
                all.push(Connection { merge, source, depth: depth as u32 });
            }
        };
        match event {
            // Phi by phi, whichever arm a source is of.
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
