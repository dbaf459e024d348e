//! A small compiler whose passes only note their names: a list of words, and then one sentence.

use pass_manager::{
    AnalysisId, Declaration, Done, Form, Forms, Node, Options, Pass, PassCx, PassId, Pipeline,
    PipelineError, RunError, Step, Undeclared,
};

/// The compiler.
#[derive(Debug)]
pub(crate) struct Toy;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Refusal {
    Odd,
    Undeclared(AnalysisId),
}

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{self:?}")
    }
}

impl From<Undeclared> for Refusal {
    fn from(undeclared: Undeclared) -> Self {
        Self::Undeclared(undeclared.0)
    }
}

impl Forms for Toy {
    type View<'a> = &'a [&'static str];
    type Context = ();
    type Error = Refusal;
}

/// The first form: the passes that ran.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Words(pub(crate) Vec<&'static str>);

/// The second form: the same, after the step.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Sentence(pub(crate) Vec<&'static str>);

impl Form for Words {
    type Forms = Toy;

    fn size(&self) -> usize {
        self.0.len()
    }

    fn view(&self) -> &[&'static str] {
        &self.0
    }
}

impl Form for Sentence {
    type Forms = Toy;

    fn size(&self) -> usize {
        self.0.len()
    }

    fn view(&self) -> &[&'static str] {
        &self.0
    }
}

/// What a noted pass does.
#[derive(Clone, Copy)]
pub(crate) enum Deed {
    /// Notes its name as often as this, as far as fuel lasts.
    Notes(usize),
    /// Nothing.
    Idle,
    /// Fails.
    Fails,
    /// Notes its name once a run and asks for another run until so many words are there.
    Until(usize),
}

/// A pass that is its declaration.
#[derive(Clone, Copy)]
pub(crate) struct Noted {
    pub(crate) declaration: Declaration,
    pub(crate) deed: Deed,
}

impl<F: Form<Forms = Toy> + AsMut<Vec<&'static str>>> Pass<F> for Noted {
    fn declaration(&self) -> Declaration {
        self.declaration
    }

    fn run(&self, form: &mut F, cx: &mut PassCx<'_, F>) -> Result<Done, Refusal> {
        let words = form.as_mut();
        let times = match self.deed {
            Deed::Fails => return Err(Refusal::Odd),
            Deed::Idle => 0,
            Deed::Notes(times) => times,
            Deed::Until(len) => usize::from(words.len() < len),
        };
        for _ in 0..times {
            if cx.fuel.burn() {
                words.push(self.declaration.id.name());
            }
        }
        let goes_on = |len: usize| times > 0 && words.len() < len;
        Ok(Done::unless(matches!(self.deed, Deed::Until(len) if goes_on(len))))
    }
}

impl AsMut<Vec<&'static str>> for Words {
    fn as_mut(&mut self) -> &mut Vec<&'static str> {
        &mut self.0
    }
}

impl AsMut<Vec<&'static str>> for Sentence {
    fn as_mut(&mut self) -> &mut Vec<&'static str> {
        &mut self.0
    }
}

/// The step from words to a sentence.
pub(crate) struct Join(pub(crate) Declaration);

impl Step for Join {
    type From = Words;
    type To = Sentence;

    fn declaration(&self) -> Declaration {
        self.0
    }

    fn run(&self, from: Words, _: &mut PassCx<'_, Words>) -> Result<Sentence, Refusal> {
        let mut words = from.0;
        words.push(self.0.id.name());
        Ok(Sentence(words))
    }
}

pub(crate) const A: PassId = PassId::new("a");
pub(crate) const B: PassId = PassId::new("b");
pub(crate) const C: PassId = PassId::new("c");
pub(crate) const TIDY: PassId = PassId::new("tidy");
pub(crate) const JOIN: PassId = PassId::new("join");

/// A pass that must run and notes its name.
pub(crate) fn required(id: PassId) -> Noted {
    Noted { declaration: Declaration::required(id), deed: Deed::Notes(1) }
}

/// The same of a pass that may be left out.
pub(crate) fn optional(id: PassId) -> Noted {
    Noted { declaration: Declaration::optional(id), deed: Deed::Notes(1) }
}

impl Noted {
    pub(crate) fn with(self, declare: impl FnOnce(Declaration) -> Declaration) -> Self {
        Self { declaration: declare(self.declaration), ..self }
    }

    pub(crate) fn that(self, deed: Deed) -> Self {
        Self { deed, ..self }
    }
}

/// A pipeline over words alone.
pub(crate) fn build(
    passes: &[Noted],
    options: &Options,
) -> Result<Pipeline<Words, Words>, PipelineError> {
    Pipeline::builder().nodes(passes.iter().map(|pass| Node::pass(*pass))).build(options)
}

/// A pipeline of passes, the step, and passes.
pub(crate) fn two_forms(
    before: &[Noted],
    join: Declaration,
    after: &[Noted],
    options: &Options,
) -> Result<Pipeline<Words, Sentence>, PipelineError> {
    Pipeline::builder()
        .nodes(before.iter().map(|pass| Node::pass(*pass)))
        .step(Join(join))
        .nodes(after.iter().map(|pass| Node::pass(*pass)))
        .build(options)
}

/// Runs and gives the names of the passes that left a note.
pub(crate) fn trail(
    pipeline: &Pipeline<Words, Words>,
) -> Result<Vec<&'static str>, RunError<Refusal>> {
    pipeline.run::<Toy>(Words::default(), &mut (), &mut ()).map(|(words, _)| words.0)
}

pub(crate) fn names<T>(order: impl Iterator<Item = PassId>) -> T
where
    T: FromIterator<&'static str>,
{
    order.map(PassId::name).collect()
}
