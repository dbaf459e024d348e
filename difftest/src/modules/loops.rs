//! Loops: their test at any place, sides of the header that meet again, continue blocks of any kind.

use spirv::Op;

use super::generate::{Around, Writer};
use super::module::Id;
use super::types::Ty;

/// Where a loop asks whether to go on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Test {
    /// In its header.
    Header,
    /// Before anything else of its body.
    Body,
    /// At the end of its continue block.
    Continue,
    /// The same, and its header has two sides that both stay.
    Sides,
}

/// A loop being written.
struct Loop {
    header: Id,
    merge: Id,
    cont: Id,
    counter: Id,
    limit: Id,
    /// What an iteration adds to the counter.
    by: Id,
}

impl Writer {
    /// A loop. It ends, so that control always goes on; some loops would not in lanes that are discarded before.
    pub(super) fn any_loop(&mut self) -> bool {
        let by = match self.random.once_in(12) {
            true => self.number_of_live_lanes(),
            false => self.module.constant(Ty::Int, 1),
        };
        let header = self.label_with_phis();
        let counter = self.module.id();
        let start = self.module.constant(Ty::Int, 0);
        let limit = 1 + self.random.below(4) as u32;
        let limit = self.module.constant(Ty::Int, limit);
        self.edge(header);
        self.function.add_phi(header, counter, Ty::Int);
        self.function.flow(header, counter, start);
        self.function.push(Op::Branch, &[header]);
        let merge = self.label_with_phis();
        if self.random.once_in(5) {
            let one = Loop { header, merge, cont: header, counter, limit, by };
            self.loop_of_one_block(&one);
            return true;
        }
        let cont = self.label_with_phis();
        self.loop_of_blocks(&Loop { header, merge, cont, counter, limit, by });
        true
    }

    /// The next number of the counter, and whether to stay in the loop.
    fn step(&mut self, one: &Loop) -> (Id, Id) {
        let next = self.result(Op::IAdd, Ty::Int, &[one.counter, one.by]);
        let stays = self.result(Op::SLessThan, Ty::Bool, &[next, one.limit]);
        self.values.push((Ty::Int, next));
        (next, stays)
    }

    /// The values of the next iteration.
    fn back_edge(&mut self, one: &Loop, next: Id) {
        self.function.flow(one.header, one.counter, next);
        self.edge(one.header);
    }

    fn loop_of_one_block(&mut self, one: &Loop) {
        self.begin(one.header);
        for _ in 0..1 + self.random.below(5) {
            self.expression();
        }
        self.store();
        let (next, stays) = self.step(one);
        self.back_edge(one, next);
        self.edge(one.merge);
        let stays = self.flipped(stays);
        self.function.push(Op::LoopMerge, &[one.merge, one.header, 0]);
        self.branch_on(stays, one.header, one.merge);
        self.begin(one.merge);
    }

    fn loop_of_blocks(&mut self, one: &Loop) {
        let test = self.random.pick(&[Test::Header, Test::Body, Test::Continue, Test::Sides]);
        self.begin(one.header);
        for _ in 0..self.random.below(3) {
            self.expression();
        }
        let (merge, cont) = (one.merge, one.cont);
        let breaks = usize::from(matches!(test, Test::Header | Test::Body));
        self.around.push(Around::Loop { merge, cont, breaks, continues: 0 });
        let (header_values, is_open) = self.header_and_body(one, test);
        if is_open {
            self.branch(cont);
        }
        let Some(Around::Loop { breaks, continues, .. }) = self.around.pop() else { return };
        // The continue block sees what all ways to it have passed.
        if continues > 0 || !is_open {
            self.values.truncate(header_values);
        }
        self.continue_block(one, test, continues > 0 || is_open);
        if breaks > 0 {
            self.values.truncate(header_values);
        }
        self.begin(merge);
    }

    /// The header and the body: how many values the header has left, and whether control comes to the end of the body.
    fn header_and_body(&mut self, one: &Loop, test: Test) -> (usize, bool) {
        let body = self.module.id();
        let stays = self.result(Op::SLessThan, Ty::Bool, &[one.counter, one.limit]);
        let merges = [one.merge, one.cont, 0];
        let header_values = self.values.len();
        match test {
            Test::Header => {
                self.edge(one.merge);
                let stays = self.flipped(stays);
                self.function.push(Op::LoopMerge, &merges);
                self.branch_on(stays, body, one.merge);
                self.begin(body);
            }
            Test::Sides => {
                let is_open = self.sides(merges);
                return (header_values, is_open && self.statements());
            }
            Test::Body | Test::Continue => {
                self.function.push(Op::LoopMerge, &merges);
                self.function.push(Op::Branch, &[body]);
                self.begin(body);
                if test == Test::Body {
                    let leaves = self.result(Op::LogicalNot, Ty::Bool, &[stays]);
                    self.leave_where(leaves, one.merge);
                }
            }
        }
        (header_values, self.statements())
    }

    /// A header whose sides stay in the loop, and meet again where neither leaves it; whether control goes on.
    fn sides(&mut self, merges: [Id; 3]) -> bool {
        let condition = self.truth();
        let condition = self.flipped(condition);
        let [one, other] = [self.module.id(), self.module.id()];
        let meeting = self.label_with_phis();
        self.function.push(Op::LoopMerge, &merges);
        self.branch_on(condition, one, other);
        let before = self.values.len();
        let mut left = Vec::new();
        let mut reached = 0;
        for side in [one, other] {
            self.begin(side);
            if self.statements() {
                self.branch(meeting);
                reached += 1;
                left = self.values.split_off(before);
            }
            self.values.truncate(before);
        }
        if reached == 0 {
            return false;
        }
        self.begin(meeting);
        if reached == 1 {
            self.values.extend(left);
        }
        true
    }

    fn continue_block(&mut self, one: &Loop, test: Test, is_reached: bool) {
        if is_reached {
            self.begin(one.cont);
            for _ in 0..self.random.below(4) {
                self.expression();
            }
            self.store();
        } else {
            // Phis of a block that nothing comes to have no sources.
            self.function.forget_phis(one.cont);
            self.function.begin(one.cont);
        }
        let (next, stays) = self.step(one);
        self.back_edge(one, next);
        if matches!(test, Test::Continue | Test::Sides) {
            self.edge(one.merge);
            let stays = self.flipped(stays);
            self.branch_on(stays, one.header, one.merge);
        } else {
            self.function.push(Op::Branch, &[one.header]);
        }
    }
}
