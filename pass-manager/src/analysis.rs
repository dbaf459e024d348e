//! Analyses: facts about a form, computed on first request.

use std::any::Any;
use std::rc::Rc;
use std::time::Duration;

use thiserror::Error;

use crate::few::FewMap;
use crate::{AnalysisId, AnalysisReport, Clock, ContextOf, ErrorOf, Form};

/// An analysis of a form.
pub trait Analysis<F: Form>: 'static {
    /// Its name.
    const ID: AnalysisId;
    /// The result.
    type Result: 'static;

    /// Computes the result.
    ///
    /// # Errors
    /// When the form breaks its own invariants.
    fn compute(form: &F, context: &ContextOf<F>) -> Result<Self::Result, ErrorOf<F>>;
}

/// A pass requested an analysis that it does not declare. This is a bug in the pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("analysis `{0}` is used but not declared")]
pub struct Undeclared(pub AnalysisId);

/// Cached analysis results for the current form.
#[derive(Default)]
pub(crate) struct Cache {
    results: FewMap<AnalysisId, Rc<dyn Any>>,
    reports: Vec<AnalysisReport>,
    pub(crate) clock: Clock,
    /// Time spent on all computations.
    pub(crate) time: Duration,
}

impl Cache {
    /// An empty cache; `clock` times the computations.
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

    /// Drops the results that a change of the form invalidates.
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
