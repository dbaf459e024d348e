//! Loops, with the test in any place, headers whose two sides meet again, and continue blocks of any kind.

use spirv::Op;

use super::generate::{Around, Writer};
use super::module::Id;
use super::types::Ty;

/// Where a loop tests whether to continue.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Test {
    /// In its header.
    Header,
    /// At the start of its body.
    Body,
    /// At the end of its continue block.
    Continue,
    /// The same, in a loop whose header branches to two sides that both stay in the loop.
    Sides,
    /// At the start of its body. The end of its continue block has another test, which never leaves the loop.
    Both,
}

/// A loop being written.
struct Loop {
    header: Id,
    merge: Id,
    cont: Id,
    counter: Id,
    limit: Id,
    /// The number that an iteration adds to the counter.
    by: Id,
    kind: Kind,
}

/// An additional feature of a loop. Lanes that were discarded earlier must not make the translation mistake its end.
#[derive(Clone, Copy)]
enum Kind {
    Plain,
    /// A second counter with this id. It starts at 9, is below 8 from then on, and a test leaves the loop if it is 9.
    Never(Id),
    /// The loop contains another loop, which counts in steps of this number and computes the next value of this loop's
    /// counter.
    Within(Id),
    /// The loop is such an inner loop. This is the counter of the outer loop.
    Inner(Id),
}

impl Writer {
    /// Generates a loop. It terminates, so control always continues after it. Some loops would not terminate in lanes
    /// that were discarded before.
    pub(super) fn any_loop(&mut self) -> bool {
        let one = self.module.constant(Ty::Int, 1);
        let live = self.random.once_in(8).then(|| self.number_of_live_lanes());
        let is_short = self.random.once_in(5);
        let never = self.module.id();
        let (by, kind) = match live {
            None => (one, Kind::Plain),
            Some(live) if is_short => (live, Kind::Plain),
            Some(live) => self.random.pick(&[
                (live, Kind::Plain),
                (live, Kind::Never(never)),
                (one, Kind::Within(live)),
            ]),
        };
        let mut one = self.entered(by, kind);
        if is_short {
            one.cont = one.header;
            self.loop_of_one_block(&one);
            return true;
        }
        one.cont = self.label_with_phis();
        self.loop_of_blocks(&one);
        true
    }

    /// Begins a loop, with a branch to its header.
    fn entered(&mut self, by: Id, kind: Kind) -> Loop {
        let header = self.label_with_phis();
        let counter = self.module.id();
        let start = self.module.constant(Ty::Int, 0);
        let limit = 1 + self.random.below(4) as u32;
        let limit = self.module.constant(Ty::Int, limit);
        self.edge(header);
        self.function.add_phi(header, counter, Ty::Int);
        self.function.flow(header, counter, start);
        if let Kind::Never(number) = kind {
            let start = self.module.constant(Ty::Int, 9);
            self.function.add_phi(header, number, Ty::Int);
            self.function.flow(header, number, start);
        }
        self.function.push(Op::Branch, &[header]);
        Loop { header, merge: self.label_with_phis(), cont: header, counter, limit, by, kind }
    }

    /// The next value of the counter, and the condition to stay in the loop.
    fn step(&mut self, one: &Loop, next: Option<Id>) -> (Id, Id) {
        let sum = self.result(Op::IAdd, Ty::Int, &[one.counter, one.by]);
        let next = next.unwrap_or(sum);
        let stays = self.result(Op::SLessThan, Ty::Bool, &[next, one.limit]);
        self.values.push((Ty::Int, next));
        (next, stays)
    }

    /// Gives the phis of the header their values for the next iteration.
    fn back_edge(&mut self, one: &Loop, next: Id) {
        self.function.flow(one.header, one.counter, next);
        self.edge(one.header);
    }

