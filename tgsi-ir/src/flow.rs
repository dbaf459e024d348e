//! Structured control flow: the tree of blocks that a list of instructions spells out.
//!
//! Nodes live in one arena and hold lists of other nodes, so that building and walking need no
//! recursion. [`FlowTree::build`] finds every fault of the nesting, each as a [`FlowError`] that names
//! the instructions at fault, and still returns the tree of what could be understood.

mod build;
mod error;

use std::ops::Range;

use crate::{Instruction, InstructionId};

pub use error::FlowError;

/// Nesting beyond this depth is refused. Mesa's own interpreter stops at 32.
pub const MAX_NESTING: usize = 128;

/// A node of one tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NodeId(u32);

impl NodeId {
    /// Position in the tree's arena.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// Instructions that follow each other, by position; the last may be a jump.
    Block(Range<usize>),
    /// `IF … ELSE … ENDIF`.
    If(If),
    /// `BGNLOOP … ENDLOOP`.
    Loop(Loop),
    /// `SWITCH … ENDSWITCH`.
    Switch(Switch),
}

/// A conditional block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct If {
    /// The `IF` or `UIF`.
    pub begin: InstructionId,
    /// The `ELSE`, where there is one.
    pub middle: Option<InstructionId>,
    /// The `ENDIF`.
    pub end: InstructionId,
    /// What runs where the condition holds.
    pub then: Vec<NodeId>,
    /// What runs where it does not.
    pub otherwise: Vec<NodeId>,
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The `BGNLOOP`.
    pub begin: InstructionId,
    /// The `ENDLOOP`.
    pub end: InstructionId,
    /// What is repeated.
    pub body: Vec<NodeId>,
}

/// A switch block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The `SWITCH`.
    pub begin: InstructionId,
    /// The `ENDSWITCH`.
    pub end: InstructionId,
    /// What stands before the first label; it never runs.
    pub prologue: Vec<NodeId>,
    /// The labels with what follows each; control falls through from one to the next.
    pub cases: Vec<Case>,
}

/// A label of a switch block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The `CASE` or `DEFAULT`.
    pub label: InstructionId,
    /// What follows it.
    pub body: Vec<NodeId>,
}

/// A subroutine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subroutine {
    /// The `BGNSUB`, which calls name by its number.
    pub begin: InstructionId,
    /// The `ENDSUB`.
    pub end: InstructionId,
    /// What it does.
    pub body: Vec<NodeId>,
}

/// The blocks of a shader.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FlowTree {
    nodes: Vec<Node>,
    main: Vec<NodeId>,
    subroutines: Vec<Subroutine>,
    partner: Vec<Option<InstructionId>>,
    depth: usize,
    loop_depth: usize,
}

impl FlowTree {
    /// The tree of `instructions`, with every fault of their nesting in the order of occurrence.
    pub fn build(instructions: &[Instruction]) -> (Self, Vec<FlowError>) {
        build::Builder::new(instructions).run()
    }

    /// The tree of `instructions`, or the faults of their nesting.
    ///
    /// # Errors
    /// All the faults, at least one.
    pub fn new(instructions: &[Instruction]) -> Result<Self, Vec<FlowError>> {
        let (tree, errors) = Self::build(instructions);
        if errors.is_empty() { Ok(tree) } else { Err(errors) }
    }

    /// One node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// What the main program consists of, in order.
    pub fn main(&self) -> &[NodeId] {
        &self.main
    }

    /// The subroutines, in order.
    pub fn subroutines(&self) -> &[Subroutine] {
        &self.subroutines
    }

    /// The subroutine that starts at `label`.
    pub fn find_subroutine(&self, label: InstructionId) -> Option<&Subroutine> {
        self.subroutine_index(label).map(|index| &self.subroutines[index])
    }

    /// Position of the subroutine that starts at `label`.
    fn subroutine_index(&self, label: InstructionId) -> Option<usize> {
        self.subroutines.binary_search_by_key(&label, |sub| sub.begin).ok()
    }

    /// Where control goes from a bracketing instruction: from `IF` and `ELSE` to what divides or closes
    /// the block, from an opening instruction to the closing one and back.
    pub fn partner(&self, id: InstructionId) -> Option<InstructionId> {
        self.partner.get(id.index()).copied().flatten()
    }

    /// The deepest nesting of blocks.
    pub const fn depth(&self) -> usize {
        self.depth
    }

    /// The deepest nesting of loops.
    pub const fn loop_depth(&self) -> usize {
        self.loop_depth
    }

    /// All nodes, children before the block that holds them.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeId(index as u32), node))
    }
}

#[cfg(test)]
mod tests;
