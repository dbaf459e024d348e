//! Structured control flow: the tree of blocks in a list of instructions.
//!
//! Nodes live in one arena and hold lists of other nodes, so building and walking need no recursion.
//! [`FlowTree::build`] reports every nesting error as a [`FlowError`] that names the instructions at fault. It still
//! returns the tree of the part that it understood.

mod build;
mod error;

use std::ops::Range;

use crate::{Instruction, InstructionId};

pub use error::FlowError;

/// Deeper nesting is rejected. Mesa's own interpreter stops at 32.
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

/// The kind of a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// Consecutive instructions, by position; the last may be a jump.
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
    /// Runs if the condition holds.
    pub then: Vec<NodeId>,
    /// Runs otherwise.
    pub otherwise: Vec<NodeId>,
}

/// A loop.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The `BGNLOOP`.
    pub begin: InstructionId,
    /// The `ENDLOOP`.
    pub end: InstructionId,
    /// The loop body.
    pub body: Vec<NodeId>,
}

/// A switch block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// The `SWITCH`.
    pub begin: InstructionId,
    /// The `ENDSWITCH`.
    pub end: InstructionId,
    /// The code before the first label; it never runs.
    pub prologue: Vec<NodeId>,
    /// The labels, each with its code; control falls through from one to the next.
    pub cases: Vec<Case>,
}

/// A label of a switch block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The `CASE` or `DEFAULT`.
    pub label: InstructionId,
    /// The code after it.
    pub body: Vec<NodeId>,
}

/// A subroutine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subroutine {
    /// The `BGNSUB`; calls name it by its number.
    pub begin: InstructionId,
    /// The `ENDSUB`.
    pub end: InstructionId,
    /// Its body.
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
    /// The tree of `instructions`, with every nesting error in order of occurrence.
    pub fn build(instructions: &[Instruction]) -> (Self, Vec<FlowError>) {
        build::Builder::new(instructions).run()
    }

    /// The tree of `instructions`, or the nesting errors.
    ///
    /// # Errors
    /// All nesting errors, at least one.
    pub fn new(instructions: &[Instruction]) -> Result<Self, Vec<FlowError>> {
        let (tree, errors) = Self::build(instructions);
        if errors.is_empty() { Ok(tree) } else { Err(errors) }
    }

    /// One node.
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// The nodes of the main program, in order.
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

    /// The matching instruction of a bracketing instruction: for `IF` and `ELSE` the one that divides or closes the
    /// block, for an opening instruction the closing one and vice versa.
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
