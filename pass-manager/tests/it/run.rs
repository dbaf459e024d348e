//! What a run does, stops at and reports.

use std::time::Duration;

use pass_manager::{
    Declaration, Done, Node, Observer, Options, Outcome, Pass, PassCx, PassId, PassSet, Pipeline,
    RunError,
};

use crate::toy::{
    A, B, C, Deed, JOIN, Noted, Refusal, TIDY, Toy, Words, build, optional, required, trail,
    two_forms,
};

fn run(passes: &[Noted], options: &Options) -> Result<Vec<&'static str>, RunError<Refusal>> {
    trail(&build(passes, options).unwrap())
}

#[test]
fn disabled_passes_do_not_run() {
    let options = Options::default().disabled(vec!["b".to_owned()]);
    let ran = run(&[required(A), optional(B), required(C)], &options);
    assert_eq!(ran.unwrap(), ["a", "c"]);
}

#[test]
fn a_run_stops_after_the_pass_that_the_options_name() {
    let stop = |name: &str| Options::default().stop_after(Some(name.to_owned()));
    let stopped = |name| {
        let after = [optional(B)];
        let join = Declaration::required(JOIN);
        let pipeline = two_forms(&[optional(A)], join, &after, &stop(name)).unwrap();
        pipeline.run::<Toy>(Words::default(), &mut (), &mut ()).err()
    };
    for id in [A, JOIN, B] {
        assert_eq!(stopped(id.name()), Some(RunError::Stopped(id)));
    }
}

#[test]
fn fuel_is_counted_in_rewrites_of_optional_passes() {
    let passes = [optional(A).that(Deed::Notes(2)), required(B), optional(C).that(Deed::Notes(2))];
    let ran = |fuel| run(&passes, &Options::default().fuel(Some(fuel))).unwrap();
    assert_eq!(ran(0), ["b"]);
    assert_eq!(ran(1), ["a", "b"]);
    assert_eq!(ran(3), ["a", "a", "b", "c"]);
    assert_eq!(ran(9), ["a", "a", "b", "c", "c"]);
}

/// A fixpoint of two passes.
fn fixpoint(deed: Deed, max_rounds: u32) -> Node<Words> {
    let members: [Box<dyn Pass<Words>>; 2] =
        [Box::new(optional(A).that(deed)), Box::new(optional(B).that(Deed::Idle))];
    Node::fixpoint(Declaration::optional(TIDY), max_rounds, members)
}

#[test]
fn a_fixpoint_runs_until_its_members_settle() {
    let ran = |deed, max_rounds| {
        let pipeline = Pipeline::builder().node(fixpoint(deed, max_rounds));
        let pipeline = pipeline.build(&Options::default()).unwrap();
        let (words, report) = pipeline.run::<Toy>(Words::default(), &mut (), &mut ()).unwrap();
        let members = report.passes[0].members.iter();
        (words.0.len(), members.map(|member| (member.runs, member.rewrites)).collect::<Vec<_>>())
    };
    // The second pass runs again only where the first has changed something.
    assert_eq!(ran(Deed::Until(3), 9), (3, vec![(3, 3), (3, 0)]));
    assert_eq!(ran(Deed::Until(3), 2), (2, vec![(2, 2), (2, 0)]));
    assert_eq!(ran(Deed::Idle, 9), (0, vec![(1, 0), (1, 0)]));
}

#[test]
fn a_pass_that_is_fresh_does_not_run_again() {
    let outcomes = |deed| {
        let wants = |pass: Noted| pass.with(|d| d.refreshes(&[TIDY]));
        let passes = [optional(TIDY), wants(optional(A).that(deed)), wants(optional(B))];
        let pipeline = build(&passes, &Options::default()).unwrap();
        let (_, report) = pipeline.run::<Toy>(Words::default(), &mut (), &mut ()).unwrap();
        report.passes.iter().map(|pass| (pass.id.name(), pass.outcome)).collect::<Vec<_>>()
    };
    let [changed, fresh] = [Outcome::Changed, Outcome::Fresh];
    assert_eq!(
        outcomes(Deed::Notes(1)),
        [("tidy", changed), ("a", changed), ("tidy", changed), ("b", changed)]
    );
    assert_eq!(
        outcomes(Deed::Idle),
        [("tidy", changed), ("a", Outcome::Unchanged), ("tidy", fresh), ("b", changed)]
    );
}

