//! What a pass is given besides its form.

use std::marker::PhantomData;
use std::rc::Rc;
use std::time::Duration;

use crate::analysis::Cache;
use crate::few::FewMap;
use crate::{Analysis, AnalysisId, Clock, ContextOf, ErrorOf, Form, Fuel, PassId, Undeclared};

/// What a pass is given besides its form.
pub struct PassCx<'a, F: Form> {
    /// What all passes share.
    pub context: &'a mut ContextOf<F>,
    /// What a pass asks before each rewrite.
    pub fuel: &'a mut Fuel,
    pub(crate) cache: &'a mut Cache,
    pub(crate) uses: &'static [AnalysisId],
    pub(crate) charges: &'a mut FewMap<PassId, Duration>,
    /// Time that was charged to other passes.
    pub(crate) charged: Duration,
    pub(crate) form: PhantomData<fn(&F)>,
}

impl<F: Form> PassCx<'_, F> {
    /// What `A` finds out about `form`, the form that this pass was given: computed now, unless it is known and
    /// nothing has changed since.
    ///
    /// # Errors
    /// When the pass does not declare the analysis, or the analysis fails.
    pub fn analysis<A: Analysis<F>>(&mut self, form: &F) -> Result<Rc<A::Result>, ErrorOf<F>> {
        if !self.uses.contains(&A::ID) {
            return Err(Undeclared(A::ID).into());
        }
        self.cache.get::<F, A>(form, self.context)
    }

    /// What times the passes.
    pub fn clock(&self) -> Clock {
        self.cache.clock
    }

    /// Counts `time` of this pass as the time of `pass`, whose work it had to do.
    pub fn charge(&mut self, pass: PassId, time: Duration) {
        let before = self.charges.get(pass).copied().unwrap_or_default();
        self.charges.insert(pass, before + time);
        self.charged += time;
    }
}
