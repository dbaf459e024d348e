//! The graph of passes, with what each did to a shader.

use std::collections::BTreeMap;

use pass_manager::{Changed, Drawing, Outcome, PassReport, Report};

use crate::graph::{Edge, EdgeKind, Graph, Node, NodeKind};

/// The passes of a pipeline; with a report also what each made of a shader.
pub fn pass_graph(drawing: &Drawing, report: Option<&Report>) -> Graph {
    let place: BTreeMap<_, _> =
        drawing.nodes.iter().enumerate().map(|(n, pass)| (pass.id, n)).collect();
    let report_of = |id| report?.passes.iter().find(|pass| pass.id == id);
    let nodes = drawing.nodes.iter().enumerate().map(|(n, pass)| {
        let mut lines = vec![format!("{}. {}", n + 1, pass.id)];
        lines.extend(report_of(pass.id).map(deed));
        let kind = if pass.is_optional { NodeKind::Optional } else { NodeKind::Plain };
        Node { lines, kind, origins: Vec::new() }
    });
    let edges = drawing.edges.iter().filter_map(|edge| {
        let kind = if edge.is_need { EdgeKind::Plain } else { EdgeKind::Weak };
        Some(Edge { from: *place.get(&edge.from)?, to: *place.get(&edge.to)?, kind })
    });
    let mut graph = Graph {
        title: "Passes; what others imply is left out".to_owned(),
        nodes: nodes.collect(),
        edges: edges.collect(),
        legend: vec![(EdgeKind::Plain, "needs the result"), (EdgeKind::Weak, "only comes later")],
    };
    graph.drop_implied_edges();
    graph
}

/// What a pass did, in a few words. Sizes are those of the form that it works on.
fn deed(pass: &PassReport) -> String {
    match pass.outcome {
        Outcome::OutOfFuel => "skipped".to_owned(),
        Outcome::Ran(Changed::No) => "changed nothing".to_owned(),
        Outcome::Ran(Changed::Yes) => format!("{} → {}", pass.before, pass.after),
    }
}
