//! Branches that leave a loop.

use super::{Condition, If, Loop, Node, Operand, Region};

/// A branch with one arm that ends by leaving the loop.
pub(crate) struct LoopExit<'a> {
    pub(crate) condition: &'a Condition,
    /// Whether lanes leave if the condition holds.
    pub(crate) when_true: bool,
    /// The code of leaving lanes, without the final break.
    pub(crate) leaving: &'a [Node],
    /// The operands that they pass to the results of the loop.
    pub(crate) results: &'a [Operand],
    /// The code of staying lanes.
    pub(crate) staying: &'a [Node],
}

impl<'a> LoopExit<'a> {
    /// `node` as an exit, if it is one.
    pub(crate) fn of_node(node: &'a Node) -> Option<Self> {
        let Node::If(branch) = node else { return None };
        Self::of(branch)
    }

    /// `branch` as an exit, if it is one.
    pub(crate) fn of(branch: &'a If) -> Option<Self> {
        let If { condition, then, otherwise, .. } = branch;
        let when_true = matches!(then.nodes.last(), Some(Node::Break(_)));
        let [left, stayed] = if when_true { [then, otherwise] } else { [otherwise, then] };
        let (Node::Break(results), leaving) = left.nodes.split_last()? else { return None };
        let staying = &stayed.nodes;
        (!stayed.diverges()).then_some(Self { condition, when_true, leaving, results, staying })
    }

    /// The only exit of `body`, with its position in the body. `None` if there is no exit or more than one, or if an
    /// iteration may end early.
    pub(crate) fn only_of(body: &'a Loop) -> Option<(usize, Self)> {
        let (_, nodes) = body.body.nodes.split_last()?;
        let mut leaving = nodes.iter().enumerate().filter(|(_, node)| may_leave(node));
        let (at, node) = leaving.next()?;
        let exit = Self::of_node(node)?;
        let has_other = exit.leaving.iter().chain(exit.staying).any(may_leave);
        (!has_other && leaving.next().is_none()).then_some((at, exit))
    }
}

/// Whether `node` may go to the next iteration of the loop around it.
pub(crate) fn may_continue(node: &Node) -> bool {
    may_exit(node, |node| matches!(node, Node::Continue(_)))
}

/// Whether `node` may leave the loop around it or go to its next iteration.
pub(crate) fn may_leave(node: &Node) -> bool {
    may_exit(node, |node| matches!(node, Node::Break(_) | Node::Continue(_)))
}

/// Whether `node` contains an exit for which `is_meant` holds. Exits of inner loops do not count.
fn may_exit(node: &Node, is_meant: fn(&Node) -> bool) -> bool {
    let within = |region: &Region| region.nodes.iter().any(|node| may_exit(node, is_meant));
    match node {
        Node::If(branch) => within(&branch.then) || within(&branch.otherwise),
        Node::Inst(_) | Node::Loop(_) => false,
        Node::Break(_) | Node::Continue(_) => is_meant(node),
    }
}
