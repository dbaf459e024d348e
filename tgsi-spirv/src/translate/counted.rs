//! Counted loops. They terminate in each lane, whatever values the lane holds: a counter starts from a constant, and a
//! test leaves the loop when the counter reaches a certain value.
//!
//! Discarded lanes enter such loops, so that their neighbours have derivatives there. Little is certain about a
//! discarded lane. It also takes paths without a branch: from the point of discard to the end of the surrounding
//! selections, out of all loops and switches, and past each loop that it must not enter. It skips the code in between,
//! so memory, phis and other results may have any value in it. A loop counts if it terminates nevertheless:
//!
//! - The counter is a phi of the header, or a variable of the function that only loads and two stores name.
//! - Its start is a constant. A phi gets it on the only edge into the loop, and no other construct ends at the header.
//!   A variable gets it in a block that each lane reaching the loop has run since it last reached the surrounding loop.
//! - Its next value is set once, in a block of the sequence: the blocks that each iteration runs exactly once, unless
//!   it leaves the loop before. They follow the header unconditionally up to a nested loop; the last one branches back
//!   to the header.
//! - A block of the sequence tests whether to leave the loop. The condition, like the next value, is computed from
//!   constants and the counter by earlier instructions of the sequence, so each iteration has run them.
//! - The counter is simulated from its start, using only operations whose results are the same on all hardware. It must
//!   reach a value for which the test leaves within a limited number of iterations. The product of these limits over
//!   nested loops is limited, too.
//! - No block of the loop ends as unreachable. A discarded lane could get there, and what follows is undefined.

mod course;

use std::collections::{HashMap, HashSet};

use spirv::Op;

use crate::binary::{Id, Inst};
use crate::error::Fault;
use crate::module::{Function, Module};

use super::Translator;
use super::paths::Paths;
use course::Course;

/// Maximum number of iterations of a counted loop.
const MAX_ITERATIONS: usize = 1024;

/// Maximum number of results examined in the search for the counter of a condition.
const MAX_RESULTS: usize = 32;

impl Translator<'_> {
    /// The number of iterations after which a loop terminates; `None` if it is not a counted loop.
    pub(super) fn iterations(&mut self, header: Id, merge: Id) -> Result<Option<usize>, Fault> {
        let (module, function) = (self.module, self.frame()?.function);
        let paths = self.paths()?;
        Ok(Counted::new(module, function, &paths, header, merge).and_then(|one| one.iterations()))
    }
}

/// The position of an instruction: its block in the sequence, and its word.
type Position = (usize, usize);

/// A loop that may be a counted loop.
struct Counted<'a, 'm> {
    module: &'a Module<'m>,
    function: &'a Function<'m>,
    paths: &'a Paths<'m>,
    header: Id,
    merge: Id,
    /// The blocks of the loop.
    blocks: HashSet<Id>,
    /// The blocks that each iteration runs exactly once, in order, unless it leaves the loop before.
    sequence: Vec<Id>,
    /// The instructions of the sequence that have a result.
    results: HashMap<Id, (Position, Inst<'m>)>,
}

/// A test that may leave the loop: its condition, and whether the loop continues if the condition holds.
#[derive(Clone, Copy)]
struct Test {
    condition: Id,
    stays: bool,
    /// The position of the test.
    at: Position,
}

/// The phi or variable that counts iterations.
#[derive(Clone, Copy)]
enum Counter {
    Phi(Id),
    Variable(Id),
}

/// The initial value and the next value of a counter, and the position at which the counter gets the next value.
struct Values {
    start: Id,
    next: Id,
    at: Position,
}

impl<'a, 'm> Counted<'a, 'm> {
    /// Collects the blocks of a loop; `None` if several blocks branch back to the header.
    fn new(
        module: &'a Module<'m>,
        function: &'a Function<'m>,
        paths: &'a Paths<'m>,
        header: Id,
        merge: Id,
    ) -> Option<Self> {
        let blocks = paths.within(function, header, merge);
        let sequence = paths.sequence(function, header, &blocks)?;
        let mut results = HashMap::new();
        for (n, id) in sequence.iter().enumerate() {
            let insts = function.blocks.get(id)?.body.iter();
            let insts = insts.filter_map(|&inst| Some((result(&inst)?, ((n, inst.at), inst))));
            results.extend(insts);
        }
        Some(Self { module, function, paths, header, merge, blocks, sequence, results })
    }

    /// Maximum number of iterations of a lane.
    fn iterations(&self) -> Option<usize> {
        let mut ends = self.blocks.iter().filter_map(|id| Some(self.function.blocks.get(id)?.end));
        if ends.any(|end| end.op == Some(Op::Unreachable)) {
            return None;
        }
        if self.paths.inner_source(self.header, &self.blocks).is_none() {
            return Some(1);
        }
        self.tests().find_map(|test| self.ends(test))
    }

    /// The tests in the sequence.
    fn tests(&self) -> impl Iterator<Item = Test> {
        let blocks = self.sequence.iter().enumerate();
        let ends = blocks.filter_map(|(n, id)| Some((n, self.function.blocks.get(id)?.end)));
        ends.filter(|(_, end)| end.op == Some(Op::BranchConditional)).filter_map(|(n, end)| {
            let condition = end.id(0).ok()?;
            let leaves = [1, 2].map(|side| end.id(side).ok() == Some(self.merge));
            let at = (n, end.at);
            (leaves[0] != leaves[1]).then_some(Test { condition, stays: leaves[1], at })
        })
    }

