//! The dependence graph of a block as plain data.

use crate::deps::{Graph, LastAccesses};
use r600_mir::{Block, Function, OpId};

/// A dependence of one operation on another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// The earlier operation.
    pub from: OpId,
    /// The later operation.
    pub to: OpId,
    /// Minimum distance in groups; 0 if both may share a group, as a value may be overwritten in the group that reads
    /// it.
    pub distance: u32,
}

/// The dependences among the operations of a block.
#[derive(Clone, Debug, Default)]
pub struct Dependences {
    /// The operations in program order, each with the minimum number of groups from it to the end of the block.
    pub ops: Vec<(OpId, u32)>,
    /// The dependences.
    pub edges: Vec<Dependence>,
}

impl Dependences {
    /// The dependences of `block`, as the scheduler sees them.
    pub fn of_block(function: &Function, block: Block) -> Self {
        let ops = &function.blocks[block];
        let graph = Graph::build(function, ops, &mut LastAccesses::none(function));
        let edges = (0..).zip(ops).flat_map(|(at, &from)| {
            let edges = graph.successors(at).iter();
            edges.map(move |edge| Dependence {
                from,
                to: ops[edge.to as usize],
                distance: edge.distance,
            })
        });
        let edges = edges.collect();
        Self { edges, ops: ops.iter().copied().zip(graph.height).collect() }
    }
}
