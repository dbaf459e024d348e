//! The order that declarations give, and what contradicts itself.

use pass_manager::{Declaration, Node, Options, Pipeline, PipelineError};

use crate::toy::{A, B, C, JOIN, Noted, TIDY, Words, build, names, optional, required, two_forms};

fn order(passes: &[Noted]) -> Vec<&'static str> {
    names(build(passes, &Options::default()).unwrap().order())
}

fn refusal(passes: &[Noted], options: &Options) -> String {
    build(passes, options).err().unwrap().to_string()
}

fn disable(name: &str) -> Options {
    Options::default().disabled(vec![name.to_owned()])
}

#[test]
fn order_is_topological_and_ties_go_to_the_first_registered() {
    assert_eq!(order(&[required(C), required(A), required(B)]), ["c", "a", "b"]);
    let b = required(B).with(|d| d.needs(&[C]));
    let a = required(A).with(|d| d.after(&[B, TIDY]));
    assert_eq!(order(&[a, b, required(C)]), ["c", "b", "a"]);
}

#[test]
fn passes_of_a_form_stand_between_its_steps() {
    let after = [optional(B)];
    let pipeline =
        two_forms(&[required(A)], Declaration::required(JOIN), &after, &Options::default());
    assert_eq!(names::<Vec<_>>(pipeline.unwrap().order()), ["a", "join", "b"]);
    // A pass cannot wait for one of the next form.
    let early = [required(A).with(|d| d.after(&[B]))];
    let pipeline = two_forms(&early, Declaration::required(JOIN), &after, &Options::default());
    assert_eq!(pipeline.err(), Some(PipelineError::Cycle(vec![A, B, JOIN])));
}

#[test]
fn a_pass_that_must_be_fresh_runs_again() {
    let tidy = optional(TIDY);
    let wants = |pass: Noted| pass.with(|d| d.refreshes(&[TIDY]));
    // `b` comes right after the run that `a` asks for has been spoiled.
    let passes = [tidy, wants(optional(A)), wants(optional(B)), optional(C)];
    assert_eq!(order(&passes), ["tidy", "a", "tidy", "b", "c"]);
    // It is a wish: what is not there does not run.
    assert_eq!(order(&passes[1..]), ["a", "b", "c"]);
    let without = build(&passes, &disable("tidy")).unwrap();
    assert_eq!(names::<Vec<_>>(without.order()), ["a", "b", "c"]);
}

#[test]
fn contradictory_declarations_are_refused_by_name() {
    let none = Options::default();
    let knot = [
        required(A).with(|d| d.needs(&[C])),
        required(B).with(|d| d.needs(&[A])),
        required(C).with(|d| d.needs(&[B])),
    ];
    assert_eq!(refusal(&knot, &none), "passes depend on each other: a -> c -> b -> a");
    let own = required(A).with(|d| d.needs(&[A]));
    assert_eq!(refusal(&[own], &none), "passes depend on each other: a -> a");
    let alone = required(A).with(|d| d.needs(&[B]));
    assert_eq!(refusal(&[alone], &none), "pass `a` needs `b`, which is not registered");
    assert_eq!(refusal(&[required(A), required(A)], &none), "pass `a` is registered twice");
}

#[test]
fn options_that_would_break_the_output_are_refused() {
    let passes = [optional(A), required(B).with(|d| d.needs(&[A]))];
    assert_eq!(
        refusal(&passes, &disable("b")),
        "pass `b` cannot be disabled: the output would be wrong without it"
    );
    assert_eq!(refusal(&passes, &disable("a")), "pass `a` cannot be disabled: pass `b` needs it");
    assert_eq!(refusal(&passes, &disable("d")), "no pass is called `d`; known passes: a, b");
    let stop = Options::default().stop_after(Some("a.2".to_owned()));
    assert_eq!(refusal(&passes, &stop), "no pass is called `a.2`; known passes: a, b");
}

#[test]
fn the_drawing_has_each_pass_once_with_its_places() {
    let fixpoint = Node::<Words>::fixpoint(
        Declaration::optional(TIDY),
        3,
        [Box::new(optional(C)) as Box<dyn pass_manager::Pass<Words>>],
    );
    let wants = |pass: Noted| Node::pass(pass.with(|d| d.refreshes(&[TIDY])));
    let pipeline = Pipeline::builder()
        .node(fixpoint)
        .node(wants(optional(A)))
        .node(wants(required(B).with(|d| d.after(&[A]))))
        .build(&Options::default())
        .unwrap();
    assert_eq!(
        pipeline.to_dot(),
        r#"digraph passes {
    node [shape=box];
    "tidy" [label="1, 3. tidy\n(c)", style=dashed];
    "a" [label="2. a", style=dashed];
    "b" [label="4. b"];
    "tidy" -> "a" [style=dashed, label="again"];
    "a" -> "b" [style=dashed];
    "tidy" -> "b" [style=dashed, label="again"];
}
"#
    );
}
