//! Analyses: what passes ask about a form, computed when first asked for.

use std::any::Any;
use std::rc::Rc;
use std::time::Duration;

use thiserror::Error;

use crate::few::FewMap;
use crate::{AnalysisId, AnalysisReport, Clock, ContextOf, ErrorOf, Form};

/// Something that can be found out about a form.
pub trait Analysis<F: Form>: 'static {
    /// Its name.
    const ID: AnalysisId;
    /// What is found out.
    type Result: 'static;

    /// Finds it out.
    ///
    /// # Errors
    /// When the form is not what it promises to be.
    fn compute(form: &F, context: &ContextOf<F>) -> Result<Self::Result, ErrorOf<F>>;
}

/// A pass asks for an analysis that it does not declare: a mistake of the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("analysis `{0}` is used but not declared")]
pub struct Undeclared(pub AnalysisId);

/// What is known of the current form.
#[derive(Default)]
pub(crate) struct Cache {
    results: FewMap<AnalysisId, Rc<dyn Any>>,
    reports: Vec<AnalysisReport>,
    pub(crate) clock: Clock,
    /// Time that all computations took.
    pub(crate) time: Duration,
}

impl Cache {
    /// Nothing is known yet; `clock` times what is computed.
    pub(crate) fn new(clock: Clock) -> Self {
        Self { clock, ..Self::default() }
    }

    pub(crate) fn get<F: Form, A: Analysis<F>>(
        &mut self,
        form: &F,
        context: &ContextOf<F>,
    ) -> Result<Rc<A::Result>, ErrorOf<F>> {
        let known = self.results.get(A::ID).cloned();
        if let Some(known) = known.and_then(|known| known.downcast().ok()) {
            self.report(A::ID).num_reused += 1;
            return Ok(known);
        }
        let start = self.clock.now();
        let result = Rc::new(A::compute(form, context)?);
        let time = self.clock.since(start);
        self.time += time;
        let report = self.report(A::ID);
        report.time += time;
        report.num_computed += 1;
        self.results.insert(A::ID, result.clone());
        Ok(result)
    }

    /// Drops what does not hold any more once a pass has changed the form.
    pub(crate) fn keep(&mut self, preserved: &[AnalysisId]) {
        self.results.retain(|id| preserved.contains(&id));
    }

    pub(crate) fn into_reports(self) -> Vec<AnalysisReport> {
        self.reports
    }

    fn report(&mut self, id: AnalysisId) -> &mut AnalysisReport {
        let at = self.reports.iter().position(|report| report.id == id).unwrap_or_else(|| {
            self.reports.push(AnalysisReport::new(id));
            self.reports.len() - 1
        });
        &mut self.reports[at]
    }
}
