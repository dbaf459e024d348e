//! Order, refusals and runs of pipelines whose passes only note their names.

use pass_manager::{
    Builder, Changed, Observer, Options, Outcome, Pass, PassId, PassSet, Pipeline, PipelineError,
    RunError, Unit,
};

/// A unit that remembers which passes ran.
#[derive(Debug, Default)]
struct Trail(Vec<&'static str>);

#[derive(Debug, Clone, PartialEq, Eq)]
struct Refusal;

impl std::fmt::Display for Refusal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the unit is odd")
    }
}

impl std::error::Error for Refusal {}

impl Unit for Trail {
    type Context = ();
    type Error = Refusal;

    fn size(&self) -> usize {
        self.0.len()
    }
}

/// A pass made of its declarations.
#[derive(Clone, Default)]
struct Noted {
    name: &'static str,
    needs: Vec<PassId>,
    after: Vec<PassId>,
    provides: Vec<PassId>,
    optional: bool,
    fails: bool,
    idle: bool,
}

impl Pass<Trail> for Noted {
    fn id(&self) -> PassId {
        PassId::new(self.name)
    }

    fn needs(&self) -> &[PassId] {
        &self.needs
    }

    fn after(&self) -> &[PassId] {
        &self.after
    }

    fn provides(&self) -> &[PassId] {
        &self.provides
    }

    fn is_optional(&self) -> bool {
        self.optional
    }

    fn run(&self, unit: &mut Trail, (): &mut ()) -> Result<Changed, Refusal> {
        if self.fails {
            return Err(Refusal);
        }
        if !self.idle {
            unit.0.push(self.name);
        }
        Ok(Changed::when(!self.idle))
    }
}

fn pass(name: &'static str, needs: &[&'static str]) -> Noted {
    Noted { name, needs: ids(needs), ..Noted::default() }
}

fn optional(name: &'static str, needs: &[&'static str]) -> Noted {
    Noted { optional: true, ..pass(name, needs) }
}

fn ids(names: &[&'static str]) -> Vec<PassId> {
    names.iter().map(|&name| PassId::new(name)).collect()
}

fn builder(passes: &[Noted]) -> Builder<Trail> {
    passes.iter().cloned().fold(Pipeline::builder(), Builder::pass)
}

fn build(passes: &[Noted], options: &Options) -> Pipeline<Trail> {
    builder(passes).build(options).expect("the declarations agree")
}

fn order(passes: &[Noted]) -> Vec<&'static str> {
    build(passes, &Options::default()).order().map(PassId::name).collect()
}

fn refusal(passes: &[Noted], options: &Options) -> String {
    builder(passes).build(options).err().expect("the pipeline is refused").to_string()
}

/// Runs and gives the names of the passes that left a note.
fn trail(pipeline: &Pipeline<Trail>) -> Vec<&'static str> {
    let mut unit = Trail::default();
    pipeline.run(&mut unit, &mut (), &mut ()).expect("no pass fails");
    unit.0
}

/// A small compiler: declared out of order, with free choices.
fn compiler() -> [Noted; 6] {
    [
        pass("encode", &["schedule"]),
        optional("dce", &["lower"]),
        Noted { after: ids(&["dce"]), ..optional("fold", &["lower"]) },
        pass("lower", &[]),
        Noted { after: ids(&["fold", "dce", "absent"]), ..pass("schedule", &["lower"]) },
        pass("header", &[]),
    ]
}

#[test]
fn order_is_topological_and_ties_go_to_the_first_registered() {
    assert_eq!(order(&compiler()), ["lower", "dce", "fold", "schedule", "encode", "header"]);
    assert_eq!(order(&[pass("c", &[]), pass("a", &[]), pass("b", &[])]), ["c", "a", "b"]);
}

#[test]
fn a_pass_can_need_what_another_provides_by_a_second_name() {
    let list = Noted { provides: ids(&["scheduled"]), ..pass("list-schedule", &[]) };
    assert_eq!(order(&[pass("encode", &["scheduled"]), list]), ["list-schedule", "encode"]);
}

#[test]
fn contradictory_declarations_are_refused_by_name() {
    let none = Options::default();
    let knot = [pass("x", &[]), pass("a", &["c", "x"]), pass("b", &["a"]), pass("c", &["b"])];
    assert_eq!(refusal(&knot, &none), "passes wait for each other: a -> c -> b -> a");
    assert_eq!(refusal(&[pass("a", &["a"])], &none), "passes wait for each other: a -> a");
    assert_eq!(
        refusal(&[pass("a", &["ssa"])], &none),
        "pass `a` needs `ssa`, which no pass provides"
    );
    assert_eq!(refusal(&[pass("a", &[]), pass("a", &[])], &none), "pass `a` is registered twice");
    let twins = ["x", "y"].map(|name| Noted { provides: ids(&["r"]), ..pass(name, &[]) });
    assert_eq!(refusal(&twins, &none), "`r` is provided by pass `x` and again by pass `y`");
}

#[test]
fn a_cycle_behind_free_passes_is_still_named() {
    let passes = [pass("z", &["y"]), pass("y", &["x"]), pass("x", &["y"])];
    let error = builder(&passes).build(&Options::default()).err();
    assert_eq!(error, Some(PipelineError::Cycle(ids(&["y", "x"]))));
}

#[test]
fn options_that_would_break_the_output_are_refused() {
    let disable = |name: &str| Options { disabled: vec![name.to_owned()], ..Options::default() };
    assert_eq!(
        refusal(&compiler(), &disable("lower")),
        "pass `lower` cannot be disabled: the output would be wrong without it"
    );
    let needed = [optional("analyse", &[]), pass("apply", &["analyse"])];
    assert_eq!(
        refusal(&needed, &disable("analyse")),
        "pass `analyse` cannot be disabled: pass `apply` needs it"
    );
    assert_eq!(
        refusal(&compiler(), &disable("dse")),
        "no pass is called `dse`; there are encode, dce, fold, lower, schedule, header"
    );
}