    /// The number of iterations until a test leaves the loop, from a simulation of the counter. `None` if that takes
    /// too many iterations, or if the test depends on anything but the counter.
    fn ends(&self, test: Test) -> Option<usize> {
        let counter = self.counter(test.condition);
        let values = counter.map(|one| self.values(one));
        let Some(values) = values else {
            let mut course = Course::new(self, None);
            let condition = course.place(test.condition, test.at)?;
            return (course.run(0)?[condition] & 1 != u64::from(test.stays)).then_some(1);
        };
        let values = values?;
        let mut course = Course::new(self, counter.zip(Some(&values)));
        let condition = course.place(test.condition, test.at)?;
        let next = course.place(values.next, values.at)?;
        let mut now = self.module.constants.get(&values.start)?.value.bits()?;
        for num in 1..=MAX_ITERATIONS {
            let all = course.run(now)?;
            if all[condition] & 1 != u64::from(test.stays) {
                return Some(num);
            }
            now = all[next];
        }
        None
    }

    /// The first phi of the header or loaded variable found among the values that a condition depends on.
    fn counter(&self, condition: Id) -> Option<Counter> {
        let mut seen = HashSet::new();
        let mut open = vec![condition];
        while let Some(id) = open.pop().filter(|_| seen.len() < MAX_RESULTS) {
            if !seen.insert(id) {
                continue;
            }
            if self.phi(id).is_some() {
                return Some(Counter::Phi(id));
            }
            match self.results.get(&id) {
                Some((_, inst)) if inst.op == Some(Op::Load) => {
                    let pointer = inst.id(2).ok()?;
                    return self
                        .paths
                        .uses
                        .contains_key(&pointer)
                        .then_some(Counter::Variable(pointer));
                }
                Some((_, inst)) => open.extend(inst.ids(2).take(MAX_RESULTS)),
                None => {}
            }
        }
        None
    }

    /// The phi of the header with this result.
    fn phi(&self, id: Id) -> Option<Inst<'m>> {
        let phis = &self.function.blocks.get(&self.header)?.phis;
        phis.iter().find(|one| one.id(1).ok() == Some(id)).copied()
    }

    fn values(&self, counter: Counter) -> Option<Values> {
        match counter {
            Counter::Phi(id) => self.values_of_phi(id),
            Counter::Variable(id) => self.values_of_variable(id),
        }
    }

    /// The values of a phi that has one edge into the loop and one back edge.
    fn values_of_phi(&self, phi: Id) -> Option<Values> {
        let inner = self.paths.inner_source(self.header, &self.blocks)?;
        let outer = self.paths.outer_source(self.header, &self.blocks)?;
        // Where another construct ends, a lane may arrive without taking an edge.
        let is_edge = self.function.blocks.get(&outer)?.end.op == Some(Op::Branch);
        if !is_edge || self.paths.ends_construct(self.header) {
            return None;
        }
        let (start, next) = match *self.phi(phi)?.rest(2) {
            [start, one, next, other] if [one, other] == [outer.0, inner.0] => (start, next),
            [next, one, start, other] if [one, other] == [inner.0, outer.0] => (start, next),
            _ => return None,
        };
        Some(Values { start: Id(start), next: Id(next), at: (self.sequence.len(), 0) })
    }

    /// The values of a variable with one store before the loop and one in its sequence.
    fn values_of_variable(&self, variable: Id) -> Option<Values> {
        let (mut start, mut next) = (None, None);
        for &(block, inst) in self.paths.uses.get(&variable)? {
            match (inst.op?, inst.operands) {
                (Op::Variable, &[_, _, _]) => {}
                (Op::Load, &[_, _, pointer, ..]) if pointer == variable.0 => {}
                (Op::Store, &[pointer, value, ..]) if pointer == variable.0 => {
                    let place = if self.blocks.contains(&block) { &mut next } else { &mut start };
                    if place.replace((block, Id(value), inst.at)).is_some() {
                        return None;
                    }
                }
                _ => return None,
            }
        }
        let ((start_block, start, _), (next_block, next, word)) = start.zip(next)?;
        let n = self.sequence.iter().position(|&id| id == next_block)?;
        let is_certain = self.paths.runs_before(self.function, start_block, self.header);
        is_certain.then_some(Values { start, next, at: (n, word) })
    }

    fn type_of(&self, id: Id) -> Option<Id> {
        let constant = self.module.constants.get(&id).map(|constant| constant.ty);
        let result = || self.results.get(&id).map(|(_, inst)| *inst);
        constant.or_else(|| result().or_else(|| self.phi(id))?.id(0).ok())
    }
}

/// The id of an instruction's result. Instructions that have no result give `None`.
fn result(inst: &Inst<'_>) -> Option<Id> {
    let has_none =
        matches!(inst.op?, Op::Store | Op::CopyMemory | Op::AtomicStore | Op::ImageWrite);
    inst.id(1).ok().filter(|_| !has_none)
}
