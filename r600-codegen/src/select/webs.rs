//! Webs: values that live in one virtual register because merges connect them.
//!
//! Each value starts as a web of its own. A merge and a source of it become one web when their live
//! ranges do not intersect; every pair for which they do costs a move.

use cranelift_entity::{EntitySet, SecondaryMap};

use crate::internal::Broken;
use crate::live_range::LiveRange;
use crate::ssa::{Function, Node, OpenLoops, Operand, Region, Value, ValueDef};

use super::liveness::live_ranges;

/// A partition of the values.
#[derive(Clone, Debug)]
pub(super) struct Webs {
    parent: SecondaryMap<Value, Option<Value>>,
}

/// A merge and one of its sources.
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
        let mut connections = Vec::new();
        collect(&function.body, &mut OpenLoops::default(), &mut connections)?;
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
            // What is in a fixed register on entry keeps it: a merge is not bound to such a place.
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

fn collect(
    region: &Region,
    loops: &mut OpenLoops,
    out: &mut Vec<Connection>,
) -> Result<(), Broken> {
    for node in &region.nodes {
        match node {
            Node::Inst(_) => {}
            Node::If(branch) => {
                collect(&branch.then, loops, out)?;
                collect(&branch.otherwise, loops, out)?;
                for phi in &branch.phis {
                    connect_all(&[phi.value], &[phi.then], loops.depth(), out);
                    connect_all(&[phi.value], &[phi.otherwise], loops.depth(), out);
                }
            }
            Node::Loop(body) => {
                let params: Vec<Value> = body.params.iter().map(|p| p.value).collect();
                let init: Vec<Operand> = body.params.iter().map(|p| p.init).collect();
                connect_all(&params, &init, loops.depth(), out);
                loops.open(body);
                collect(&body.body, loops, out)?;
                loops.close();
            }
            Node::Break(args) => {
                // The copies for lanes that leave are made once.
                connect_all(&loops.innermost()?.results, args, loops.depth() - 1, out);
            }
            Node::Continue(args) => {
                connect_all(&loops.innermost()?.params, args, loops.depth(), out);
            }
        }
    }
    Ok(())
}

fn connect_all(merges: &[Value], args: &[Operand], depth: usize, out: &mut Vec<Connection>) {
    for (&merge, arg) in merges.iter().zip(args) {
        if let Some(source) = arg.as_plain_value() {
            out.push(Connection { merge, source, depth: depth as u32 });
        }
    }
}
