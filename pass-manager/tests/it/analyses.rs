//! Analyses are computed when they are asked for, and forgotten when the form changes.

use pass_manager::{
    Analysis, AnalysisId, Declaration, Done, Node, Options, Pass, PassCx, PassId, Pipeline,
    RunError,
};

use crate::toy::{A, B, C, JOIN, Refusal, TIDY, Toy, Words, optional, two_forms};

/// How many words there are.
struct Count;

impl Analysis<Words> for Count {
    const ID: AnalysisId = AnalysisId::new("count");
    type Result = usize;

    fn compute(words: &Words, (): &()) -> Result<usize, Refusal> {
        Ok(words.0.len())
    }
}

/// Asks for the count, twice, and holds it to the truth.
struct Asks(Declaration);

impl Pass<Words> for Asks {
    fn declaration(&self) -> Declaration {
        self.0
    }

    fn run(&self, form: &mut Words, cx: &mut PassCx<'_, Words>) -> Result<Done, Refusal> {
        for _ in 0..2 {
            assert_eq!(*cx.analysis::<Count>(form)?, form.0.len());
        }
        Ok(Done::Settled)
    }
}

fn asks(id: PassId) -> Node<Words> {
    Node::pass(Asks(Declaration::optional(id).uses(&[Count::ID])))
}

#[test]
fn a_change_drops_what_is_known_unless_it_is_preserved() {
    let changes = |preserves: &'static [AnalysisId]| {
        let change = optional(B).with(|d| d.after(&[A]).preserves(preserves));
        let last = Declaration::optional(C).after(&[B]).uses(&[Count::ID]);
        let pipeline = Pipeline::builder()
            .node(asks(A))
            .node(Node::pass(change))
            .node(Node::pass(Asks(last)))
            .build(&Options::default())
            .unwrap();
        pipeline.run::<Toy>(Words::default(), &mut (), &mut ())
    };
    let (_, report) = changes(&[]).unwrap();
    let [count] = report.analyses.as_slice() else { panic!("one analysis") };
    assert_eq!((count.num_computed, count.num_reused), (2, 2));
    // The pass lies: the assertion above would see it, were the count computed anew.
    let lied = std::panic::catch_unwind(|| changes(&[Count::ID]).map(|_| ()));
    assert!(lied.is_err());
}

#[test]
fn an_undeclared_request_is_an_error() {
    let pipeline = Pipeline::builder()
        .node(Node::pass(Asks(Declaration::optional(A))))
        .build(&Options::default())
        .unwrap();
    let error = pipeline.run::<Toy>(Words::default(), &mut (), &mut ()).err().unwrap();
    assert_eq!(error, RunError::Pass { pass: A, error: Refusal::Undeclared(Count::ID) });
}

#[test]
fn analyses_are_drawn_where_they_are_asked_for() {
    let pipeline =
        Pipeline::builder().node(asks(TIDY)).node(asks(A)).build(&Options::default()).unwrap();
    assert_eq!(
        pipeline.to_dot(),
        r#"digraph passes {
    node [shape=box];
    "count" [label="count", shape=ellipse];
    "tidy" [label="1. tidy", style=dashed];
    "a" [label="2. a", style=dashed];
    "count" -> "tidy" [style=dotted];
    "count" -> "a" [style=dotted];
}
"#
    );
    let join = Declaration::required(JOIN).uses(&[Count::ID]);
    let pipeline = two_forms(&[], join, &[], &Options::default()).unwrap();
    assert!(pipeline.to_dot().contains(r#""count" -> "join" [style=dotted]"#));
}
