//! Computes the number of iterations of a loop.

use arrayvec::ArrayVec;

use crate::hash::{FastMap, FastSet};
use crate::semantics;
use crate::ssa::{
    Function, InstData, InstId, Loop, LoopExit, Operand, Replacements, Source, Value, ValueDef,
};

use super::super::fold;

/// The most iterations of a loop that is unrolled.
const MAX_ITERATIONS: usize = 128;

/// The most values that the test of a counted loop may depend on: no counter needs more.
const MAX_SLICE: usize = 256;

/// How often `body` runs to its end before `exit` is taken, if constants determine it. `next` are the operands of its
/// last [`Continue`](crate::ssa::Node::Continue).
pub(super) fn count_iterations(
    function: &Function,
    replacements: &Replacements,
    body: &Loop,
    exit: &LoopExit<'_>,
    next: &[Operand],
) -> Option<usize> {
    let params: Vec<(Value, Operand)> =
        body.params.iter().zip(next).map(|(p, &next)| (p.value, next)).collect();
    let mut slice =
        Slice { function, replacements, params, insts: Vec::new(), seen: FastSet::default() };
    let condition = exit.condition;
    let [a, b] = condition.src;
    slice.add([a, b])?;
    let mut known: FastMap<Value, u32> =
        body.params.iter().filter_map(|p| Some((p.value, p.init.as_const()?))).collect();
    for iteration in 0..=MAX_ITERATIONS {
        slice.evaluate(&mut known);
        let a = slice.bits(a, &known)?;
        let b = slice.bits(b, &known)?;
        if fold::predicate_test(condition.op, a, b)? == exit.when_true {
            return Some(iteration);
        }
        known = slice.next_params(&known);
    }
    None
}

/// The instructions that the test of a loop depends on through its parameters, definitions first.
struct Slice<'a> {
    function: &'a Function,
    replacements: &'a Replacements,
    /// Each parameter with its value in the next iteration.
    params: Vec<(Value, Operand)>,
    insts: Vec<InstId>,
    /// Values that are in the slice or waiting to be added.
    seen: FastSet<Value>,
}

/// A step of the walk that puts definitions first.
enum Visit {
    Enter(Operand),
    Leave(InstId),
}

impl Slice<'_> {
    /// Adds the instructions that `operands` depend on; `None` if that is too much. The walk stops at values other than
    /// parameters and results of ALU operations, which stay unknown.
    fn add(&mut self, operands: [Operand; 2]) -> Option<()> {
        let mut work: Vec<Visit> = operands.into_iter().map(Visit::Enter).collect();
        while let Some(visit) = work.pop() {
            match visit {
                Visit::Leave(id) => self.insts.push(id),
                Visit::Enter(operand) => self.enter(operand, &mut work),
            }
            if self.seen.len() > MAX_SLICE {
                return None;
            }
        }
        Some(())
    }

    fn enter(&mut self, operand: Operand, work: &mut Vec<Visit>) {
        let Some(value) = self.replacements.resolve(operand).as_value() else { return };
        if !self.seen.insert(value) {
            return;
        }
        if let Some(&(_, next)) = self.params.iter().find(|(param, _)| *param == value) {
            // A parameter has its value before the iteration, so its next value is visited last.
            work.insert(0, Visit::Enter(next));
        } else if let ValueDef::Inst(id, _) = self.function.values[value]
            && let InstData::Alu(alu) = &self.function.insts[id].data
        {
            work.push(Visit::Leave(id));
            work.extend(alu.src.iter().map(|&src| Visit::Enter(src)));
        }
    }

    /// Adds the results that follow from the parameters in `known`.
    fn evaluate(&self, known: &mut FastMap<Value, u32>) {
        for &id in &self.insts {
            let inst = &self.function.insts[id];
            let InstData::Alu(alu) = &inst.data else { continue };
            let src: Option<ArrayVec<u32, 3>> =
                alu.src.iter().map(|&src| self.bits(src, known)).collect();
            if let Some(bits) = src.and_then(|src| fold::fold(alu.op, &src)) {
                known.insert(inst.results[0], semantics::modify_output(bits, alu.omod, alu.clamp));
            }
        }
    }

    /// The bits of `operand`, if they are known.
    fn bits(&self, operand: Operand, known: &FastMap<Value, u32>) -> Option<u32> {
        let operand = self.replacements.resolve(operand);
        let Source::Value(value) = operand.source else { return operand.as_const() };
        let bits = *known.get(&value)?;
        Operand::constant(bits).modified(operand.neg, operand.abs).as_const()
    }

    /// The parameters of the iteration after one in which `known` holds.
    fn next_params(&self, known: &FastMap<Value, u32>) -> FastMap<Value, u32> {
        let next = |&(param, next): &(Value, Operand)| Some((param, self.bits(next, known)?));
        self.params.iter().filter_map(next).collect()
    }
}
