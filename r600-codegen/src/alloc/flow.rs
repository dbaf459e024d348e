//! Scheduled code as the allocator sees it: steps in linear order and the flow between basic blocks.

use arrayvec::ArrayVec;
use r600_mir::{Block, Node, Region, VReg};

/// What reads and writes together: an ALU group, a fetch, an export. All reads come before all writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Step {
    /// Registers read.
    pub reads: ArrayVec<VReg, 20>,
    /// Registers written.
    pub writes: ArrayVec<VReg, 5>,
    /// Number of the ALU clause it is in, where it is in one.
    pub alu_clause: Option<u32>,
    /// Number of the fetch clause it is in, where it is in one.
    pub fetch_clause: Option<u32>,
}

/// A straight run of steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct BasicBlock {
    /// First step.
    pub first: u32,
    /// One past the last step.
    pub end: u32,
    /// Blocks from which a lane comes here.
    pub predecessors: Vec<u32>,
    /// What the test at the end of the block before has to say, where this begins an arm of a branch.
    pub test: Option<bool>,
}

/// Steps and blocks of a program. Step 0 stands for what is there on entry.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    /// Steps in order of execution.
    pub steps: Vec<Step>,
    /// Basic blocks in order of their steps; block 0 is the entry.
    pub blocks: Vec<BasicBlock>,
}

/// The exits of a loop.
#[derive(Default)]
struct Exits {
    breaks: Vec<u32>,
    continues: Vec<u32>,
}

struct Builder<'a> {
    flow: Flow,
    steps_of: &'a mut dyn FnMut(Block, &mut Vec<Step>),
    /// The exits of the innermost loop.
    exits: Option<Exits>,
}

impl Flow {
    /// Lays out `body`; `steps_of` gives the steps of a block.
    pub(crate) fn build(
        body: &Region,
        live_in: &[VReg],
        mut steps_of: impl FnMut(Block, &mut Vec<Step>),
    ) -> Self {
        let mut entry = Step::default();
        // Live-ins beyond a step's capacity have fixed places all the same: each gets a step of its own.
        let mut steps = Vec::new();
        for &vreg in live_in {
            if entry.writes.try_push(vreg).is_err() {
                steps.push(std::mem::take(&mut entry));
                entry.writes.push(vreg);
            }
        }
        steps.push(entry);
        let end = steps.len() as u32;
        let flow = Self { steps, blocks: vec![BasicBlock { end, ..BasicBlock::default() }] };
        let mut builder = Builder { flow, steps_of: &mut steps_of, exits: None };
        builder.region(body, 0);
        builder.flow
    }
}

impl Builder<'_> {
    fn new_block(&mut self, predecessors: Vec<u32>) -> u32 {
        let at = self.flow.steps.len() as u32;
        self.flow.blocks.push(BasicBlock { first: at, end: at, predecessors, test: None });
        self.flow.blocks.len() as u32 - 1
    }

    /// Lays out `region` from `block` on; gives the block at its end, if control gets there.
    fn region(&mut self, region: &Region, mut block: u32) -> Option<u32> {
        for node in &region.nodes {
            match node {
                Node::Block(id) => {
                    (self.steps_of)(*id, &mut self.flow.steps);
                    self.flow.blocks[block as usize].end = self.flow.steps.len() as u32;
                }
                Node::If { then, otherwise } => block = self.branch(then, otherwise, block)?,
                Node::Loop { body } => block = self.loop_node(body, block),
                Node::Break => {
                    self.exit(block, |exits| &mut exits.breaks);
                    return None;
                }
                Node::Continue => {
                    self.exit(block, |exits| &mut exits.continues);
                    return None;
                }
            }
        }
        Some(block)
    }

    fn exit(&mut self, block: u32, list: impl Fn(&mut Exits) -> &mut Vec<u32>) {
        // Emission refuses an exit that stands outside any loop.
        if let Some(exits) = &mut self.exits {
            list(exits).push(block);
        }
    }

    fn branch(&mut self, then: &Region, otherwise: &Region, from: u32) -> Option<u32> {
        let mut ends = Vec::new();
        for (arm, test) in [(then, true), (otherwise, false)] {
            let start = self.new_block(vec![from]);
            self.flow.blocks[start as usize].test = Some(test);
            ends.extend(self.region(arm, start));
        }
        if ends.is_empty() { None } else { Some(self.new_block(ends)) }
    }

    fn loop_node(&mut self, body: &Region, from: u32) -> u32 {
        let header = self.new_block(vec![from]);
        let outer = self.exits.replace(Exits::default());
        let end = self.region(body, header);
        let exits = std::mem::replace(&mut self.exits, outer);
        let (breaks, continues) = exits.map(|exits| (exits.breaks, exits.continues)).unzip();
        let back = continues.into_iter().flatten().chain(end);
        self.flow.blocks[header as usize].predecessors.extend(back);
        // What is behind a loop without an exit is emitted all the same, and its registers need places.
        self.new_block(breaks.into_iter().flatten().collect())
    }
}
