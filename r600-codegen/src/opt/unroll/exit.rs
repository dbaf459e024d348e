//! How a loop is left.

use crate::ssa::{Condition, Loop, Node, Operand};

/// The one exit of a loop: a branch of its body of which one arm leaves the loop.
pub(super) struct Exit<'a> {
    /// Position of the branch in the body.
    pub(super) at: usize,
    pub(super) condition: &'a Condition,
    /// Whether lanes leave where the condition holds.
    pub(super) leaves_when_true: bool,
    /// What lanes do that leave.
    pub(super) last: &'a [Node],
    /// What they pass to the results of the loop.
    pub(super) results: &'a [Operand],
    /// What lanes do that stay.
    pub(super) passed: &'a [Node],
}

impl<'a> Exit<'a> {
    /// The exit of `body`, where it has no other one and ends no iteration early.
    pub(super) fn find(body: &'a Loop) -> Option<Self> {
        let (_, nodes) = body.body.nodes.split_last()?;
        let mut leaving = nodes.iter().enumerate().filter(|(_, node)| leaves_loop(node));
        let (at, Node::If(branch)) = leaving.next()? else { return None };
        let arms = [&branch.then, &branch.otherwise];
        let leaves_when_true = matches!(branch.then.nodes.last(), Some(Node::Break(_)));
        let [taken, passed] = if leaves_when_true { arms } else { [arms[1], arms[0]] };
        let (Node::Break(results), last) = taken.nodes.split_last()? else { return None };
        let passed = &passed.nodes;
        let has_other = last.iter().chain(passed).any(leaves_loop) || leaving.next().is_some();
        let condition = &branch.condition;
        (!has_other).then_some(Self { at, condition, leaves_when_true, last, results, passed })
    }
}

/// Whether a node may leave the loop around it, or end its iteration.
fn leaves_loop(node: &Node) -> bool {
    match node {
        Node::Inst(_) | Node::Loop(_) => false,
        Node::Break(_) | Node::Continue(_) => true,
        Node::If(branch) => {
            branch.then.nodes.iter().any(leaves_loop)
                || branch.otherwise.nodes.iter().any(leaves_loop)
        }
    }
}
