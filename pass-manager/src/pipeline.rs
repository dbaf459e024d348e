//! Building a pipeline and running it.

use std::time::{Duration, Instant};

use petgraph::graph::NodeIndex;
use tracing::{debug, info_span};

use crate::graph::{self, PassGraph};
use crate::{Changed, Drawing, Observer, Options, Outcome, Pass, PassId, PassReport, PassSet};
use crate::{PipelineError, Report, RunError, Unit};

/// Collects passes for a [`Pipeline`].
pub struct Builder<U: Unit> {
    passes: Vec<Box<dyn Pass<U>>>,
}

impl<U: Unit> Default for Builder<U> {
    fn default() -> Self {
        Self { passes: Vec::new() }
    }
}

impl<U: Unit> Builder<U> {
    /// Registers `pass`; among passes free to run, the one registered first runs first.
    #[must_use]
    pub fn pass(self, pass: impl Pass<U> + 'static) -> Self {
        self.boxed(Box::new(pass))
    }

    /// Registers a pass that is boxed already.
    #[must_use]
    pub fn boxed(mut self, pass: Box<dyn Pass<U>>) -> Self {
        self.passes.push(pass);
        self
    }

    /// Orders the passes and applies `options`.
    ///
    /// # Errors
    /// When declarations contradict each other, or an option names a pass that is missing or must run.
    pub fn build(self, options: &Options) -> Result<Pipeline<U>, PipelineError> {
        let graph = graph::connect(self.passes)?;
        let order = graph::ordered(&graph)?;
        let steps = steps(&graph, &order, options)?;
        let (verify_each, fuel) = (options.verify_each, options.fuel);
        Ok(Pipeline { graph, order, steps, verify_each, fuel })
    }
}

/// Passes in a fixed order, to be run over any number of units.
pub struct Pipeline<U: Unit> {
    graph: PassGraph<U>,
    /// Every pass, also disabled ones and those after the stop.
    order: Vec<NodeIndex>,
    steps: Vec<Step>,
    verify_each: bool,
    fuel: Option<u64>,
}

/// One pass to run.
struct Step {
    node: NodeIndex,
    id: PassId,
    print: bool,
    /// Whether the pass may be left out when fuel is spent.
    skippable: bool,
}

/// The passes that `options` leave to run.
fn steps<U: Unit>(
    graph: &PassGraph<U>,
    order: &[NodeIndex],
    options: &Options,
) -> Result<Vec<Step>, PipelineError> {
    let disabled = find_all(graph, &options.disabled)?;
    for &node in &disabled {
        check_can_disable(graph, node)?;
    }
    let last = options.stop_after.as_deref().map(|name| find(graph, name)).transpose()?;
    let printed = match &options.print_after {
        PassSet::None => Vec::new(),
        PassSet::All => order.to_vec(),
        PassSet::Named(names) => find_all(graph, names)?,
    };
    let end = order.iter().position(|&node| Some(node) == last).map_or(order.len(), |at| at + 1);
    let live = order[..end].iter().filter(|node| !disabled.contains(node));
    Ok(live
        .map(|&node| Step {
            node,
            id: graph[node].id(),
            print: printed.contains(&node),
            skippable: check_can_disable(graph, node).is_ok(),
        })
        .collect())
}

fn find_all<U: Unit>(
    graph: &PassGraph<U>,
    names: &[String],
) -> Result<Vec<NodeIndex>, PipelineError> {
    names.iter().map(|name| find(graph, name)).collect()
}

fn find<U: Unit>(graph: &PassGraph<U>, name: &str) -> Result<NodeIndex, PipelineError> {
    let mut nodes = graph.node_indices();
    nodes.find(|&node| graph[node].id().name() == name).ok_or_else(|| PipelineError::UnknownPass {
        name: name.to_owned(),
        known: graph.node_weights().map(|pass| pass.id()).collect(),
    })
}

fn check_can_disable<U: Unit>(graph: &PassGraph<U>, node: NodeIndex) -> Result<(), PipelineError> {
    let pass = graph[node].id();
    if !graph[node].is_optional() {
        return Err(PipelineError::Required(pass));
    }
    match graph::find_dependant(graph, node) {
        Some(by) => Err(PipelineError::Needed { pass, by: graph[by].id() }),
        None => Ok(()),
    }
}

impl<U: Unit> Pipeline<U> {
    /// An empty builder.
    pub fn builder() -> Builder<U> {
        Builder::default()
    }

    /// The passes that a run executes, in order.
    pub fn order(&self) -> impl ExactSizeIterator<Item = PassId> {
        self.steps.iter().map(|step| step.id)
    }

    /// Every registered pass with its place in the order, in Graphviz's language.
    pub fn to_dot(&self) -> String {
        crate::dot::render(&self.drawing())
    }

    /// Every registered pass and what it waits for.
    pub fn drawing(&self) -> Drawing {
        crate::drawing::draw(&self.graph, &self.order)
    }

    /// Runs every pass on `unit`.
    ///
    /// # Errors
    /// At the first pass that fails, or that breaks the unit according to `observer`.
    pub fn run(
        &self,
        unit: &mut U,
        cx: &mut U::Context,
        observer: &mut impl Observer<U>,
    ) -> Result<Report, RunError<U::Error>> {
        let mut passes = Vec::with_capacity(self.steps.len());
        let mut fuel = self.fuel;
        let mut before = unit.size();
        for step in &self.steps {
            let mut report = PassReport {
                id: step.id,
                time: Duration::ZERO,
                before,
                after: before,
                outcome: Outcome::OutOfFuel,
            };
            if !(step.skippable && fuel == Some(0)) {
                self.run_step(step, unit, cx, &mut report)?;
                self.observe(step, unit, &report, observer)?;
                burn(&mut fuel, step, report.outcome);
            }
            before = report.after;
            passes.push(report);
        }
        Ok(Report { passes })
    }

    /// Runs one pass and fills in its report.
    fn run_step(
        &self,
        step: &Step,
        unit: &mut U,
        cx: &mut U::Context,
        report: &mut PassReport,
    ) -> Result<(), RunError<U::Error>> {
        let _span = info_span!("pass", id = step.id.name()).entered();
        let start = Instant::now();
        let changed = self.graph[step.node]
            .run(unit, cx)
            .map_err(|error| RunError::Pass { pass: step.id, error })?;
        report.time = start.elapsed();
        report.after = unit.size();
        report.outcome = Outcome::Ran(changed);
        debug!(?changed, before = report.before, after = report.after);
        Ok(())
    }

    /// Dumps and verifies what a pass left, as the options ask. The dump comes first, so that a
    /// unit that fails verification can be seen.
    fn observe(
        &self,
        step: &Step,
        unit: &U,
        report: &PassReport,
        observer: &mut impl Observer<U>,
    ) -> Result<(), RunError<U::Error>> {
        if step.print {
            observer.dump(step.id, unit);
        }
        if self.verify_each && report.outcome == Outcome::Ran(Changed::Yes) {
            observer.verify(step.id, unit).map_err(|why| RunError::Broke { pass: step.id, why })?;
        }
        Ok(())
    }
}

/// Takes one unit of fuel for a change that could have been left out.
fn burn(fuel: &mut Option<u64>, step: &Step, outcome: Outcome) {
    if step.skippable && outcome == Outcome::Ran(Changed::Yes) {
        *fuel = fuel.map(|left| left - 1);
    }
}
