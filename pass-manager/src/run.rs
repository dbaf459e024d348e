//! One run of a pipeline over one input.

use std::marker::PhantomData;
use std::time::Duration;

use tracing::{debug, info_span};

use crate::analysis::Cache;
use crate::few::FewMap;
use crate::pass::NodeKind;
use crate::plan::{Plan, Planned};
use crate::{
    Declaration, Done, ErrorOf, Form, Forms, Fuel, MemberReport, Node, Observer, Outcome, Pass,
    PassCx, PassId, PassReport, Report, RunError, Step,
};

/// The state of a run.
pub(crate) struct Run<'a, L: Forms> {
    plan: &'a Plan,
    context: &'a mut L::Context,
    observer: &'a mut dyn Observer<L>,
    fuel: Fuel,
    cache: Cache,
    /// How often the form has changed or was replaced.
    version: u64,
    /// For each pass, the version of the current form at which it settled.
    settled: FewMap<PassId, u64>,
    charges: FewMap<PassId, Duration>,
    report: Report,
}

/// The result of one run of one pass.
struct Ran {
    time: Duration,
    rewrites: u64,
    done: Done,
}

/// Runs something over a form and measures it.
struct Measured<T> {
    result: T,
    time: Duration,
}

impl<'a, L: Forms> Run<'a, L> {
    pub(crate) fn new(
        plan: &'a Plan,
        context: &'a mut L::Context,
        observer: &'a mut dyn Observer<L>,
    ) -> Self {
        Self {
            plan,
            context,
            observer,
            fuel: Fuel::new(plan.fuel),
            cache: Cache::new(plan.clock),
            version: 0,
            settled: FewMap::default(),
            charges: FewMap::default(),
            report: Report::default(),
        }
    }

    /// The report, with charged times moved to their passes.
    pub(crate) fn finish(self) -> Report {
        let Self { mut report, cache, charges, .. } = self;
        for (id, time) in charges.into_entries() {
            if let Some(pass) = report.passes.iter_mut().find(|pass| pass.id == id) {
                pass.time += time;
            }
        }
        report.analyses = cache.into_reports();
        report
    }

