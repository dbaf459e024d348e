//! Estimates from a function's structure how often its blocks run.

use cranelift_entity::SecondaryMap;
use r600_mir::{Block, Function, Node, Region};

/// Assumed number of iterations of a loop. Loops of few, known iterations are unrolled.
const ASSUMED_ITERATIONS: usize = 32;

/// Loop depth beyond which the estimate no longer grows.
const MAX_DEPTH: u32 = 3;

/// How often each block runs for one run of the function.
pub(super) struct Frequencies(SecondaryMap<Block, usize>);

impl Frequencies {
    pub(super) fn of(function: &Function) -> Self {
        let mut frequencies = Self(SecondaryMap::with_capacity(function.blocks.len()));
        frequencies.note(&function.body, 0);
        frequencies
    }

    fn note(&mut self, region: &Region, depth: u32) {
        for node in &region.nodes {
            match node {
                Node::Block(block) => self.0[*block] = ASSUMED_ITERATIONS.pow(depth.min(MAX_DEPTH)),
                Node::If { then, otherwise } => {
                    self.note(then, depth);
                    self.note(otherwise, depth);
                }
                Node::Loop { body } => self.note(body, depth + 1),
                Node::Break | Node::Continue => {}
            }
        }
    }

    /// How often each block runs.
    pub(super) fn times(&self) -> &SecondaryMap<Block, usize> {
        &self.0
    }

    /// Whether a block runs more than once.
    pub(super) fn has_loops(&self) -> bool {
        self.0.values().any(|&times| times > 1)
    }

    /// The sum over all blocks of `of(block)`, weighted by how often the block runs.
    pub(super) fn total(&self, of: impl Fn(Block) -> usize) -> usize {
        self.0.iter().map(|(block, times)| times * of(block)).sum()
    }
}
