//! Scheduled code as the allocator sees it: steps in linear order and the flow between basic blocks.

use std::ops::Range;

use r600_mir::{Block, Function, Node, Region, VReg};

/// The clause of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum InClause {
    /// None.
    #[default]
    Outside,
    /// An ALU clause, by its number.
    Alu(u32),
    /// A fetch clause, by its number.
    Fetch(u32),
}

impl InClause {
    /// Whether it is an ALU clause.
    pub(crate) fn is_alu(self) -> bool {
        matches!(self, Self::Alu(_))
    }
}

/// A unit whose reads all precede its writes: an ALU group, a fetch, an export.
#[derive(Clone, Copy, Debug)]
struct Step {
    clause: InClause,
    /// One past its last read.
    reads: u32,
    /// One past its last write.
    writes: u32,
}

/// Steps in order of execution.
#[derive(Clone, Debug, Default)]
pub(crate) struct Steps {
    steps: Vec<Step>,
    /// Registers read, step by step.
    reads: Vec<VReg>,
    /// Registers written, likewise.
    writes: Vec<VReg>,
}

impl Steps {
    /// No steps, with room for those of `function`.
    fn with_room(function: &Function) -> Self {
        let num_ops = function.ops.len();
        Self {
            steps: Vec::with_capacity(num_ops + 1),
            reads: Vec::with_capacity(2 * num_ops),
            writes: Vec::with_capacity(num_ops + function.live_in.len()),
        }
    }

    /// Records a read of `vreg` by the current step.
    pub(crate) fn read(&mut self, vreg: VReg) {
        self.reads.push(vreg);
    }

    /// Records a write of `vreg` by the current step.
    pub(crate) fn write(&mut self, vreg: VReg) {
        self.writes.push(vreg);
    }

    /// Ends the current step.
    pub(crate) fn end(&mut self, clause: InClause) {
        let (reads, writes) = (self.reads.len() as u32, self.writes.len() as u32);
        self.steps.push(Step { clause, reads, writes });
    }

    /// Number of steps.
    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    /// The registers that `step` reads.
    pub(crate) fn reads(&self, step: u32) -> &[VReg] {
        self.reads_of(step..step + 1)
    }

    /// The registers that `step` writes.
    pub(crate) fn writes(&self, step: u32) -> &[VReg] {
        self.writes_of(step..step + 1)
    }

    /// The registers that `steps` read.
    pub(crate) fn reads_of(&self, steps: Range<u32>) -> &[VReg] {
        let end_before = |step: u32| self.before(step).map_or(0, |step| step.reads as usize);
        &self.reads[end_before(steps.start)..end_before(steps.end)]
    }

    /// The registers that `steps` write.
    pub(crate) fn writes_of(&self, steps: Range<u32>) -> &[VReg] {
        let end_before = |step: u32| self.before(step).map_or(0, |step| step.writes as usize);
        &self.writes[end_before(steps.start)..end_before(steps.end)]
    }

    /// The clause that `step` is in.
    pub(crate) fn clause(&self, step: u32) -> InClause {
        self.steps[step as usize].clause
    }

    fn before(&self, step: u32) -> Option<&Step> {
        step.checked_sub(1).map(|before| &self.steps[before as usize])
    }
}

/// A straight-line run of steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct BasicBlock {
    /// First step.
    pub first: u32,
    /// One past the last step.
    pub end: u32,
    /// Predecessors in the control flow.
    pub predecessors: Vec<u32>,
    /// At the start of an arm, the outcome of the preceding test that leads here.
    pub test: Option<bool>,
}

/// Steps and blocks of a program. Step 0 stands for the values live on entry.
#[derive(Clone, Debug)]
pub(crate) struct Flow {
    /// Steps in order of execution.
    pub steps: Steps,
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
    steps_of: &'a mut dyn FnMut(Block, &mut Steps),
    /// The exits of the innermost loop.
    exits: Option<Exits>,
}

impl Flow {
    /// Lays out `function`; `steps_of` adds the steps of a block.
    pub(crate) fn build(function: &Function, mut steps_of: impl FnMut(Block, &mut Steps)) -> Self {
        let mut steps = Steps::with_room(function);
        function.live_in.iter().for_each(|&vreg| steps.write(vreg));
        steps.end(InClause::Outside);
        let flow = Self { steps, blocks: vec![BasicBlock { end: 1, ..BasicBlock::default() }] };
        let mut builder = Builder { flow, steps_of: &mut steps_of, exits: None };
        builder.region(&function.body, 0);
        builder.flow
    }
}

impl Builder<'_> {
    fn new_block(&mut self, predecessors: Vec<u32>) -> u32 {
        let at = self.flow.steps.len() as u32;
        self.flow.blocks.push(BasicBlock { first: at, end: at, predecessors, test: None });
        self.flow.blocks.len() as u32 - 1
    }

    /// Lays out `region` from `block` on. Returns the block at its end, if that is reachable.
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
        // Emission rejects exits outside of loops.
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
        // Code after a loop without an exit is emitted, too, and its registers need GPRs.
        self.new_block(breaks.into_iter().flatten().collect())
    }
}
