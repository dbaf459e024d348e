//! Values of the slice whose sign of zero matters.
//!
//! Comparisons, conversions to integers and tests of float selects ignore the sign of zero. Most float operations pass
//! it on to their result. Reciprocals and bit operations reveal it. The square of a zero is the same for both signs,
//! and so is its sum with a nonzero number.

use cranelift_entity::EntitySet;
use r600_isa::{AluFlags, AluOp, CompareType, ResultType, SourceType};

use super::super::{AluInst, Function, InstData, Operand, Sources, Value, ValueDef};
use super::{Control, Test};

/// The exponent bits of a float.
const EXPONENT: u32 = 0x7f80_0000;

/// How an operation uses the sign of a zero in a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sign {
    /// The sign has no effect.
    Ignored,
    /// The sign affects at most the sign of a zero in the result.
    Passed,
    /// The sign affects more than the sign of a zero in the result.
    Revealed,
}

/// The values of `slice` whose sign of zero matters.
pub(super) fn of(
    function: &Function,
    (sources, control): (&Sources, &Control<'_>),
    slice: &EntitySet<Value>,
) -> EntitySet<Value> {
    let zeros = EntitySet::with_capacity(function.values.len());
    let (revealed, passed, work) = Default::default();
    let mut signs = Signs { function, sources, control, zeros, revealed, passed, work };
    control.deciding.iter().for_each(|test| signs.test(*test));
    for value in slice.keys() {
        signs.mark_revealed(value);
    }
    signs.run();
    signs.zeros
}

struct Signs<'a> {
    function: &'a Function,
    sources: &'a Sources,
    control: &'a Control<'a>,
    zeros: EntitySet<Value>,
    /// Places whose stores are handled as far as they reveal signs: by operands whose bits matter and by tests.
    revealed: Vec<bool>,
    /// Places whose stored values are marked.
    passed: Vec<bool>,
    work: Vec<Value>,
}

impl Signs<'_> {
    fn need(&mut self, operand: Operand) {
        if let Some(value) = operand.as_value()
            && self.zeros.insert(value)
        {
            self.work.push(value);
        }
    }

    fn test(&mut self, test: Test<'_>) {
        for (number, &operand) in test.src.iter().enumerate() {
            if sign_of(test.op, number) != Sign::Ignored {
                self.need(operand);
            }
        }
    }

    /// Marks the operands whose sign the definition of `value` reveals. `value` is in the slice.
    fn mark_revealed(&mut self, value: Value) {
        let function = self.function;
        match function.values[value] {
            ValueDef::LiveIn => {}
            ValueDef::Phi => {
                let condition = self.control.conditions[value];
                condition.into_iter().for_each(|test| self.test(test));
            }
            ValueDef::Inst(inst, _) => {
                let data = &function.insts[inst].data;
                match data {
                    InstData::Alu(alu) => {
                        let operands = alu.src.iter().enumerate();
                        operands
                            .filter(|(number, _)| sign_of(alu.op, *number) == Sign::Revealed)
                            .for_each(|(_, &operand)| self.need(operand));
                    }
                    InstData::Dot(_) | InstData::Cube(_) | InstData::Interp(_) => {}
                    _ => data.for_each_operand(|operand| self.need(operand)),
                }
                let control = self.control;
                let Some(stored) = control.read_by(data, &mut self.revealed) else { return };
                stored.under.iter().for_each(|&test| self.test(test));
                stored.exact.iter().for_each(|&operand| self.need(operand));
            }
        }
    }

    fn run(&mut self) {
        let function = self.function;
        while let Some(value) = self.work.pop() {
            match function.values[value] {
                ValueDef::LiveIn => {}
                ValueDef::Phi => {
                    let from: Vec<Operand> = self.sources.of_value(value).collect();
                    from.into_iter().for_each(|operand| self.need(operand));
                }
                ValueDef::Inst(inst, _) => {
                    let data = &function.insts[inst].data;
                    match data {
                        InstData::Alu(alu) => self.passed(alu),
                        InstData::Dot(dot) => {
                            let pairs = dot.pairs.iter().filter(|[a, b]| !is_square(*a, *b));
                            pairs.flatten().for_each(|&operand| self.need(operand));
                        }
                        _ => data.for_each_operand(|operand| self.need(operand)),
                    }
                    let control = self.control;
                    let stored = control.read_by(data, &mut self.passed);
                    let values = stored.into_iter().flat_map(|stored| &stored.values);
                    values.for_each(|&operand| self.need(operand));
                }
            }
        }
    }

    /// Marks the operands whose sign a zero in the result may have.
    fn passed(&mut self, alu: &AluInst) {
        // The chip may treat a denormal as zero.
        let is_number =
            |operand: Operand| operand.as_const().is_some_and(|bits| bits & EXPONENT != 0);
        for (number, &operand) in alu.src.iter().enumerate() {
            let is_lost = match (alu.op, alu.src.as_slice()) {
                (AluOp::Mul | AluOp::MulIeee, &[a, b]) => is_square(a, b),
                (AluOp::Add, &[a, b]) => is_number(a) || is_number(b),
                (AluOp::Muladd | AluOp::MuladdIeee, &[a, b, c]) => {
                    is_number(c) || number < 2 && is_square(a, b)
                }
                _ => false,
            };
            if !is_lost && sign_of(alu.op, number) == Sign::Passed {
                self.need(operand);
            }
        }
    }
}

/// Whether two operands differ at most by a negation. The sign of a zero then does not affect that of their product.
fn is_square(a: Operand, b: Operand) -> bool {
    a.source == b.source && a.abs == b.abs
}

/// How an operation uses the sign of a zero in its source `number`.
fn sign_of(op: AluOp, number: usize) -> Sign {
    let info = op.info();
    let compares_floats = matches!(info.compare, Some((_, CompareType::F32)));
    if info.flags.contains(AluFlags::CONDITIONAL_MOVE) {
        return match (number, compares_floats) {
            (0, true) => Sign::Ignored,
            (0, false) => Sign::Revealed,
            _ => Sign::Passed,
        };
    }
    let is_reciprocal = info.name.starts_with("RECIP");
    match op {
        _ if compares_floats => Sign::Ignored,
        AluOp::FltToInt | AluOp::FltToUint | AluOp::FltToIntFloor | AluOp::FltToIntRpi => {
            Sign::Ignored
        }
        AluOp::Mov => Sign::Passed,
        _ if info.source == SourceType::Float
            && info.result == ResultType::Float
            && !is_reciprocal =>
        {
            Sign::Passed
        }
        _ => Sign::Revealed,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reciprocals_and_bit_operations_reveal_signs() {
        for op in [AluOp::RecipIeee, AluOp::RecipsqrtIeee, AluOp::Flt32ToFlt16, AluOp::AndInt] {
            assert_eq!(sign_of(op, 0), Sign::Revealed, "{op:?}");
        }
        for op in [AluOp::Add, AluOp::MuladdIeee, AluOp::Max, AluOp::Mov, AluOp::SqrtIeee] {
            assert_eq!(sign_of(op, 0), Sign::Passed, "{op:?}");
        }
        for op in [AluOp::SetgtDx10, AluOp::Sete, AluOp::PredSetgt, AluOp::FltToInt] {
            assert_eq!(sign_of(op, 0), Sign::Ignored, "{op:?}");
        }
        let selects = [AluOp::Cndgt, AluOp::CndeInt].map(|op| [0, 1, 2].map(|n| sign_of(op, n)));
        let passed = Sign::Passed;
        assert_eq!(selects, [[Sign::Ignored, passed, passed], [Sign::Revealed, passed, passed]]);
    }
}
