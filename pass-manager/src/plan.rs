//! Which passes run, and in which order, under given options.

use petgraph::graph::NodeIndex;

use crate::graph::{self, PassGraph, PassVertex};
use crate::{Clock, Options, PassId, PassSet, PipelineError};

/// One planned run of a pass.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    pub(crate) id: PassId,
    /// The place among the passes of its form; not used for a step.
    pub(crate) place: usize,
    /// The form that it works on or makes.
    pub(crate) form: usize,
    pub(crate) is_step: bool,
    /// Which run of the pass it is, from 1.
    pub(crate) ordinal: u32,
    pub(crate) print: bool,
    /// Whether the run ends here.
    pub(crate) stop: bool,
    /// Whether the pass is limited by fuel.
    pub(crate) burns: bool,
    /// For each member of a fixpoint, whether it runs and whether it is dumped.
    pub(crate) members: Vec<Member>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Member {
    pub(crate) runs: bool,
    pub(crate) print: bool,
}

/// The runs in order.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) runs: Vec<Planned>,
    pub(crate) verify_each: bool,
    pub(crate) fuel: Option<u64>,
    pub(crate) clock: Clock,
}

impl Plan {
    pub(crate) fn new(
        graph: &PassGraph,
        order: &[NodeIndex],
        options: &Options,
    ) -> Result<Self, PipelineError> {
        let names = Names { graph };
        for name in &options.disabled {
            names.check_can_disable(name)?;
        }
        let is_live = |id: PassId| !options.disabled.iter().any(|name| name == id.name());
        let mut runs = Vec::new();
        for node in repeated(graph, order, &is_live) {
            let Some(pass) = graph[node].as_pass() else { continue };
            let id = pass.declaration.id;
            let ordinal = 1 + runs.iter().filter(|run: &&Planned| run.id == id).count() as u32;
            let member = |member: &crate::Declaration| Member {
                runs: is_live(member.id),
                print: prints(&options.print_after, member.id, None),
            };
            runs.push(Planned {
                id,
                place: place_of(graph, node, pass),
                form: pass.form,
                is_step: pass.is_step,
                ordinal,
                print: options.print_after == PassSet::All
                    || prints(&options.print_after, id, Some(ordinal)),
                stop: false,
                burns: !pass.is_step
                    && pass.declaration.is_optional
                    && graph::find_dependant(graph, node).is_none(),
                members: pass.members.iter().map(member).collect(),
            });
        }
        if let PassSet::Named(wanted) = &options.print_after {
            wanted.iter().try_for_each(|name| names.check_known(name, &runs))?;
        }
        if let Some(name) = &options.stop_after {
            let last = runs.iter().position(|run| is_named(name, run.id, Some(run.ordinal)));
            let last = last.ok_or_else(|| names.unknown(name))?;
            runs.truncate(last + 1);
            runs[last].stop = true;
        }
        Ok(Self {
            runs,
            verify_each: options.verify_each,
            fuel: options.fuel,
            clock: options.clock,
        })
    }

    /// The runs over `form`.
    pub(crate) fn of_form(&self, form: usize) -> impl Iterator<Item = &Planned> {
        self.runs.iter().filter(move |run| run.form == form && !run.is_step)
    }

    /// The run of the step that makes `form`.
    pub(crate) fn step_to(&self, form: usize) -> Option<&Planned> {
        self.runs.iter().find(|run| run.form == form && run.is_step)
    }
}

/// The place of a pass among those of its form, in order of registration.
fn place_of(graph: &PassGraph, node: NodeIndex, pass: &PassVertex) -> usize {
    let before = graph.node_indices().take_while(|&other| other != node);
    let of_form = |other: &NodeIndex| {
        graph[*other].as_pass().is_some_and(|p| p.form == pass.form && !p.is_step)
    };
    before.filter(of_form).count()
}

/// The live passes in order. Passes whose result must be fresh are repeated where it may be stale.
fn repeated(
    graph: &PassGraph,
    order: &[NodeIndex],
    is_live: &dyn Fn(PassId) -> bool,
) -> Vec<NodeIndex> {
    let find = |id: PassId| {
        let is = |node: &NodeIndex| graph[*node].as_pass().is_some_and(|p| p.declaration.id == id);
        graph.node_indices().find(is)
    };
    let mut runs: Vec<NodeIndex> = Vec::new();
    for &node in order {
        let Some(pass) = graph[node].as_pass().filter(|pass| is_live(pass.declaration.id)) else {
            continue;
        };
        for &id in pass.declaration.refreshes.iter().filter(|id| is_live(**id)) {
            // The pass that ran last is still fresh.
            let Some(again) = find(id).filter(|again| runs.last() != Some(again)) else { continue };
            runs.push(again);
        }
        runs.push(node);
    }
    runs
}

/// Whether `name` means this run of `id`; members of fixpoints have no number.
fn is_named(name: &str, id: PassId, ordinal: Option<u32>) -> bool {
    match name.split_once('.') {
        None => name == id.name(),
        Some((name, number)) => name == id.name() && number.parse().ok() == ordinal,
    }
}

fn prints(set: &PassSet, id: PassId, ordinal: Option<u32>) -> bool {
    match set {
        PassSet::None | PassSet::All => false,
        PassSet::Named(names) => names.iter().any(|name| is_named(name, id, ordinal)),
    }
}

/// Looks up names from options.
struct Names<'a> {
    graph: &'a PassGraph,
}

impl Names<'_> {
    fn passes(&self) -> impl Iterator<Item = (NodeIndex, &PassVertex)> {
        let nodes = self.graph.node_indices();
        nodes.filter_map(|node| Some((node, self.graph[node].as_pass()?)))
    }

    fn unknown(&self, name: &str) -> PipelineError {
        let known = self.passes().map(|(_, pass)| pass.declaration.id).collect();
        PipelineError::UnknownPass { name: name.to_owned(), known }
    }

    /// Whether `name` means one of `runs`, or any pass.
    fn check_known(&self, name: &str, runs: &[Planned]) -> Result<(), PipelineError> {
        let is_run = |run: &Planned| is_named(name, run.id, Some(run.ordinal));
        let is_pass = |(_, pass): (_, &PassVertex)| {
            let all = std::iter::once(&pass.declaration).chain(&pass.members);
            all.into_iter().any(|declaration| is_named(name, declaration.id, None))
        };
        let is_known = runs.iter().any(is_run) || self.passes().any(is_pass);
        is_known.then_some(()).ok_or_else(|| self.unknown(name))
    }

    fn check_can_disable(&self, name: &str) -> Result<(), PipelineError> {
        let mut is_known = false;
        for (node, pass) in self.passes() {
            is_known |= pass.members.iter().any(|member| member.id.name() == name);
            let id = pass.declaration.id;
            if id.name() != name {
                continue;
            }
            is_known = true;
            if !pass.declaration.is_optional {
                return Err(PipelineError::Required(id));
            }
            if let Some(by) = graph::find_dependant(self.graph, node) {
                return Err(PipelineError::Needed { pass: id, by });
            }
        }
        is_known.then_some(()).ok_or_else(|| self.unknown(name))
    }
}
