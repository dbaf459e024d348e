//! The graph of passes, and the order that it gives.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap};

use petgraph::Direction::{Incoming, Outgoing};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef as _;

use crate::{Pass, PassId, PipelineError, Unit};

/// Why one pass runs before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Edge {
    /// The later pass relies on the earlier one's result.
    Needs,
    /// The later pass only wants to come later.
    After,
}

/// A node for each pass in order of registration, an edge from each pass to those that wait for it.
pub(crate) type PassGraph<U> = DiGraph<Box<dyn Pass<U>>, Edge>;

/// Builds the graph that the declarations of `passes` describe.
pub(crate) fn connect<U: Unit>(
    passes: Vec<Box<dyn Pass<U>>>,
) -> Result<PassGraph<U>, PipelineError> {
    let mut graph = PassGraph::default();
    for pass in passes {
        graph.add_node(pass);
    }
    let providers = providers(&graph)?;
    for node in graph.node_indices() {
        for (from, edge) in waits_for(graph[node].as_ref(), &providers)? {
            graph.update_edge(from, node, edge);
        }
    }
    Ok(graph)
}

/// The node that provides each result.
fn providers<U: Unit>(graph: &PassGraph<U>) -> Result<BTreeMap<PassId, NodeIndex>, PipelineError> {
    let mut providers = BTreeMap::new();
    for node in graph.node_indices() {
        let id = graph[node].id();
        for &result in std::iter::once(&id).chain(graph[node].provides()) {
            if let Some(first) = providers.insert(result, node) {
                return Err(provided_twice(result, graph[first].id(), id));
            }
        }
    }
    Ok(providers)
}

fn provided_twice(result: PassId, first: PassId, second: PassId) -> PipelineError {
    if first == second {
        PipelineError::Duplicate(first)
    } else {
        PipelineError::DuplicateProvider { result, first, second }
    }
}

/// The nodes that must run before `pass`; needs come last, so that they win over a mere `after`.
fn waits_for<U: Unit>(
    pass: &dyn Pass<U>,
    providers: &BTreeMap<PassId, NodeIndex>,
) -> Result<Vec<(NodeIndex, Edge)>, PipelineError> {
    let present = pass.after().iter().filter_map(|id| providers.get(id));
    let mut edges: Vec<_> = present.map(|&node| (node, Edge::After)).collect();
    for &needs in pass.needs() {
        let Some(&node) = providers.get(&needs) else {
            return Err(PipelineError::MissingProvider { pass: pass.id(), needs });
        };
        edges.push((node, Edge::Needs));
    }
    Ok(edges)
}

/// Every node, each after those that it waits for; among the ready ones the first registered goes
/// first. (petgraph's own `toposort` does not promise an order between independent nodes.)
pub(crate) fn ordered<U: Unit>(graph: &PassGraph<U>) -> Result<Vec<NodeIndex>, PipelineError> {
    let mut waiting: Vec<usize> =
        graph.node_indices().map(|node| graph.edges_directed(node, Incoming).count()).collect();
    let mut ready: BinaryHeap<_> =
        graph.node_indices().filter(|node| waiting[node.index()] == 0).map(Reverse).collect();
    let mut order = Vec::with_capacity(graph.node_count());
    while let Some(Reverse(node)) = ready.pop() {
        order.push(node);
        for next in graph.neighbors_directed(node, Outgoing) {
            waiting[next.index()] -= 1;
            if waiting[next.index()] == 0 {
                ready.push(Reverse(next));
            }
        }
    }
    if order.len() < graph.node_count() {
        return Err(PipelineError::Cycle(find_cycle(graph)));
    }
    Ok(order)
}

/// One cycle of a graph that has one, from its first registered pass, each before the one it waits for.
fn find_cycle<U: Unit>(graph: &PassGraph<U>) -> Vec<PassId> {
    let waits_in = |node: NodeIndex, inside: &[NodeIndex]| {
        graph.neighbors_directed(node, Incoming).filter(|next| inside.contains(next)).min()
    };
    let knots = tarjan_scc(graph);
    let knot = knots
        .iter()
        .filter(|knot| waits_in(knot[0], knot).is_some())
        .min_by_key(|knot| knot.iter().min());
    let Some(knot) = knot else { return Vec::new() };
    let mut path: Vec<NodeIndex> = knot.iter().min().copied().into_iter().collect();
    while let Some(next) = path.last().and_then(|&node| waits_in(node, knot)) {
        if let Some(at) = path.iter().position(|&seen| seen == next) {
            path.drain(..at);
            break;
        }
        path.push(next);
    }
    path.into_iter().map(|node| graph[node].id()).collect()
}

/// A pass that relies on `node`'s result, the first registered.
pub(crate) fn find_dependant<U: Unit>(graph: &PassGraph<U>, node: NodeIndex) -> Option<NodeIndex> {
    let needs = graph.edges_directed(node, Outgoing).filter(|edge| *edge.weight() == Edge::Needs);
    needs.map(|edge| edge.target()).min()
}
