//! Building a pipeline and running it.

use petgraph::graph::NodeIndex;

use crate::graph::{self, PassGraph, Stage};
use crate::plan::Plan;
use crate::run::Run;
use crate::{
    ContextOf, Drawing, ErrorOf, Form, Forms, Node, Observer, Options, PassId, PipelineError,
    Report, RunError, Step,
};

/// Makes an `Out` of an `In`.
type Chain<In, Out> = Box<
    dyn Fn(In, &mut Run<'_, <In as Form>::Forms>) -> Result<Out, RunError<ErrorOf<In>>>
        + Send
        + Sync,
>;

/// Collects steps and passes for a [`Pipeline`] from `In`; `Out` is the form reached so far.
pub struct Builder<In: Form, Out: Form> {
    stages: Vec<Stage>,
    /// Passes over `Out`.
    nodes: Vec<Node<Out>>,
    /// Makes an `Out`, without the passes over it.
    chain: Chain<In, Out>,
}

impl<In, Out> Builder<In, Out>
where
    In: Form,
    Out: Form<Forms = In::Forms>,
{
    /// Registers a pass, or a fixpoint of several, over the form reached so far. Declarations determine the order;
    /// among passes that are ready, the one registered first runs first.
    #[must_use]
    pub fn node(mut self, node: Node<Out>) -> Self {
        self.nodes.push(node);
        self
    }

    /// Registers passes in order.
    #[must_use]
    pub fn nodes(mut self, nodes: impl IntoIterator<Item = Node<Out>>) -> Self {
        self.nodes.extend(nodes);
        self
    }

    /// Registers `step`; passes that follow work on the form it makes.
    #[must_use]
    pub fn step<S>(self, step: S) -> Builder<In, S::To>
    where
        S: Step<From = Out> + 'static,
        S::To: Form<Forms = In::Forms>,
    {
        let (mut stages, chain) = self.close();
        let form = stages.len();
        stages.push(Stage { step: Some(step.declaration()), passes: Vec::new() });
        let chain: Chain<In, S::To> = Box::new(move |input, run| {
            let from = chain(input, run)?;
            run.step(form, &step, from)
        });
        Builder { stages, nodes: Vec::new(), chain }
    }

    /// Orders the registered passes and applies `options`.
    ///
    /// # Errors
    /// When declarations contradict each other, or an option names a pass that is missing or must run.
    pub fn build(self, options: &Options) -> Result<Pipeline<In, Out>, PipelineError> {
        let (stages, chain) = self.close();
        let graph = graph::connect(&stages)?;
        let order = graph::ordered(&graph)?;
        let plan = Plan::new(&graph, &order, options)?;
        Ok(Pipeline { graph, order, plan, chain })
    }

    /// Appends the passes over the current form to the chain.
    fn close(self) -> (Vec<Stage>, Chain<In, Out>) {
        let Self { mut stages, nodes, chain } = self;
        let form = stages.len() - 1;
        let declared = |node: &Node<Out>| {
            let members = node.members().iter().map(|member| member.declaration());
            (node.declaration, members.collect())
        };
        stages[form].passes = nodes.iter().map(declared).collect();
        let chain: Chain<In, Out> = Box::new(move |input, run| {
            let mut form_made = chain(input, run)?;
            run.passes(form, &nodes, &mut form_made)?;
            Ok(form_made)
        });
        (stages, chain)
    }
}

/// Steps from `In` to `Out` and the passes between them, in a fixed order. It can run over any number of inputs.
pub struct Pipeline<In: Form, Out: Form> {
    graph: PassGraph,
    /// Everything registered, including passes that are disabled or come after the stop.
    order: Vec<NodeIndex>,
    plan: Plan,
    chain: Chain<In, Out>,
}

impl<In: Form> Pipeline<In, In> {
    /// A builder that starts at the input form.
    pub fn builder() -> Builder<In, In> {
        let chain: Chain<In, In> = Box::new(|input, _| Ok(input));
        Builder { stages: vec![Stage::default()], nodes: Vec::new(), chain }
    }
}

impl<In, Out> Pipeline<In, Out>
where
    In: Form,
    Out: Form<Forms = In::Forms>,
{
    /// The planned runs in order; a pass appears as often as it may run.
    pub fn order(&self) -> impl ExactSizeIterator<Item = PassId> {
        self.plan.runs.iter().map(|run| run.id)
    }

    /// Everything registered with its places in the order, in Graphviz DOT.
    pub fn to_dot(&self) -> String {
        crate::dot::render(&self.drawing())
    }

    /// Everything registered and its dependencies.
    pub fn drawing(&self) -> Drawing {
        crate::drawing::draw(&self.graph, &self.order, &self.plan)
    }

    /// Makes an `Out` of `input`.
    ///
    /// # Errors
    /// When a pass fails, when a pass breaks its form according to `observer`, or when the options end the run.
    pub fn run<L: Forms>(
        &self,
        input: In,
        context: &mut ContextOf<In>,
        observer: &mut dyn Observer<L>,
    ) -> Result<(Out, Report), RunError<ErrorOf<In>>>
    where
        In: Form<Forms = L>,
    {
        let mut run = Run::new(&self.plan, context, observer);
        let output = (self.chain)(input, &mut run)?;
        Ok((output, run.finish()))
    }
}
