//! The context that a pass gets along with its form.

use std::marker::PhantomData;
use std::rc::Rc;
use std::time::Duration;

use crate::analysis::Cache;
use crate::few::FewMap;
use crate::{Analysis, AnalysisId, Clock, ContextOf, ErrorOf, Form, Fuel, PassId, Undeclared};

/// The context that a pass gets along with its form.
pub struct PassCx<'a, F: Form> {
    /// State shared by all passes.
    pub context: &'a mut ContextOf<F>,
    /// Consulted before each rewrite.
    pub fuel: &'a mut Fuel,
    pub(crate) cache: &'a mut Cache,
    pub(crate) uses: &'static [AnalysisId],
    pub(crate) charges: &'a mut FewMap<PassId, Duration>,
    /// Time charged to other passes.
    pub(crate) charged: Duration,
    pub(crate) form: PhantomData<fn(&F)>,
}

impl<F: Form> PassCx<'_, F> {
    /// The result of analysis `A` on `form`, the form that this pass was given. It is computed unless a cached result
    /// is still valid.
    ///
    /// # Errors
    /// When the pass does not declare the analysis, or the analysis fails.
    pub fn analysis<A: Analysis<F>>(&mut self, form: &F) -> Result<Rc<A::Result>, ErrorOf<F>> {
        if !self.uses.contains(&A::ID) {
            return Err(Undeclared(A::ID).into());
        }
        self.cache.get::<F, A>(form, self.context)
    }

    /// The clock that times the passes.
    pub fn clock(&self) -> Clock {
        self.cache.clock
    }

    /// Charges `time` of this pass to `pass`, on whose behalf it worked.
    pub fn charge(&mut self, pass: PassId, time: Duration) {
        let before = self.charges.get(pass).copied().unwrap_or_default();
        self.charges.insert(pass, before + time);
        self.charged += time;
    }
}
