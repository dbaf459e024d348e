//! Loops that count from a constant to a constant: they end, whatever else a lane holds.
//!
//! Lanes that were discarded may enter such a loop. It is enough that every iteration asks about the counter, and that the
//! counter takes a course on which the loop is left.

use std::collections::{HashMap, HashSet};

use spirv::Op;

use crate::binary::{Id, Inst};
use crate::error::Fault;
use crate::fold::{Scalar, fold};
use crate::module::{Block, Function, Module};

use super::Translator;
use super::flow::targets;

/// Iterations after which a loop does not count any more.
const MAX_ITERATIONS: usize = 1024;

/// Operations that a value is followed through.
const MAX_DEPTH: usize = 8;

impl Translator<'_> {
    /// Whether a loop counts.
    pub(super) fn is_counted(&mut self, header: Id, merge: Id) -> Result<bool, Fault> {
        let function = self.frame()?.function;
        let blocks = within(function, header, merge);
        let all = function.blocks.values().flat_map(|one| one.phis.iter().chain(&one.body));
        let counted = Counted {
            module: self.module,
            function,
            header,
            always: always(function, header, &blocks),
            blocks,
            results: all.filter_map(|&inst| Some((result(&inst)?, inst))).collect(),
        };
        Ok(counted.tests(merge).any(|test| counted.ends(test).is_some()))
    }
}

/// A loop.
struct Counted<'a, 'm> {
    module: &'a Module<'m>,
    function: &'a Function<'m>,
    header: Id,
    /// Its blocks.
    blocks: HashSet<Id>,
    /// Those that every iteration comes to.
    always: HashSet<Id>,
    /// The instructions of the function that have a result, as far as any is followed.
    results: HashMap<Id, Inst<'m>>,
}

/// A condition, and whether the loop goes on where it holds.
#[derive(Clone, Copy)]
struct Test {
    condition: Id,
    stays: bool,
}

impl<'a, 'm> Counted<'a, 'm> {
    /// What every iteration asks before it goes on.
    fn tests(&self, merge: Id) -> impl Iterator<Item = Test> {
        let ends = self.always.iter().filter_map(|id| Some(self.function.blocks.get(id)?.end));
        ends.filter(|end| end.op == Some(Op::BranchConditional)).filter_map(move |end| {
            let [condition, on_true, on_false] = [0, 1, 2].map(|n| end.id(n).ok());
            let leaves = [on_true, on_false].map(|to| to == Some(merge));
            let is_one = leaves[0] != leaves[1];
            condition.filter(|_| is_one).map(|condition| Test { condition, stays: leaves[1] })
        })
    }

    /// Follows the counter until a test leaves the loop; `None` where it never does, or the test asks about more.
    fn ends(&self, test: Test) -> Option<()> {
        let counter = self.counter(test.condition, MAX_DEPTH)?;
        let (start, next) = match self.results.get(&counter)?.op {
            Some(Op::Phi) => self.course_of_phi(counter)?,
            _ => self.course_of_variable(counter)?,
        };
        let mut now = self.module.constants.get(&start)?.value.bits()?;
        for _ in 0..MAX_ITERATIONS {
            let holds = self.value(test.condition, (counter, now), MAX_DEPTH)? & 1 != 0;
            if holds != test.stays {
                return Some(());
            }
            now = self.value(next, (counter, now), MAX_DEPTH)?;
        }
        None
    }

    /// The phi of the header, or the variable of the function, that a value comes from.
    fn counter(&self, id: Id, depth: usize) -> Option<Id> {
        let inst = self.results.get(&id)?;
        let header = self.function.blocks.get(&self.header)?;
        match inst.op {
            Some(Op::Phi) => header.phis.iter().any(|one| result(one) == Some(id)).then_some(id),
            Some(Op::Load) => {
                let pointer = inst.id(2).ok()?;
                (self.results.get(&pointer)?.op == Some(Op::Variable)).then_some(pointer)
            }
            _ if depth > 0 => inst.ids(2).find_map(|source| self.counter(source, depth - 1)),
            _ => None,
        }
    }