    /// Generates a loop with a single block. An inner loop returns the next value of the outer loop's counter.
    fn loop_of_one_block(&mut self, one: &Loop) -> Option<Id> {
        self.begin(one.header);
        for _ in 0..1 + self.random.below(5) {
            self.expression();
        }
        self.store();
        let outer = match one.kind {
            Kind::Inner(counter) => {
                let by = self.module.constant(Ty::Int, 1);
                Some(self.result(Op::IAdd, Ty::Int, &[counter, by]))
            }
            Kind::Plain | Kind::Never(_) | Kind::Within(_) => None,
        };
        let (next, stays) = self.step(one, None);
        self.back_edge(one, next);
        self.edge(one.merge);
        let stays = self.flipped(stays);
        self.function.push(Op::LoopMerge, &[one.merge, one.header, 0]);
        self.branch_on(stays, one.header, one.merge);
        self.begin(one.merge);
        outer
    }

    fn loop_of_blocks(&mut self, one: &Loop) {
        let test = match one.kind {
            Kind::Never(_) => Test::Both,
            Kind::Within(_) => self.random.pick(&[Test::Header, Test::Body, Test::Continue]),
            Kind::Plain | Kind::Inner(_) => {
                self.random.pick(&[Test::Header, Test::Body, Test::Continue, Test::Sides])
            }
        };
        self.begin(one.header);
        for _ in 0..self.random.below(3) {
            self.expression();
        }
        let (merge, cont) = (one.merge, one.cont);
        let breaks = usize::from(matches!(test, Test::Header | Test::Body | Test::Both));
        self.around.push(Around::Loop { merge, cont, breaks, continues: 0 });
        let (header_values, is_open, next) = self.header_and_body(one, test);
        if is_open {
            self.branch(cont);
        }
        let Some(Around::Loop { breaks, continues, .. }) = self.around.pop() else { return };
        // If the continue block has several predecessors, only values of the header are available in it.
        if continues > 0 || !is_open {
            self.values.truncate(header_values);
        }
        self.continue_block(one, (test, next), continues > 0 || is_open);
        if breaks > 0 {
            self.values.truncate(header_values);
        }
        self.begin(merge);
    }

    /// Generates the header and the body. Returns the number of values available after the header, whether control
    /// reaches the end of the body, and the next value of the counter if an inner loop computes it.
    fn header_and_body(&mut self, one: &Loop, test: Test) -> (usize, bool, Option<Id>) {
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
                return (header_values, is_open && self.statements(), None);
            }
            Test::Body | Test::Continue | Test::Both => {
                self.function.push(Op::LoopMerge, &merges);
                self.function.push(Op::Branch, &[body]);
                self.begin(body);
                if test != Test::Continue {
                    let leaves = self.result(Op::LogicalNot, Ty::Bool, &[stays]);
                    self.leave_where(leaves, one.merge);
                }
            }
        }
        let next = match one.kind {
            Kind::Within(live) => {
                let inner = self.entered(live, Kind::Inner(one.counter));
                self.loop_of_one_block(&inner)
            }
            Kind::Plain | Kind::Never(_) | Kind::Inner(_) => None,
        };
        (header_values, self.statements(), next)
    }

    /// A loop header with two sides. They meet again unless they leave the loop. Returns whether control continues.
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

    fn continue_block(&mut self, one: &Loop, (test, next): (Test, Option<Id>), is_reached: bool) {
        if is_reached {
            self.begin(one.cont);
            for _ in 0..self.random.below(4) {
                self.expression();
            }
            self.store();
        } else {
            // Phis of an unreachable block have no sources.
            self.function.forget_phis(one.cont);
            self.function.begin(one.cont);
        }
        let (next, mut stays) = self.step(one, next);
        if let Kind::Never(number) = one.kind {
            let [by, most, end] = [1, 7, 9].map(|n| self.module.constant(Ty::Int, n));
            let sum = self.result(Op::IAdd, Ty::Int, &[number, by]);
            let low = self.result(Op::BitwiseAnd, Ty::Int, &[sum, most]);
            stays = self.result(Op::INotEqual, Ty::Bool, &[low, end]);
            self.function.flow(one.header, number, low);
        }
        self.back_edge(one, next);
        if matches!(test, Test::Continue | Test::Sides | Test::Both) {
            self.edge(one.merge);
            let stays = self.flipped(stays);
            self.branch_on(stays, one.header, one.merge);
        } else {
            self.function.push(Op::Branch, &[one.header]);
        }
    }
}