#[test]
fn disabled_passes_and_those_after_the_stop_do_not_run() {
    let options = Options {
        disabled: vec!["dce".to_owned()],
        stop_after: Some("schedule".to_owned()),
        ..Options::default()
    };
    assert_eq!(trail(&build(&compiler(), &options)), ["lower", "fold", "schedule"]);
}

#[test]
fn fuel_stops_optional_passes_only() {
    let run =
        |fuel| trail(&build(&compiler(), &Options { fuel: Some(fuel), ..Options::default() }));
    assert_eq!(run(0), ["lower", "schedule", "encode", "header"]);
    assert_eq!(run(1), ["lower", "dce", "schedule", "encode", "header"]);
    assert_eq!(run(9), ["lower", "dce", "fold", "schedule", "encode", "header"]);
}

#[test]
fn a_pass_that_changes_nothing_burns_no_fuel() {
    let idle = Noted { idle: true, ..optional("idle", &[]) };
    let passes = [idle, optional("dce", &[])];
    let options = Options { fuel: Some(1), ..Options::default() };
    assert_eq!(trail(&build(&passes, &options)), ["dce"]);
}

#[test]
fn the_report_has_sizes_and_outcomes() {
    let passes = [pass("a", &[]), Noted { idle: true, ..pass("b", &[]) }, optional("c", &[])];
    let pipeline = build(&passes, &Options { fuel: Some(0), ..Options::default() });
    let report = pipeline.run(&mut Trail::default(), &mut (), &mut ()).expect("no pass fails");
    let rows: Vec<_> =
        report.passes.iter().map(|p| (p.id.name(), p.before, p.after, p.outcome)).collect();
    assert_eq!(
        rows,
        [
            ("a", 0, 1, Outcome::Ran(Changed::Yes)),
            ("b", 1, 1, Outcome::Ran(Changed::No)),
            ("c", 1, 1, Outcome::OutOfFuel),
        ]
    );
    assert_eq!(report.num_changes(), 1);
    assert_eq!(report.total(), report.passes.iter().map(|p| p.time).sum());
}

/// Collects dumps and objects to a unit that holds `bad`.
#[derive(Default)]
struct Watcher {
    dumps: Vec<String>,
    bad: Option<&'static str>,
}

impl Observer<Trail> for Watcher {
    fn dump(&mut self, pass: PassId, unit: &Trail) {
        self.dumps.push(format!("{pass}: {}", unit.0.join(" ")));
    }

    fn verify(&mut self, _pass: PassId, unit: &Trail) -> Result<(), String> {
        match self.bad {
            Some(bad) if unit.0.contains(&bad) => Err(format!("there is a `{bad}`")),
            _ => Ok(()),
        }
    }
}

#[test]
fn dumps_come_after_the_named_passes() {
    let named = PassSet::Named(vec!["b".to_owned()]);
    let dumps = |print_after| {
        let options = Options { print_after, ..Options::default() };
        let mut watcher = Watcher::default();
        let pipeline = build(&[pass("a", &[]), pass("b", &[])], &options);
        pipeline.run(&mut Trail::default(), &mut (), &mut watcher).expect("no pass fails");
        watcher.dumps
    };
    assert_eq!(dumps(PassSet::None), [""; 0]);
    assert_eq!(dumps(named), ["b: a b"]);
    assert_eq!(dumps(PassSet::All), ["a: a", "b: a b"]);
}

#[test]
fn the_verifier_names_the_pass_at_fault() {
    let run = |verify_each| {
        let pipeline = build(
            &[pass("a", &[]), pass("b", &[]), pass("c", &[])],
            &Options { verify_each, ..Options::default() },
        );
        let mut watcher = Watcher { bad: Some("b"), ..Watcher::default() };
        pipeline.run(&mut Trail::default(), &mut (), &mut watcher)
    };
    assert!(run(false).is_ok());
    let error = run(true).expect_err("the verifier objects to b");
    assert_eq!(error.to_string(), "pass `b` broke its unit: there is a `b`");
    assert_eq!(error.pass(), PassId::new("b"));
}

#[test]
fn a_failing_pass_ends_the_run() {
    let passes = [pass("a", &[]), Noted { fails: true, ..pass("b", &[]) }, pass("c", &[])];
    let mut unit = Trail::default();
    let error = build(&passes, &Options::default()).run(&mut unit, &mut (), &mut ());
    assert_eq!(error, Err(RunError::Pass { pass: PassId::new("b"), error: Refusal }));
    assert_eq!(unit.0, ["a"]);
}

#[test]
fn one_pipeline_serves_many_threads() {
    let pipeline = build(&compiler(), &Options::default());
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..4).map(|_| scope.spawn(|| trail(&pipeline))).collect();
        for run in runs {
            assert_eq!(run.join().expect("no pass panics").len(), 6);
        }
    });
}

#[test]
fn the_drawing_has_a_node_a_pass_and_an_edge_a_wait() {
    let passes = [
        pass("lower", &[]),
        optional("dce", &["lower"]),
        Noted { after: ids(&["dce"]), ..pass("encode", &["lower"]) },
    ];
    assert_eq!(
        build(&passes, &Options::default()).to_dot(),
        r#"digraph passes {
    node [shape=box];
    "lower" [label="1. lower"];
    "dce" [label="2. dce", style=dashed];
    "encode" [label="3. encode"];
    "lower" -> "dce";
    "dce" -> "encode" [style=dashed];
    "lower" -> "encode";
}
"#
    );
}
