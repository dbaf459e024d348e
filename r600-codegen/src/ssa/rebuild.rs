//! Rebuilds a region tree node by node.

use super::{If, Node, Region};
use crate::internal::Broken;

/// Decides what replaces each node.
pub(crate) trait Rebuild {
    /// Called with a branch or loop before its regions are rebuilt.
    ///
    /// # Errors
    /// If the tree breaks an invariant.
    fn enter(&mut self, node: &mut Node) -> Result<(), Broken> {
        let _ = node;
        Ok(())
    }

    /// Called with a branch after its first arm is rebuilt and before the second is.
    ///
    /// # Errors
    /// If the tree breaks an invariant.
    fn other_arm(&mut self, branch: &mut If) -> Result<(), Broken> {
        let _ = branch;
        Ok(())
    }

    /// Appends what replaces `node` to `out`. The regions of `node` are already rebuilt.
    ///
    /// # Errors
    /// If the tree breaks an invariant.
    fn node(&mut self, node: Node, out: &mut Vec<Node>) -> Result<(), Broken>;
}

impl Region {
    /// Rebuilds the region, inner regions first, in program order.
    ///
    /// # Errors
    /// Those of `by`. The region is then incomplete.
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
