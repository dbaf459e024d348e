//! The pass graph in Graphviz DOT.

use std::fmt::Write as _;

use crate::{Drawing, DrawnKind, EdgeKind};

/// Renders the drawing. Nodes carry their places in the order. Steps are bold, optional passes dashed, analyses
/// ellipses. A soft ordering is a dashed edge, a request for an analysis a dotted one.
pub(crate) fn render(drawing: &Drawing) -> String {
    let mut out = String::from("digraph passes {\n    node [shape=box];\n");
    for node in &drawing.nodes {
        let style = match node.kind {
            DrawnKind::Step => ", style=bold",
            DrawnKind::Required => "",
            DrawnKind::Optional => ", style=dashed",
            DrawnKind::Analysis => ", shape=ellipse",
        };
        let mut label = node.title();
        if !node.members.is_empty() {
            let _ = write!(label, "\\n({})", node.members.join(", "));
        }
        // Writing to a string cannot fail.
        let _ = writeln!(out, "    \"{}\" [label=\"{label}\"{style}];", node.name);
    }
    for edge in &drawing.edges {
        let style = match edge.kind {
            EdgeKind::Form | EdgeKind::Needs => "",
            EdgeKind::After => " [style=dashed]",
            EdgeKind::Refreshes => " [style=dashed, label=\"again\"]",
            EdgeKind::Uses => " [style=dotted]",
        };
        let [from, to] = [edge.from, edge.to].map(|place| drawing.nodes[place].name);
        let _ = writeln!(out, "    \"{from}\" -> \"{to}\"{style};");
    }
    out.push_str("}\n");
    out
}
