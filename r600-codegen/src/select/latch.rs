//! Moves copies to loop parameters in front of the loop's last test.
//!
//! If a loop ends with a test, copies after it take a group of their own in every iteration. A parameter that leaving
//! lanes do not read is written before the test, in any free slot.

use cranelift_entity::EntitySet;

use crate::ssa::{Exit, ExitKind, If, Loop, LoopExit, Node, Operand, Value};

use super::{MachineRegion, Selection};

/// The last test of a loop, with what the end of the body passes to the next iteration.
pub(super) struct Latch<'a> {
    test: &'a If,
    next: Vec<(Value, Operand)>,
    /// The parameters that are written when the test is made.
    written: Vec<Value>,
}

impl<'a> Latch<'a> {
    /// The latch of a loop that ends with a branch which some lanes leave by, and all others pass.
    pub(super) fn of(body: &'a Loop) -> Option<Self> {
        let [.., Node::If(test), Node::Continue(next)] = body.body.nodes.as_slice() else {
            return None;
        };
        let exit = LoopExit::of(test)?;
        let is_plain = exit.leaving.iter().all(|node| matches!(node, Node::Inst(_)));
        let params = body.params.iter().map(|param| param.value);
        let next = params.zip(next.iter().copied()).collect();
        (exit.staying.is_empty() && is_plain).then_some(Self { test, next, written: Vec::new() })
    }
}

impl<'a> Selection<'a> {
    /// Writes parameters of the innermost loop where `branch` is its last test.
    pub(super) fn latch_copies(&mut self, branch: &'a If, out: &mut MachineRegion) {
        let Some(Some(latch)) = self.latches.last() else { return };
        if !std::ptr::eq(latch.test, branch) {
            return;
        }
        let copies = self.early_copies(latch);
        self.phi_copies(copies.iter().copied(), out);
        if let Some(Some(latch)) = self.latches.last_mut() {
            latch.written = copies.into_iter().map(|(param, _)| param).collect();
        }
    }

    /// The parameters that the last test before `exit` has written.
    pub(super) fn written_by_test(&self, exit: &Exit<'_>) -> Vec<Value> {
        match (exit.kind, self.latches.last()) {
            (ExitKind::Continue, Some(Some(latch))) => latch.written.clone(),
            _ => Vec::new(),
        }
    }

    /// The copies that change nothing that the test, the lanes that leave or the other copies read.
    fn early_copies(&self, latch: &Latch<'_>) -> Vec<(Value, Operand)> {
        let mut read: EntitySet<Value> = EntitySet::new();
        let mut note = |operand: Operand| {
            read.extend(operand.as_value().map(|value| self.webs.find(value)));
        };
        latch.test.condition.src.into_iter().for_each(&mut note);
        for arm in [&latch.test.then, &latch.test.otherwise] {
            self.function.for_each_operand_of(&arm.nodes, &mut note);
        }
        let (mut early, mut late): (Vec<_>, Vec<_>) =
            latch.next.iter().partition(|(param, _)| !read.contains(self.webs.find(*param)));
        // What a later copy reads is not written before it.
        while let Some((_, from)) = late.pop() {
            let Some(from) = from.as_value().map(|value| self.webs.find(value)) else { continue };
            let is_read = |&(param, _): &(Value, Operand)| self.webs.find(param) == from;
            late.extend(early.extract_if(.., |copy| is_read(copy)));
        }
        early
    }
}
