//! The graph of passes and analyses, and the order it implies.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};

use petgraph::Direction::{Incoming, Outgoing};
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::EdgeRef as _;

use crate::{AnalysisId, Declaration, PassId, PipelineError};

/// Why one thing comes before another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// The later pass works on the form that the earlier one makes, or makes the next form from it.
    Form,
    /// A soft ordering: it applies if both are present.
    After,
    /// As [`EdgeKind::After`], and the earlier pass runs again if the form has changed since.
    Refreshes,
    /// The later pass requires the result of the earlier one.
    Needs,
    /// The pass requests the analysis.
    Uses,
}

/// A vertex of the graph.
#[derive(Clone, Debug)]
pub(crate) enum Vertex {
    Pass(PassVertex),
    Analysis(AnalysisId),
}

/// A pass, a step, or a fixpoint with its members.
#[derive(Clone, Debug)]
pub(crate) struct PassVertex {
    pub(crate) declaration: Declaration,
    pub(crate) members: Vec<Declaration>,
    /// The form that it works on or, for a step, makes: a number in the order of forms.
    pub(crate) form: usize,
    /// Whether it makes that form.
    pub(crate) is_step: bool,
}

/// The registrations for one form: the step that makes it, and the passes over it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Stage {
    pub(crate) step: Option<Declaration>,
    pub(crate) passes: Vec<(Declaration, Vec<Declaration>)>,
}

pub(crate) type PassGraph = DiGraph<Vertex, EdgeKind>;

impl Vertex {
    pub(crate) fn as_pass(&self) -> Option<&PassVertex> {
        match self {
            Self::Pass(pass) => Some(pass),
            Self::Analysis(_) => None,
        }
    }
}

impl PassVertex {
    fn uses(&self) -> impl Iterator<Item = AnalysisId> {
        let all = std::iter::once(&self.declaration).chain(&self.members);
        all.flat_map(|declaration| declaration.uses).copied()
    }
}

/// The graph that the declarations describe.
pub(crate) fn connect(stages: &[Stage]) -> Result<PassGraph, PipelineError> {
    let mut builder = Builder::default();
    for (form, stage) in stages.iter().enumerate() {
        builder.add(form, stage, stages.get(form + 1).and_then(|next| next.step))?;
    }
    builder.connect_forms();
    builder.connect_declared()?;
    Ok(builder.graph)
}

#[derive(Default)]
struct Builder {
    graph: PassGraph,
    pass_by_id: BTreeMap<PassId, NodeIndex>,
    /// Analyses belong to a form: one name in two forms means two analyses.
    analysis_by_id: BTreeMap<(usize, AnalysisId), NodeIndex>,
}

impl Builder {
    /// Adds a form's step, then its analyses, then its passes. Ties in the order go to the first.
    fn add(
        &mut self,
        form: usize,
        stage: &Stage,
        next: Option<Declaration>,
    ) -> Result<(), PipelineError> {
        let vertex = |&(declaration, ref members): &(Declaration, Vec<Declaration>)| PassVertex {
            declaration,
            members: members.clone(),
            form,
            is_step: false,
        };
        let step =
            |declaration| PassVertex { declaration, members: Vec::new(), form, is_step: true };
        let passes: Vec<PassVertex> = stage.passes.iter().map(vertex).collect();
        if let Some(declaration) = stage.step {
            self.add_pass(step(declaration))?;
        }
        let of_passes = passes.iter().flat_map(PassVertex::uses);
        let of_next = next.iter().flat_map(|next| next.uses).copied();
        for id in of_passes.chain(of_next).collect::<BTreeSet<_>>() {
            let node = self.graph.add_node(Vertex::Analysis(id));
            self.analysis_by_id.insert((form, id), node);
        }
        passes.into_iter().try_for_each(|pass| self.add_pass(pass))
    }

    fn add_pass(&mut self, pass: PassVertex) -> Result<(), PipelineError> {
        let id = pass.declaration.id;
        let node = self.graph.add_node(Vertex::Pass(pass));
        match self.pass_by_id.insert(id, node) {
            Some(_) => Err(PipelineError::Duplicate(id)),
            None => Ok(()),
        }
    }

    fn passes(&self) -> Vec<(NodeIndex, PassVertex)> {
        let passes = self.graph.node_indices();
        passes.filter_map(|node| Some((node, self.graph[node].as_pass()?.clone()))).collect()
    }

    /// A form exists once its step has run, until the next step runs.
    fn connect_forms(&mut self) {
        let passes = self.passes();
        let step_to = |form: usize| {
            let is = |(_, pass): &&(NodeIndex, PassVertex)| pass.is_step && pass.form == form;
            passes.iter().find(is).map(|(node, _)| *node)
        };
        for (node, pass) in &passes {
            if !pass.is_step
                && let Some(step) = step_to(pass.form)
            {
                self.graph.update_edge(step, *node, EdgeKind::Form);
            }
            if let Some(next) = step_to(pass.form + 1) {
                self.graph.update_edge(*node, next, EdgeKind::Form);
            }
        }
        for (&(form, _), &node) in &self.analysis_by_id {
            if let Some(step) = step_to(form) {
                self.graph.update_edge(step, node, EdgeKind::Form);
            }
        }
    }

    /// The strongest reason between two passes comes last and so wins.
    fn connect_declared(&mut self) -> Result<(), PipelineError> {
        for (node, pass) in self.passes() {
            let declaration = pass.declaration;
            for (ids, kind) in
                [(declaration.after, EdgeKind::After), (declaration.refreshes, EdgeKind::Refreshes)]
            {
                for from in ids.iter().filter_map(|id| self.pass_by_id.get(id)) {
                    self.graph.update_edge(*from, node, kind);
                }
            }
            for &needs in declaration.needs {
                let Some(&from) = self.pass_by_id.get(&needs) else {
                    return Err(PipelineError::Missing { pass: declaration.id, needs });
                };
                self.graph.update_edge(from, node, EdgeKind::Needs);
            }
            // A step requests analyses of the form before the one it makes.
            let form = pass.form.saturating_sub(usize::from(pass.is_step));
            for id in pass.uses() {
                if let Some(&from) = self.analysis_by_id.get(&(form, id)) {
                    self.graph.update_edge(from, node, EdgeKind::Uses);
                }
            }
        }
        Ok(())
    }
}

/// All vertices in dependency order; among the ready ones the first registered goes first. (petgraph's own `toposort`
/// promises no order between independent vertices.)
pub(crate) fn ordered(graph: &PassGraph) -> Result<Vec<NodeIndex>, PipelineError> {
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

/// A cycle of a cyclic graph, from its first registered pass; each pass comes before its dependency.
fn find_cycle(graph: &PassGraph) -> Vec<PassId> {
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
    let passes = path.into_iter().filter_map(|node| graph[node].as_pass());
    passes.map(|pass| pass.declaration.id).collect()
}

/// The first registered pass that requires `node`'s result.
pub(crate) fn find_dependant(graph: &PassGraph, node: NodeIndex) -> Option<PassId> {
    let edges = graph.edges_directed(node, Outgoing);
    let needs = edges.filter(|edge| *edge.weight() == EdgeKind::Needs);
    let first = needs.map(|edge| edge.target()).min()?;
    graph[first].as_pass().map(|pass| pass.declaration.id)
}
