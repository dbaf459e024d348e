//! The pass graph as data, for those who draw it.

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef as _;

use crate::graph::{Edge, PassGraph};
use crate::{PassId, Unit};

/// The passes of a pipeline and what they wait for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// Every registered pass, in order of execution.
    pub nodes: Vec<DrawnPass>,
    /// Who waits for whom.
    pub edges: Vec<DrawnEdge>,
}

/// A pass of a [`Drawing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnPass {
    /// Its name.
    pub id: PassId,
    /// Whether the output is right without it.
    pub is_optional: bool,
}

/// A pass that waits for another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnEdge {
    /// The earlier pass.
    pub from: PassId,
    /// The later pass.
    pub to: PassId,
    /// Whether the later one relies on the result of the earlier; otherwise it only wants to come later.
    pub is_need: bool,
}

/// The graph with its nodes in `order`.
pub(crate) fn draw<U: Unit>(graph: &PassGraph<U>, order: &[NodeIndex]) -> Drawing {
    let nodes = order.iter().map(|&node| &graph[node]);
    let edges = graph.edge_references().map(|edge| DrawnEdge {
        from: graph[edge.source()].id(),
        to: graph[edge.target()].id(),
        is_need: *edge.weight() == Edge::Needs,
    });
    Drawing {
        nodes: nodes
            .map(|pass| DrawnPass { id: pass.id(), is_optional: pass.is_optional() })
            .collect(),
        edges: edges.collect(),
    }
}
