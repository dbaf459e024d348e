//! The one way to change a region tree node by node.

use super::{If, Node, Region};
use crate::internal::Broken;

/// Decides what stands in the place of each node.
pub(crate) trait Rebuild {
    /// Called with a branch or loop before what is in it is rebuilt.
    ///
    /// # Errors
    /// When the tree is not what it promises to be.
    fn enter(&mut self, node: &mut Node) -> Result<(), Broken> {
        let _ = node;
        Ok(())
    }

    /// Called with a branch between its arms: the first is rebuilt, the other not yet.
    ///
    /// # Errors
    /// When the tree is not what it promises to be.
    fn other_arm(&mut self, branch: &mut If) -> Result<(), Broken> {
        let _ = branch;
        Ok(())
    }

    /// Appends to `out` what stands in the place of `node`, whose regions are rebuilt.
    ///
    /// # Errors
    /// When the tree is not what it promises to be.
    fn node(&mut self, node: Node, out: &mut Vec<Node>) -> Result<(), Broken>;
}

impl Region {
    /// Rebuilds the region, inner regions first, in program order.
    ///
    /// # Errors
    /// As `by` says; the region is incomplete then.
    pub(crate) fn rebuild(&mut self, by: &mut dyn Rebuild) -> Result<(), Broken> {
        let nodes = std::mem::take(&mut self.nodes);
        let mut out = Vec::with_capacity(nodes.len());
        for mut node in nodes {
            match &mut node {
                Node::Inst(_) | Node::Break(_) | Node::Continue(_) => {}
                Node::If(_) | Node::Loop(_) => by.enter(&mut node)?,
            }
            match &mut node {
                Node::Inst(_) | Node::Break(_) | Node::Continue(_) => {}
                Node::If(branch) => {
                    branch.then.rebuild(by)?;
                    by.other_arm(branch)?;
                    branch.otherwise.rebuild(by)?;
                }
                Node::Loop(body) => body.body.rebuild(by)?,
            }
            by.node(node, &mut out)?;
        }
        self.nodes = out;
        Ok(())
    }
}