#[test]
fn the_report_has_sizes_rewrites_and_outcomes() {
    let passes = [required(A).that(Deed::Notes(2)), required(B).that(Deed::Idle), optional(C)];
    let pipeline = build(&passes, &Options::default().fuel(Some(0))).unwrap();
    let (_, report) = pipeline.run::<Toy>(Words::default(), &mut (), &mut ()).unwrap();
    let passes = report.passes.iter();
    let rows: Vec<_> =
        passes.map(|p| (p.id.name(), p.before, p.after, p.rewrites, p.outcome)).collect();
    assert_eq!(
        rows,
        [
            ("a", 0, 2, 2, Outcome::Changed),
            ("b", 2, 2, 0, Outcome::Unchanged),
            ("c", 2, 2, 0, Outcome::OutOfFuel),
        ]
    );
    assert_eq!(report.num_changes(), 1);
}

/// Does the work of another pass for a while.
struct Charges;

impl Pass<Words> for Charges {
    fn declaration(&self) -> Declaration {
        Declaration::required(A)
    }

    fn run(&self, _: &mut Words, cx: &mut PassCx<'_, Words>) -> Result<Done, Refusal> {
        cx.charge(B, Duration::from_secs(1000));
        Ok(Done::Settled)
    }
}

#[test]
fn time_goes_to_the_pass_whose_work_it_was() {
    let pipeline = Pipeline::builder().node(Node::pass(Charges)).node(Node::pass(required(B)));
    let pipeline = pipeline.build(&Options::default()).unwrap();
    let (_, report) = pipeline.run::<Toy>(Words::default(), &mut (), &mut ()).unwrap();
    assert_eq!(report.passes[0].time, Duration::ZERO);
    assert!(report.passes[1].time >= Duration::from_secs(1000));
}

/// Collects dumps and objects to a form that holds `bad`.
#[derive(Default)]
struct Watcher {
    dumps: Vec<String>,
    bad: Option<&'static str>,
}

impl Observer<Toy> for Watcher {
    fn dump(&mut self, pass: PassId, form: &[&'static str]) {
        self.dumps.push(format!("{pass}: {}", form.join(" ")));
    }

    fn verify(&mut self, _: PassId, form: &[&'static str]) -> Result<(), String> {
        match self.bad {
            Some(bad) if form.contains(&bad) => Err(format!("there is a `{bad}`")),
            _ => Ok(()),
        }
    }
}

#[test]
fn dumps_come_after_the_named_runs() {
    let dumps = |print_after| {
        let wants = |pass: Noted| Node::pass(pass.with(|d| d.refreshes(&[TIDY])));
        let options = Options::default().print_after(print_after);
        let mut watcher = Watcher::default();
        let pipeline = Pipeline::builder()
            .node(fixpoint(Deed::Notes(1), 1))
            .node(wants(optional(C)))
            .step(crate::toy::Join(Declaration::required(JOIN).refreshes(&[TIDY])))
            .build(&options)
            .unwrap();
        pipeline.run(Words::default(), &mut (), &mut watcher).unwrap();
        watcher.dumps
    };
    let named = |name: &str| PassSet::Named(vec![name.to_owned()]);
    assert_eq!(dumps(PassSet::None), [""; 0]);
    assert_eq!(dumps(named("c")), ["c: a c"]);
    assert_eq!(dumps(named("tidy")), ["tidy: a", "tidy: a c a"]);
    assert_eq!(dumps(named("tidy.2")), ["tidy: a c a"]);
    assert_eq!(dumps(named("a")), ["a: a", "a: a c a"]);
    assert_eq!(dumps(PassSet::All), ["tidy: a", "c: a c", "tidy: a c a", "join: a c a join"]);
}

#[test]
fn the_verifier_names_the_pass_at_fault() {
    let run = |verify_each| {
        let options = Options::default().verify_each(verify_each);
        let pipeline = build(&[required(A), required(B), required(C)], &options).unwrap();
        let mut watcher = Watcher { bad: Some("b"), ..Watcher::default() };
        pipeline.run(Words::default(), &mut (), &mut watcher)
    };
    assert!(run(false).is_ok());
    let error = run(true).unwrap_err();
    assert_eq!(error.to_string(), "pass `b` broke its form: there is a `b`");
    assert_eq!(error.pass(), B);
}

#[test]
fn a_failing_pass_ends_the_run() {
    let passes = [required(A), required(B).that(Deed::Fails), required(C)];
    let error = run(&passes, &Options::default()).unwrap_err();
    assert_eq!(error, RunError::Pass { pass: B, error: Refusal::Odd });
}

#[test]
fn one_pipeline_serves_many_threads() {
    let pipeline = build(&[required(A), required(B)], &Options::default()).unwrap();
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(|| trail(&pipeline).unwrap())).collect();
        for run in runs {
            assert_eq!(run.join().unwrap(), ["a", "b"]);
        }
    });
}
