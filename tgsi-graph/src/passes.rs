//! The pass graph, with the effect of each pass on a shader.

use pass_manager::{Drawing, DrawnKind, EdgeKind as Wait, Outcome, PassReport, Report};

use crate::graph::{Edge, EdgeKind, Graph, Node, NodeKind};

/// The passes of a pipeline; a report adds the effect of each run.
pub fn pass_graph(drawing: &Drawing, report: Option<&Report>) -> Graph {
    let runs_of = |name: &str| {
        let passes = report.iter().flat_map(|report| &report.passes);
        passes.filter(|pass| pass.id.name() == name).map(deed).collect::<Vec<_>>()
    };
    let nodes = drawing.nodes.iter().map(|node| {
        let mut lines = vec![node.title()];
        if !node.members.is_empty() {
            lines.push(format!("until {} settle", node.members.join(", ")));
        }
        lines.extend(runs_of(node.name));
        let kind = match node.kind {
            DrawnKind::Step | DrawnKind::Required => NodeKind::Plain,
            DrawnKind::Optional | DrawnKind::Analysis => NodeKind::Optional,
        };
        Node { lines, kind, origins: Vec::new() }
    });
    let edges = drawing.edges.iter().map(|edge| {
        let kind = match edge.kind {
            Wait::Form | Wait::Needs => EdgeKind::Plain,
            Wait::After | Wait::Refreshes | Wait::Uses => EdgeKind::Weak,
        };
        Edge { from: edge.from, to: edge.to, kind }
    });
    let mut graph = Graph {
        title: "Passes; implied edges are left out".to_owned(),
        nodes: nodes.collect(),
        edges: edges.collect(),
        legend: vec![
            (EdgeKind::Plain, "needs the result"),
            (EdgeKind::Weak, "comes later, or asks for the analysis"),
        ],
    };
    graph.drop_implied_edges();
    graph
}

/// A short description of what a run did. Sizes are those of the form that it works on.
fn deed(pass: &PassReport) -> String {
    match pass.outcome {
        Outcome::OutOfFuel => "skipped".to_owned(),
        Outcome::Fresh => "nothing new".to_owned(),
        Outcome::Unchanged => "changed nothing".to_owned(),
        Outcome::Changed => format!("{} → {}", pass.before, pass.after),
    }
}