    /// Makes the form of this number from the one before.
    pub(crate) fn step<S>(
        &mut self,
        form: usize,
        step: &S,
        from: S::From,
    ) -> Result<S::To, RunError<L::Error>>
    where
        S: Step,
        S::From: Form<Forms = L>,
    {
        let plan = self.plan;
        // A step without a planned run means that the pipeline ended before it.
        let Some(planned) = plan.step_to(form) else {
            return Err(RunError::Stopped(self.last()));
        };
        let before = from.size();
        let _span = info_span!("pass", id = planned.id.name()).entered();
        let declaration = step.declaration();
        let ran = self.measure(&declaration, |cx: &mut PassCx<'_, S::From>| step.run(from, cx));
        let to = ran.result.map_err(|error| RunError::Pass { pass: planned.id, error })?;
        self.version += 1;
        self.settled.clear();
        self.cache.keep(&[]);
        self.report(PassReport {
            id: planned.id,
            time: ran.time,
            before,
            after: to.size(),
            rewrites: 0,
            outcome: Outcome::Changed,
            members: Vec::new(),
        });
        self.observe(planned, &to, true)?;
        Ok(to)
    }

    /// Runs the passes over the form of this number.
    pub(crate) fn passes<F: Form<Forms = L>>(
        &mut self,
        number: usize,
        nodes: &[Node<F>],
        form: &mut F,
    ) -> Result<(), RunError<L::Error>> {
        let plan = self.plan;
        let mut before = form.size();
        for planned in plan.of_form(number) {
            let Some(node) = nodes.get(planned.place) else { continue };
            let mut report = PassReport {
                id: planned.id,
                time: Duration::ZERO,
                before,
                after: before,
                rewrites: 0,
                outcome: Outcome::Fresh,
                members: Vec::new(),
            };
            if planned.burns && self.fuel.is_spent() {
                report.outcome = Outcome::OutOfFuel;
            } else if !self.is_fresh(planned.id) {
                let _span = info_span!("pass", id = planned.id.name()).entered();
                self.node(planned, node, form, &mut report)?;
                if report.outcome == Outcome::Changed {
                    report.after = form.size();
                }
                debug!(rewrites = report.rewrites, before, after = report.after);
            }
            let is_changed = report.outcome == Outcome::Changed;
            before = report.after;
            self.report(report);
            self.observe(planned, form, is_changed)?;
        }
        Ok(())
    }

    fn node<F: Form<Forms = L>>(
        &mut self,
        planned: &Planned,
        node: &Node<F>,
        form: &mut F,
        report: &mut PassReport,
    ) -> Result<(), RunError<L::Error>> {
        match &node.kind {
            NodeKind::Pass(pass) => {
                let ran = self.pass(planned, pass.as_ref(), form)?;
                (report.time, report.rewrites) = (ran.time, ran.rewrites);
            }
            NodeKind::Fixpoint { members, max_rounds } => {
                let empty = |member: &dyn Pass<F>| MemberReport {
                    id: member.declaration().id,
                    runs: 0,
                    time: Duration::ZERO,
                    rewrites: 0,
                };
                report.members = members.iter().map(|member| empty(member.as_ref())).collect();
                for _ in 0..*max_rounds {
                    if !self.round(planned, members, form, report)? {
                        break;
                    }
                }
                self.settled.insert(planned.id, self.version);
                report.time = report.members.iter().map(|member| member.time).sum();
                report.rewrites = report.members.iter().map(|member| member.rewrites).sum();
            }
        }
        let is_changed = report.rewrites > 0;
        report.outcome = if is_changed { Outcome::Changed } else { Outcome::Unchanged };
        Ok(())
    }

    /// Runs each member once, except those that are still fresh. Returns whether one asks for another round.
    fn round<F: Form<Forms = L>>(
        &mut self,
        planned: &Planned,
        members: &[Box<dyn Pass<F>>],
        form: &mut F,
        report: &mut PassReport,
    ) -> Result<bool, RunError<L::Error>> {
        let mut again = false;
        for (at, member) in members.iter().enumerate() {
            let runs = planned.members.get(at).is_none_or(|member| member.runs);
            if !runs || self.is_fresh(report.members[at].id) {
                continue;
            }
            let ran = self.pass(planned, member.as_ref(), form)?;
            again |= ran.done == Done::Again;
            let sum = &mut report.members[at];
            sum.runs += 1;
            sum.time += ran.time;
            sum.rewrites += ran.rewrites;
            if planned.members.get(at).is_some_and(|member| member.print) {
                self.observer.dump(member.declaration().id, form.view());
            }
        }
        Ok(again)
    }

    fn pass<F: Form<Forms = L>>(
        &mut self,
        planned: &Planned,
        pass: &dyn Pass<F>,
        form: &mut F,
    ) -> Result<Ran, RunError<L::Error>> {
        let declaration = pass.declaration();
        let burnt = self.fuel.burnt();
        let run = |cx: &mut PassCx<'_, F>| pass.run(form, cx);
        let ran = if planned.burns {
            self.measure(&declaration, run)
        } else {
            self.without_limit(|this| this.measure(&declaration, run))
        };
        let failed = |error| RunError::Pass { pass: declaration.id, error };
        let done = ran.result.map_err(failed)?;
        let rewrites = self.fuel.burnt() - burnt;
        if rewrites > 0 {
            self.version += 1;
            self.cache.keep(declaration.preserves);
        }
        match done {
            Done::Settled => self.settled.insert(declaration.id, self.version),
            Done::Again => self.settled.remove(declaration.id),
        };
        Ok(Ran { time: ran.time, rewrites, done })
    }

    fn without_limit<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let limit = std::mem::take(&mut self.fuel);
        // Fuel burnt without a limit is counted too.
        self.fuel.count(limit.burnt());
        let result = run(self);
        let burnt = self.fuel.burnt();
        self.fuel = limit;
        self.fuel.count(burnt - self.fuel.burnt());
        result
    }

    /// Calls `run` with a fresh context. The measured time excludes analyses and time charged to others.
    fn measure<F: Form<Forms = L>, T>(
        &mut self,
        declaration: &Declaration,
        run: impl FnOnce(&mut PassCx<'_, F>) -> Result<T, ErrorOf<F>>,
    ) -> Measured<Result<T, ErrorOf<F>>> {
        let analyses = self.cache.time;
        let mut cx = PassCx {
            context: &mut *self.context,
            fuel: &mut self.fuel,
            cache: &mut self.cache,
            uses: declaration.uses,
            charges: &mut self.charges,
            charged: Duration::ZERO,
            form: PhantomData,
        };
        let clock = self.plan.clock;
        let start = clock.now();
        let result = run(&mut cx);
        let elapsed = clock.since(start);
        let elsewhere = cx.charged + (self.cache.time - analyses);
        Measured { result, time: elapsed.saturating_sub(elsewhere) }
    }

    /// Whether the pass has settled and the form has not changed since.
    fn is_fresh(&self, pass: PassId) -> bool {
        self.settled.get(pass) == Some(&self.version)
    }

    fn report(&mut self, report: PassReport) {
        self.report.passes.push(report);
    }

    fn last(&self) -> PassId {
        self.report.passes.last().map_or(PassId::new("start"), |pass| pass.id)
    }

    /// Dumps and verifies the form after a pass, as the options ask. The dump comes first, so that a form that fails
    /// verification is still visible.
    fn observe<F: Form<Forms = L>>(
        &mut self,
        planned: &Planned,
        form: &F,
        is_changed: bool,
    ) -> Result<(), RunError<L::Error>> {
        let pass = planned.id;
        if planned.print {
            self.observer.dump(pass, form.view());
        }
        if self.plan.verify_each && is_changed {
            self.observer.verify(pass, form.view()).map_err(|why| RunError::Broke { pass, why })?;
        }
        if planned.stop { Err(RunError::Stopped(pass)) } else { Ok(()) }
    }
}
