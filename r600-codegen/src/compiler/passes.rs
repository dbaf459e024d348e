//! The pipeline: which passes run at which level. Their order follows from their declared dependences.

use pass_manager::{Declaration, Node, Pass, Pipeline, PipelineError};

use crate::forms::{Finished, Source, Ssa};
use crate::level::OptLevel;
use crate::names;
use crate::opt::{
    Combine, ConvertBranches, DissolveArrays, EliminateDeadCode, ExpandDots, HoistInvariants,
    JoinAccesses, JoinExits, RemoveDeadStores, RemoveTrivialPhis, Rewrite, RotateLoops, Unroll,
};

use super::steps::{Allocate, Emit, Lower, Schedule, Select, Spill};

/// The pipeline from a shader to words.
pub(super) type ToWords = Pipeline<Source, Finished>;

/// The pipeline of an optimisation level.
pub(super) fn pipeline(
    level: OptLevel,
    options: &pass_manager::Options,
) -> Result<ToWords, PipelineError> {
    Pipeline::builder()
        .step(Lower)
        .nodes(ssa_passes(level))
        .step(Select)
        .step(Schedule)
        .node(Node::pass(Spill))
        .step(Allocate)
        .step(Emit)
        .build(options)
}

/// Makes a pass over SSA.
type MakePass = fn() -> Node<Ssa>;

/// The passes over SSA, each with the lowest level that runs it.
const SSA_PASSES: &[(OptLevel, MakePass)] = &[
    (OptLevel::O0, || Node::pass(RemoveTrivialPhis)),
    (OptLevel::O1, || Node::pass(RemoveDeadStores)),
    (OptLevel::O1, simplify),
    (OptLevel::O2, || Node::pass(Unroll)),
    (OptLevel::O2, || Node::pass(DissolveArrays)),
    (OptLevel::O2, || Node::pass(ConvertBranches)),
    (OptLevel::O2, || Node::pass(RotateLoops)),
    (OptLevel::O2, || Node::pass(JoinExits)),
    (OptLevel::O2, || Node::pass(JoinAccesses)),
    (OptLevel::O0, || Node::pass(ExpandDots)),
    (OptLevel::O1, fuse),
    (OptLevel::O2, || Node::pass(HoistInvariants)),
];

/// The passes over SSA of an optimisation level.
pub(super) fn ssa_passes(level: OptLevel) -> impl Iterator<Item = Node<Ssa>> {
    SSA_PASSES.iter().filter(move |(lowest, _)| level >= *lowest).map(|(_, pass)| pass())
}

/// The pass with this name, even if it runs only as part of others.
pub(super) fn ssa_pass(name: &str) -> Option<Node<Ssa>> {
    let dce = || (name == names::DCE.name()).then(|| Node::pass(EliminateDeadCode));
    ssa_passes(OptLevel::O2).find(|node| node.id().name() == name).or_else(dce)
}

/// Rounds after which simplification stops even if the code still changes. More than two are rare.
const MAX_SIMPLIFICATIONS: u32 = 4;

fn simplify() -> Node<Ssa> {
    let members: [Box<dyn Pass<Ssa>>; 3] =
        [Box::new(Rewrite), Box::new(RemoveTrivialPhis), Box::new(EliminateDeadCode)];
    let declaration =
        Declaration::optional(names::SIMPLIFY).after(&[names::PHIS, names::DEAD_STORES]);
    Node::fixpoint(declaration, MAX_SIMPLIFICATIONS, members)
}

/// Each round fuses operations, so the number of rounds is bounded.
fn fuse() -> Node<Ssa> {
    let members: [Box<dyn Pass<Ssa>>; 2] = [Box::new(Combine), Box::new(EliminateDeadCode)];
    // Expanded dot products are the products and sums that fuse.
    let declaration = Declaration::optional(names::FUSE).after(&[names::EXPAND_DOTS]);
    Node::fixpoint(declaration, u32::MAX, members)
}
