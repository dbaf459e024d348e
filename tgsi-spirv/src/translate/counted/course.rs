//! The sequence of values that a counter takes.

use std::collections::HashMap;

use spirv::Op;

use crate::binary::Id;
use crate::fold::{Scalar, fold};
use crate::types::Kind;

use super::{Counted, Counter, Position, Values};

/// Maximum number of steps to compute the values of an iteration.
const MAX_STEPS: usize = 32;

/// Integers below this are exact as 32-bit floats.
const EXACT: u64 = 1 << f32::MANTISSA_DIGITS;

/// Maximum depth of results that depend on each other.
const MAX_DEPTH: usize = 8;

/// How an iteration computes values from the value that the counter has at its start.
pub(super) struct Course<'a, 'm> {
    counted: &'a Counted<'a, 'm>,
    counter: Option<(Counter, &'a Values)>,
    steps: Vec<Step>,
    /// The step that computes each result.
    places: HashMap<Id, usize>,
}

enum Step {
    Counter,
    Constant(u64),
    Operation { op: Op, from: Scalar, to: Scalar, args: Vec<usize> },
}

impl<'a, 'm> Course<'a, 'm> {
    pub(super) fn new(
        counted: &'a Counted<'a, 'm>,
        counter: Option<(Counter, &'a Values)>,
    ) -> Self {
        Self { counted, counter, steps: vec![Step::Counter], places: HashMap::new() }
    }

    /// The step that computes a result read at a position; `None` if the result depends on more than the counter.
    pub(super) fn place(&mut self, id: Id, at: Position) -> Option<usize> {
        self.find(id, at, MAX_DEPTH)
    }

    fn find(&mut self, id: Id, at: Position, depth: usize) -> Option<usize> {
        if matches!(self.counter, Some((Counter::Phi(phi), _)) if phi == id) {
            return Some(0);
        }
        if let Some(constant) = self.counted.module.constants.get(&id) {
            return self.push(Step::Constant(constant.value.bits()?));
        }
        let &(own, inst) = self.counted.results.get(&id).filter(|&&(own, _)| own < at)?;
        if let Some(&place) = self.places.get(&id) {
            return Some(place);
        }
        let (op, depth) = (inst.op?, depth.checked_sub(1)?);
        let place = match op {
            Op::Load => self.loaded(inst.id(2).ok()?, own, depth)?,
            _ => {
                let from = self.scalar(self.counted.type_of(inst.id(2).ok()?)?)?;
                let to = self.scalar(inst.id(0).ok()?)?;
                let args = inst.ids(2).map(|source| self.find(source, own, depth));
                let args = args.collect::<Option<Vec<usize>>>()?;
                self.push(Step::Operation { op, from, to, args })?
            }
        };
        self.places.insert(id, place);
        Some(place)
    }

    /// The step that computes what the counting variable holds at a position: its value at the start of the iteration,
    /// or its next value once that is stored.
    fn loaded(&mut self, pointer: Id, at: Position, depth: usize) -> Option<usize> {
        match self.counter {
            Some((Counter::Variable(variable), values)) if variable == pointer => {
                if at < values.at { Some(0) } else { self.find(values.next, values.at, depth) }
            }
            _ => None,
        }
    }

    fn push(&mut self, step: Step) -> Option<usize> {
        self.steps.push(step);
        (self.steps.len() <= MAX_STEPS).then_some(self.steps.len() - 1)
    }

    fn scalar(&self, ty: Id) -> Option<Scalar> {
        let shape = self.counted.module.find_shape(ty).ok()??;
        (shape.len == 1).then_some(Scalar { kind: shape.kind, bits: shape.bits })
    }

    /// All values of an iteration; `None` if one is undefined or may differ between hardware.
    pub(super) fn run(&self, counter: u64) -> Option<Vec<u64>> {
        let mut values: Vec<u64> = Vec::with_capacity(self.steps.len());
        for step in &self.steps {
            let value = match step {
                Step::Counter => counter,
                Step::Constant(bits) => *bits,
                Step::Operation { op, from, to, args } => {
                    let args: Vec<u64> = args.iter().map(|&at| values[at]).collect();
                    let value = fold(*op, *from, *to, &args)?;
                    is_certain(*op, *from, &args, value).then_some(value)?
                }
            };
            values.push(value);
        }
        Some(values)
    }
}

/// Whether the result of an operation is the same on all hardware. This excludes results that SPIR-V leaves undefined,
/// and any rounding but that of sums to the nearest number.
fn is_certain(op: Op, from: Scalar, args: &[u64], result: u64) -> bool {
    if from.kind == Kind::Float {
        return from.bits == 32
            && args.iter().all(|&arg| is_normal(arg))
            && is_certain_float(op, from, args, result);
    }
    let last = args.last().copied().unwrap_or(0);
    match op {
        Op::ShiftLeftLogical | Op::ShiftRightLogical | Op::ShiftRightArithmetic => {
            from.unsigned(last) < u64::from(from.bits)
        }
        Op::UDiv | Op::UMod => from.unsigned(last) != 0,
        // Division of the least number by -1 is undefined, too.
        Op::SDiv | Op::SRem | Op::SMod => from.signed(last) > 0,
        Op::ConvertSToF => from.bits == 32 && from.signed(last).unsigned_abs() < EXACT,
        Op::ConvertUToF => from.bits == 32 && from.unsigned(last) < EXACT,
        _ => true,
    }
}

fn is_certain_float(op: Op, from: Scalar, args: &[u64], result: u64) -> bool {
    match (op, args) {
        (Op::FAdd | Op::FSub, _) => is_normal(result),
        (Op::FMul, &[a, b]) => {
            is_normal(result) && from.float(result) == from.float(a) * from.float(b)
        }
        (Op::FNegate, _) => true,
        _ => is_comparison(op),
    }
}

fn is_comparison(op: Op) -> bool {
    matches!(
        op,
        Op::FOrdEqual
            | Op::FOrdNotEqual
            | Op::FUnordNotEqual
            | Op::FOrdLessThan
            | Op::FOrdGreaterThan
            | Op::FOrdLessThanEqual
            | Op::FOrdGreaterThanEqual
    )
}

/// Whether bits are a normal 32-bit float or zero. Hardware may flush other numbers to zero.
fn is_normal(bits: u64) -> bool {
    let value = f32::from_bits(bits as u32);
    value.is_normal() || value == 0.0
}
