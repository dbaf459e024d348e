//! The dependence graph of a block, with its critical path.

use std::collections::BTreeMap;

use pass_manager::{Observer, PassId, PassSet};
use r600_codegen::{Compilation, CompileError, Compiler, Options, Snapshot};
use r600_isa::Chip;
use r600_mir::{Block, Function, OpId};
use r600_sched::Dependences;
use tgsi_ir::{InstructionId, Shader};

use crate::canvas::shorten;
use crate::graph::{Edge, EdgeKind, Graph, Node, NodeKind, TooLarge, check_size};

/// Characters shown of an operation.
const MAX_CHARS: usize = 44;

/// The block with the most operations, where most time is spent.
pub fn largest_block(function: &Function) -> Option<Block> {
    let blocks = function.blocks.iter();
    // Ties go to the first.
    blocks.rev().max_by_key(|(_, ops)| ops.len()).map(|(block, _)| block)
}

/// The block with the most operations that come from one of these instructions.
pub fn block_of(function: &Function, instructions: &[InstructionId]) -> Option<Block> {
    let is_theirs = |&op: &OpId| origins(function, op).iter().any(|id| instructions.contains(id));
    let blocks = function.blocks.iter();
    let counted = blocks.map(|(block, ops)| (block, ops.iter().filter(|op| is_theirs(op)).count()));
    let (block, count) = counted.rev().max_by_key(|(_, count)| *count)?;
    (count > 0).then_some(block)
}

/// The dependences of a block of `function`.
///
/// # Errors
/// When the block has more operations than a picture can show. Finding implied edges takes memory quadratic in their
/// number.
pub fn dependence_graph(function: &Function, block: Block) -> Result<Graph, TooLarge> {
    check_size(function.blocks[block].len())?;
    let dependences = Dependences::of_block(function, block);
    let place: BTreeMap<OpId, usize> =
        dependences.ops.iter().enumerate().map(|(n, (op, _))| (*op, n)).collect();
    let critical = critical_path(&dependences, &place);
    let nodes = dependences.ops.iter().enumerate().map(|(n, &(op, height))| Node {
        lines: vec![
            shorten(&function.ops[op].to_string(), MAX_CHARS),
            format!("{op}, {height} to go"),
        ],
        kind: if critical.contains(&n) { NodeKind::Hot } else { NodeKind::Plain },
        origins: origins(function, op),
    });
    let follows =
        |from: usize, to: usize| critical.windows(2).any(|pair| pair == [from, to].as_slice());
    let edges = dependences.edges.iter().map(|edge| {
        let (from, to) = (place[&edge.from], place[&edge.to]);
        let kind = match edge.distance {
            _ if follows(from, to) => EdgeKind::Hot,
            0 => EdgeKind::Weak,
            _ => EdgeKind::Plain,
        };
        Edge { from, to, kind }
    });
    let mut graph = Graph {
        title: format!("Dependences of {block}; implied edges are left out"),
        nodes: nodes.collect(),
        edges: edges.collect(),
        legend: vec![
            (EdgeKind::Hot, "critical path"),
            (EdgeKind::Plain, "a later group"),
            (EdgeKind::Weak, "the same group or later"),
        ],
    };
    graph.drop_implied_edges();
    Ok(graph)
}

fn origins(function: &Function, op: OpId) -> Vec<InstructionId> {
    function.origins[op].map(|origin| InstructionId(origin.as_u32())).into_iter().collect()
}

/// The longest chain, by the scheduler's heights.
fn critical_path(dependences: &Dependences, place: &BTreeMap<OpId, usize>) -> Vec<usize> {
    let mut successors: Vec<Vec<usize>> = vec![Vec::new(); dependences.ops.len()];
    for edge in &dependences.edges {
        if edge.distance > 0 {
            successors[place[&edge.from]].push(place[&edge.to]);
        }
    }
    let height = |n: usize| dependences.ops[n].1;
    let highest = |nodes: &mut dyn Iterator<Item = usize>| {
        nodes.max_by_key(|&n| (height(n), std::cmp::Reverse(n)))
    };
    let mut path = Vec::new();
    let mut next = highest(&mut (0..dependences.ops.len()));
    while let Some(node) = next {
        path.push(node);
        next = highest(&mut successors[node].iter().copied());
    }
    path
}

/// Compiles `shader` as far as the scheduler's input.
///
/// # Errors
/// The compiler's error.
pub fn machine_code(
    shader: &Shader,
    chip: Chip,
    options: &Options,
) -> Result<Function, CompileError> {
    let mut options = options.clone();
    options.passes.print_after = PassSet::Named(vec![LAST_PASS.to_owned()]);
    options.passes.stop_after = Some(LAST_PASS.to_owned());
    let mut seen = Seen(None);
    let ended = Compiler::new(options)?.compile_observed(shader, chip, &mut seen);
    match (seen.0, ended) {
        (Some(function), _) => Ok(function),
        (None, ended) => Err(ended.err().unwrap_or(CompileError::Stopped)),
    }
}

/// The pass that makes the scheduler's input.
const LAST_PASS: &str = "select";

/// Keeps the machine IR.
struct Seen(Option<Function>);

impl Observer<Compilation> for Seen {
    fn dump(&mut self, _: PassId, form: Snapshot<'_>) {
        self.0 = form.machine().cloned();
    }
}
