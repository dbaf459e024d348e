//! The pipeline: what runs at which level. The order follows from what passes declare.

use pass_manager::{Declaration, Node, Pass, Pipeline, PipelineError};
use r600_isa::HazardSet;

use crate::abi::ShaderKey;
use crate::error::CompileError;
use crate::forms::{Finished, Interface, Settings, Source, Ssa};
use crate::level::OptLevel;
use crate::limits::Limits;
use crate::names;
use crate::opt::{
    Combine, ConvertBranches, EliminateDeadCode, ExpandDots, Goals, HoistInvariants,
    RemoveDeadStores, RemoveTrivialPhis, Rewrite, RewriteCounts, Unroll,
};
use crate::ssa::Function;

use super::steps::{Allocate, Emit, Lower, Schedule, Select, Spill};

/// The way from a shader to words.
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

/// The passes over SSA.
fn ssa_passes(level: OptLevel) -> Vec<Node<Ssa>> {
    let mut passes = vec![Node::pass(RemoveTrivialPhis)];
    if level >= OptLevel::O1 {
        passes.extend([Node::pass(RemoveDeadStores), simplify()]);
    }
    if level >= OptLevel::O2 {
        passes.extend([Node::pass(Unroll), Node::pass(ConvertBranches)]);
    }
    passes.push(Node::pass(ExpandDots));
    if level >= OptLevel::O1 {
        passes.push(fuse());
    }
    if level >= OptLevel::O2 {
        passes.push(Node::pass(HoistInvariants));
    }
    passes
}

/// The pass over SSA of this name.
fn ssa_pass(name: &str) -> Option<Node<Ssa>> {
    let all = [
        (names::PHIS, (|| Node::pass(RemoveTrivialPhis)) as fn() -> Node<Ssa>),
        (names::DEAD_STORES, || Node::pass(RemoveDeadStores)),
        (names::SIMPLIFY, simplify),
        (names::UNROLL, || Node::pass(Unroll)),
        (names::IF_CONVERT, || Node::pass(ConvertBranches)),
        (names::EXPAND_DOTS, || Node::pass(ExpandDots)),
        (names::FUSE, fuse),
        (names::INVARIANTS, || Node::pass(HoistInvariants)),
    ];
    all.iter().find(|(id, _)| id.name() == name).map(|(_, node)| node())
}

/// Runs one pass over a function that belongs to no shader, such as that of a text.
///
/// # Errors
/// When no pass over SSA has the name, or it finds an invariant broken.
pub fn run_pass(
    name: &str,
    function: Function,
    goals: Goals,
) -> Result<Function, Box<dyn std::error::Error + Send + Sync>> {
    let node = ssa_pass(name).ok_or_else(|| format!("no pass over SSA is called `{name}`"))?;
    let options = pass_manager::Options::default();
    let pipeline: Pipeline<Ssa, Ssa> = Pipeline::builder().nodes([node]).build(&options)?;
    let mut settings = Settings {
        goals,
        rewrites: RewriteCounts::default(),
        key: ShaderKey::default(),
        limits: Limits::default(),
        ignored_hazards: HazardSet::NONE,
        pack: true,
        reorders_sums: !goals.precise,
    };
    let ssa = Ssa { function, interface: Interface::empty() };
    let (ssa, _) = pipeline.run(ssa, &mut settings, &mut ()).map_err(CompileError::from)?;
    Ok(ssa.function)
}

/// Rounds after which simplification stops, settled or not: more than two are rare.
const MAX_SIMPLIFICATIONS: u32 = 4;

fn simplify() -> Node<Ssa> {
    let members: [Box<dyn Pass<Ssa>>; 3] =
        [Box::new(Rewrite), Box::new(RemoveTrivialPhis), Box::new(EliminateDeadCode)];
    let declaration =
        Declaration::optional(names::SIMPLIFY).after(&[names::PHIS, names::DEAD_STORES]);
    Node::fixpoint(declaration, MAX_SIMPLIFICATIONS, members)
}

/// Each round joins operations, so that rounds end by themselves.
fn fuse() -> Node<Ssa> {
    let members: [Box<dyn Pass<Ssa>>; 2] = [Box::new(Combine), Box::new(EliminateDeadCode)];
    // Dot products become the products and sums that are joined.
    let declaration = Declaration::optional(names::FUSE).after(&[names::EXPAND_DOTS]);
    Node::fixpoint(declaration, u32::MAX, members)
}
