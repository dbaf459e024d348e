//! The dependence graph of a block as data for others.

use crate::deps::{Graph, LastAccesses};
use r600_mir::{Block, Function, OpId};

/// An operation that must come after another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dependence {
    /// The earlier operation.
    pub from: OpId,
    /// The later operation.
    pub to: OpId,
    /// Groups that it must come later: 0 where both may share one, as a value may be overwritten in the group
    /// that reads it.
    pub distance: u32,
}

/// The dependences among the operations of a block.
#[derive(Clone, Debug, Default)]
pub struct Dependences {
    /// The operations, in program order, each with the groups from it to the end of the block at the least.
    pub ops: Vec<(OpId, u32)>,
    /// What waits for what.
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