    /// What a phi of the header holds at first, and after each iteration.
    fn course_of_phi(&self, phi: Id) -> Option<(Id, Id)> {
        let &[one, from, other, _] = self.results.get(&phi)?.rest(2) else { return None };
        let (one, other) = (Id(one), Id(other));
        Some(if self.blocks.contains(&Id(from)) { (other, one) } else { (one, other) })
    }

    /// The same of a variable that is set once before the loop, and in the loop once where every iteration comes.
    fn course_of_variable(&self, variable: Id) -> Option<(Id, Id)> {
        let (mut start, mut next) = (None, None);
        for block in self.function.blocks.values() {
            for inst in block.body.iter().filter(|inst| inst.operands.contains(&variable.0)) {
                match (inst.op?, inst.operands) {
                    (Op::Variable, &[_, _, _]) => {}
                    (Op::Load, &[_, _, pointer, ..]) if pointer == variable.0 => {}
                    (Op::Store, &[pointer, value, ..]) if pointer == variable.0 => {
                        let is_inside = self.blocks.contains(&block.label);
                        let place = if is_inside { &mut next } else { &mut start };
                        let is_certain = !is_inside || self.always.contains(&block.label);
                        if !is_certain || place.replace(Id(value)).is_some() {
                            return None;
                        }
                    }
                    _ => return None,
                }
            }
        }
        start.zip(next)
    }

    /// What a value is while the counter has one.
    fn value(&self, id: Id, counter: (Id, u64), depth: usize) -> Option<u64> {
        if id == counter.0 {
            return Some(counter.1);
        }
        if let Some(constant) = self.module.constants.get(&id) {
            return constant.value.bits();
        }
        let inst = self.results.get(&id)?;
        let depth = depth.checked_sub(1)?;
        if inst.op == Some(Op::Load) {
            return self.value(inst.id(2).ok()?, counter, depth);
        }
        let args: Option<Vec<u64>> =
            inst.ids(2).map(|source| self.value(source, counter, depth)).collect();
        let from = self.scalar(self.type_of(inst.id(2).ok()?)?)?;
        fold(inst.op?, from, self.scalar(inst.id(0).ok()?)?, &args?)
    }

    fn type_of(&self, id: Id) -> Option<Id> {
        let constant = self.module.constants.get(&id).map(|constant| constant.ty);
        constant.or_else(|| self.results.get(&id)?.id(0).ok())
    }

    fn scalar(&self, ty: Id) -> Option<Scalar> {
        let shape = self.module.find_shape(ty).ok()??;
        (shape.len == 1).then_some(Scalar { kind: shape.kind, bits: shape.bits })
    }
}

/// The id of an instruction's result, where a counter may depend on it.
fn result(inst: &Inst<'_>) -> Option<Id> {
    let has_none =
        matches!(inst.op?, Op::Store | Op::CopyMemory | Op::AtomicStore | Op::ImageWrite);
    inst.id(1).ok().filter(|_| !has_none)
}

/// The blocks of a loop.
fn within(function: &Function<'_>, header: Id, merge: Id) -> HashSet<Id> {
    let mut seen = HashSet::new();
    let mut open = vec![header];
    while let Some(id) = open.pop() {
        if id != merge
            && seen.insert(id)
            && let Some(block) = function.blocks.get(&id)
        {
            open.extend(targets(block.end));
        }
    }
    seen
}

/// The blocks of a loop that every iteration comes to, unless it leaves before: those that follow the header without a
/// choice, and the one that goes back.
fn always(function: &Function<'_>, header: Id, blocks: &HashSet<Id>) -> HashSet<Id> {
    let goes_back =
        |block: &&Block<'_>| blocks.contains(&block.label) && targets(block.end).contains(&header);
    let mut all: HashSet<Id> =
        function.blocks.values().filter(goes_back).map(|block| block.label).collect();
    if all.len() > 1 {
        all.clear();
    }
    let mut at = header;
    while blocks.contains(&at) && all.insert(at) {
        match function.blocks.get(&at).map(|block| block.end) {
            Some(end) if end.op == Some(Op::Branch) && !end.operands.is_empty() => {
                at = Id(end.operands[0]);
            }
            _ => break,
        }
    }
    all
}
