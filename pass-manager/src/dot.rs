//! The pass graph as a drawing.

use std::fmt::Write as _;

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef as _;

use crate::Unit;
use crate::graph::{Edge, PassGraph};

/// The graph in Graphviz's language: nodes carry their place in `order`, optional passes are dashed
/// boxes, mere wishes for order are dashed edges.
pub(crate) fn render<U: Unit>(graph: &PassGraph<U>, order: &[NodeIndex]) -> String {
    let mut out = String::from("digraph passes {\n    node [shape=box];\n");
    for (place, &node) in order.iter().enumerate() {
        let pass = &graph[node];
        let style = if pass.is_optional() { ", style=dashed" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "    \"{0}\" [label=\"{1}. {0}\"{style}];", pass.id(), place + 1);
    }
    for edge in graph.edge_references() {
        let style = match edge.weight() {
            Edge::Needs => "",
            Edge::After => " [style=dashed]",
        };
        let (from, to) = (graph[edge.source()].id(), graph[edge.target()].id());
        let _ = writeln!(out, "    \"{from}\" -> \"{to}\"{style};");
    }
    out.push_str("}\n");
    out
}
