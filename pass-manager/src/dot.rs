//! The pass graph in Graphviz's language.

use std::fmt::Write as _;

use crate::Drawing;

/// The drawing's text: nodes carry their place in the order, optional passes are dashed boxes, mere
/// wishes for order are dashed edges.
pub(crate) fn render(drawing: &Drawing) -> String {
    let mut out = String::from("digraph passes {\n    node [shape=box];\n");
    for (place, pass) in drawing.nodes.iter().enumerate() {
        let style = if pass.is_optional { ", style=dashed" } else { "" };
        // Writing to a string cannot fail.
        let _ = writeln!(out, "    \"{0}\" [label=\"{1}. {0}\"{style}];", pass.id, place + 1);
    }
    for edge in &drawing.edges {
        let style = if edge.is_need { "" } else { " [style=dashed]" };
        let _ = writeln!(out, "    \"{}\" -> \"{}\"{style};", edge.from, edge.to);
    }
    out.push_str("}\n");
    out
}
