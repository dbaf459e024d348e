//! Boxes with lines of text, and arrows between them.

mod draw;
mod layout;
mod route;

use std::collections::BTreeSet;

use thiserror::Error;

use crate::Picture;

/// The most boxes that are drawn; a larger graph would be unreadable.
pub const MAX_NODES: usize = 200;

/// A graph to draw.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// What it shows, as a heading.
    pub title: String,
    /// Boxes.
    pub nodes: Vec<Node>,
    /// Arrows.
    pub edges: Vec<Edge>,
    /// The kinds of arrows to explain, in a few words each.
    pub legend: Vec<(EdgeKind, &'static str)>,
}

/// A box.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Node {
    /// Lines of text.
    pub lines: Vec<String>,
    /// How it looks.
    pub kind: NodeKind,
    /// The TGSI instructions that it represents.
    pub origins: Vec<tgsi_ir::InstructionId>,
}

/// How a box looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum NodeKind {
    /// The default.
    #[default]
    Plain,
    /// Optional: a dashed outline.
    Optional,
    /// Emphasised.
    Hot,
}

/// An arrow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// Index of the box where it starts.
    pub from: usize,
    /// Index of the box where it ends.
    pub to: usize,
    /// How it looks.
    pub kind: EdgeKind,
}

/// How an arrow looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EdgeKind {
    /// The default.
    Plain,
    /// Taken if a condition holds.
    Yes,
    /// Taken if a condition does not hold.
    No,
    /// To the next iteration of a loop.
    Back,
    /// Dashed: less binding.
    Weak,
    /// Emphasised.
    Hot,
}

/// A graph has too many boxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the graph has {0} boxes, more than the {MAX_NODES} that a picture can show")]
pub struct TooLarge(pub usize);

/// Refuses a graph with too many boxes.
pub(crate) fn check_size(num_nodes: usize) -> Result<(), TooLarge> {
    if num_nodes > MAX_NODES { Err(TooLarge(num_nodes)) } else { Ok(()) }
}

impl Edge {
    /// The word on the arrow.
    pub(crate) fn word(&self) -> Option<&'static str> {
        match self.kind {
            EdgeKind::Yes => Some("yes"),
            EdgeKind::No => Some("no"),
            EdgeKind::Back => Some("again"),
            EdgeKind::Plain | EdgeKind::Weak | EdgeKind::Hot => None,
        }
    }
}

impl Graph {
    /// Draws the graph.
    ///
    /// # Errors
    /// When it has more than [`MAX_NODES`] boxes.
    pub fn draw(&self) -> Result<Picture, TooLarge> {
        check_size(self.nodes.len())?;
        Ok(draw::draw(self, &layout::layout(self)))
    }

    /// Drops arrows that other arrows imply. The boxes must be in topological order, and no more than can be drawn:
    /// each keeps a set of all its successors.
    pub(crate) fn drop_implied_edges(&mut self) {
        let mut below: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.nodes.len()];
        let mut direct: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.nodes.len()];
        for edge in &self.edges {
            direct[edge.from].insert(edge.to);
        }
        for node in (0..self.nodes.len()).rev() {
            let beyond: BTreeSet<usize> =
                direct[node].iter().flat_map(|&next| below[next].iter().copied()).collect();
            direct[node].retain(|next| !beyond.contains(next));
            below[node] = beyond;
            below[node].extend(direct[node].iter().copied());
        }
        self.edges.retain(|edge| direct[edge.from].contains(&edge.to));
    }
}
