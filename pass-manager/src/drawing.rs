//! The pass graph as data, for renderers.

use petgraph::graph::NodeIndex;
use petgraph::visit::EdgeRef as _;

use crate::graph::{EdgeKind, PassGraph, Vertex};
use crate::plan::Plan;

/// The passes and analyses of a pipeline and their dependencies.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Drawing {
    /// Everything registered, in order.
    pub nodes: Vec<DrawnNode>,
    /// The dependencies.
    pub edges: Vec<DrawnEdge>,
}

/// A node of a [`Drawing`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DrawnNode {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub kind: DrawnKind,
    /// The places of its runs in the order, from 1. Empty for disabled passes and for analyses.
    pub places: Vec<usize>,
    /// The passes of a fixpoint.
    pub members: Vec<&'static str>,
}

/// What a node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawnKind {
    /// A pass from one form to the next.
    Step,
    /// A pass that must run.
    Required,
    /// A pass that may be disabled.
    Optional,
    /// An analysis.
    Analysis,
}

/// A dependency; both ends are indices into [`Drawing::nodes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnEdge {
    /// The earlier node.
    pub from: usize,
    /// The later node.
    pub to: usize,
    /// The kind of dependency.
    pub kind: EdgeKind,
}

impl DrawnNode {
    /// `3, 5. NAME`: its places and its name.
    pub fn title(&self) -> String {
        let places: Vec<String> = self.places.iter().map(usize::to_string).collect();
        if places.is_empty() {
            return self.name.to_owned();
        }
        format!("{}. {}", places.join(", "), self.name)
    }
}

/// The graph with its nodes in `order`.
pub(crate) fn draw(graph: &PassGraph, order: &[NodeIndex], plan: &Plan) -> Drawing {
    let edges = graph.edge_references().filter_map(|edge| {
        let place = |node| order.iter().position(|&other| other == node);
        let (from, to) = (place(edge.source())?, place(edge.target())?);
        Some(DrawnEdge { from, to, kind: *edge.weight() })
    });
    Drawing {
        nodes: order.iter().map(|&node| node_of(&graph[node], plan)).collect(),
        edges: edges.collect(),
    }
}

fn node_of(vertex: &Vertex, plan: &Plan) -> DrawnNode {
    let pass = match vertex {
        Vertex::Analysis(id) => {
            let (places, members) = (Vec::new(), Vec::new());
            return DrawnNode { name: id.name(), kind: DrawnKind::Analysis, places, members };
        }
        Vertex::Pass(pass) => pass,
    };
    let id = pass.declaration.id;
    let places = plan.runs.iter().zip(1..).filter(|(run, _)| run.id == id);
    DrawnNode {
        name: id.name(),
        kind: match (pass.is_step, pass.declaration.is_optional) {
            (true, _) => DrawnKind::Step,
            (false, false) => DrawnKind::Required,
            (false, true) => DrawnKind::Optional,
        },
        places: places.map(|(_, place)| place).collect(),
        members: pass.members.iter().map(|member| member.id.name()).collect(),
    }
}
