//! Moves copies to loop parameters in front of the loop's last test.
//!
//! If a loop ends with a test, copies after the test take a group of their own in every iteration. So parameters that
//! leaving lanes do not read are written before the test, in any free slot.

use cranelift_entity::EntitySet;

use crate::ssa::{Exit, ExitKind, If, Loop, LoopExit, Node, Operand, Value};

use super::{MachineRegion, Selection};

/// The last test of a loop, and what the end of the body passes to the next iteration.
pub(super) struct Latch<'a> {
    test: &'a If,
    next: Vec<(Value, Operand)>,
    /// The parameters written before the test.
    written: Vec<Value>,
}

impl<'a> Latch<'a> {
    /// The latch of a loop whose last node is a branch by which some lanes leave and past which all others continue.
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
    /// If `branch` is the last test of the innermost loop, writes the loop's parameters that may be written early.
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

    /// The parameters written before the last test, which precedes `exit`.
    pub(super) fn written_by_test(&self, exit: &Exit<'_>) -> Vec<Value> {
        match (exit.kind, self.latches.last()) {
            (ExitKind::Continue, Some(Some(latch))) => latch.written.clone(),
            _ => Vec::new(),
        }
    }

    /// The copies whose destinations are not read by the test, by leaving lanes or by copies made later.
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
        // A register that a later copy reads must not be written early.
        while let Some((_, from)) = late.pop() {
            let Some(from) = from.as_value().map(|value| self.webs.find(value)) else { continue };
            let is_read = |&(param, _): &(Value, Operand)| self.webs.find(param) == from;
            late.extend(early.extract_if(.., |copy| is_read(copy)));
        }
        early
    }
}
