//! Passes, which change a form, and steps, which make the next one.

use crate::{Declaration, ErrorOf, Form, PassCx, PassId};

/// Whether an immediate second run of a pass could do more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Done {
    /// A second run would find nothing. The pass need not run until something else changes the form.
    Settled,
    /// The changes may have enabled more.
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
/// It keeps no state between runs, so one pipeline can serve many threads; state belongs in the form or in the context.
/// It consults [`PassCx::fuel`] before each rewrite. The form counts as changed if there was a rewrite.
pub trait Pass<F: Form>: Send + Sync {
    /// Its declaration.
    fn declaration(&self) -> Declaration;

    /// Transforms `form`.
    ///
    /// # Errors
    /// When the form has a construct that this pass cannot handle. The run stops there.
    fn run(&self, form: &mut F, cx: &mut PassCx<'_, F>) -> Result<Done, ErrorOf<F>>;
}

/// A pass from one form to the next. It cannot be disabled, since the types would no longer match.
pub trait Step: Send + Sync {
    /// Its input.
    type From: Form;
    /// Its output.
    type To: Form<Forms = <Self::From as Form>::Forms>;

    /// Its declaration.
    fn declaration(&self) -> Declaration;

    /// Makes the next form.
    ///
    /// # Errors
    /// When the form has a construct without a counterpart in the next.
    fn run(
        &self,
        from: Self::From,
        cx: &mut PassCx<'_, Self::From>,
    ) -> Result<Self::To, ErrorOf<Self::From>>;
}

/// A unit of a pipeline over one form: a pass, or several run to a fixpoint.
pub struct Node<F: Form> {
    pub(crate) declaration: Declaration,
    pub(crate) kind: NodeKind<F>,
}

pub(crate) enum NodeKind<F: Form> {
    Pass(Box<dyn Pass<F>>),
    Fixpoint { members: Vec<Box<dyn Pass<F>>>, max_rounds: u32 },
}

impl<F: Form> Node<F> {
    /// A single pass.
    pub fn pass(pass: impl Pass<F> + 'static) -> Self {
        Self { declaration: pass.declaration(), kind: NodeKind::Pass(Box::new(pass)) }
    }

    /// The name under which it runs.
    pub fn id(&self) -> PassId {
        self.declaration.id
    }

    /// Runs `members` in turn, until none asks for another round or `max_rounds` is reached. `declaration` describes
    /// the group as a whole; members declare what they use and preserve.
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
