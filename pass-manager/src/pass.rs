//! Passes, which change a form, and steps, which make the next one.

use crate::{Declaration, ErrorOf, Form, PassCx, PassId};

/// Whether running a pass again at once could do more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// A second run would find nothing: until something else changes the form, the pass need not run.
    Settled,
    /// What was done may have opened the way for more.
    Again,
}

impl Done {
    /// [`Done::Again`] when `again`.
    pub const fn unless(again: bool) -> Self {
        if again { Self::Again } else { Self::Settled }
    }
}

/// A pass over one form.
///
/// It keeps no state between runs: that belongs in the form or in the context, so that one pipeline serves many
/// threads. It asks [`PassCx::fuel`] before each rewrite; a form counts as changed when there was one.
pub trait Pass<F: Form>: Send + Sync {
    /// What it says of itself.
    fn declaration(&self) -> Declaration;

    /// Transforms `form`.
    ///
    /// # Errors
    /// When the form has something that this pass cannot handle; the run stops there.
    fn run(&self, form: &mut F, cx: &mut PassCx<'_, F>) -> Result<Done, ErrorOf<F>>;
}

/// A pass from one form to the next, which no pipeline can leave out: the types would not fit.
pub trait Step: Send + Sync {
    /// What it takes.
    type From: Form;
    /// What it gives.
    type To: Form<Forms = <Self::From as Form>::Forms>;

    /// What it says of itself.
    fn declaration(&self) -> Declaration;

    /// Makes the next form.
    ///
    /// # Errors
    /// When the form has something that has no counterpart in the next.
    fn run(
        &self,
        from: Self::From,
        cx: &mut PassCx<'_, Self::From>,
    ) -> Result<Self::To, ErrorOf<Self::From>>;
}

/// What a pipeline runs over a form: a pass, or several until they settle.
pub struct Node<F: Form> {
    pub(crate) declaration: Declaration,
    pub(crate) kind: NodeKind<F>,
}

pub(crate) enum NodeKind<F: Form> {
    Pass(Box<dyn Pass<F>>),
    Fixpoint { members: Vec<Box<dyn Pass<F>>>, max_rounds: u32 },
}

impl<F: Form> Node<F> {
    /// A pass by itself.
    pub fn pass(pass: impl Pass<F> + 'static) -> Self {
        Self { declaration: pass.declaration(), kind: NodeKind::Pass(Box::new(pass)) }
    }

    /// The name under which it runs.
    pub fn id(&self) -> PassId {
        self.declaration.id
    }

    /// `members` in turn, over and over until none asks for another round, or `max_rounds` times. What holds of all of
    /// them together is in `declaration`; members say what they use and preserve.
    pub fn fixpoint(
        declaration: Declaration,
        max_rounds: u32,
        members: impl IntoIterator<Item = Box<dyn Pass<F>>>,
    ) -> Self {
        let members = members.into_iter().collect();
        Self { declaration, kind: NodeKind::Fixpoint { members, max_rounds } }
    }

    pub(crate) fn members(&self) -> &[Box<dyn Pass<F>>] {
        match &self.kind {
            NodeKind::Pass(_) => &[],
            NodeKind::Fixpoint { members, .. } => members,
        }
    }
}
