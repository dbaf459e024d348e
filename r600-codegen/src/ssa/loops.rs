//! The loops around a point of a walk over the region tree.

use std::rc::Rc;

use crate::internal::Broken;

use super::{Loop, Value};

/// The merges that the exits of a loop give values to.
#[derive(Debug)]
pub(crate) struct LoopMerges {
    /// Those that a [`Node::Continue`](super::Node::Continue) passes.
    pub(crate) params: Vec<Value>,
    /// Those that a [`Node::Break`](super::Node::Break) passes.
    pub(crate) results: Vec<Value>,
}

/// The loops around a point, the innermost last.
#[derive(Debug, Default)]
pub(crate) struct OpenLoops {
    loops: Vec<Rc<LoopMerges>>,
}

impl OpenLoops {
    /// Enters `body`.
    pub(crate) fn open(&mut self, body: &Loop) {
        let params = body.params.iter().map(|param| param.value).collect();
        self.loops.push(Rc::new(LoopMerges { params, results: body.results.clone() }));
    }

    /// Leaves the innermost loop.
    pub(crate) fn close(&mut self) {
        self.loops.pop();
    }

    /// Number of loops.
    pub(crate) fn depth(&self) -> usize {
        self.loops.len()
    }

    /// The innermost loop, which an exit leaves or goes on with.
    pub(crate) fn innermost(&self) -> Result<Rc<LoopMerges>, Broken> {
        let innermost = self.loops.last().cloned();
        innermost.ok_or_else(|| Broken::new("an exit", "it stands outside any loop"))
    }
}
