//! Builds the replacement of a row.

use arrayvec::ArrayVec;
use r600_isa::Omod;

use crate::legal;
use crate::ssa::{AluInst, Function, Operand, Value};

use super::found::Match;
use super::table::{Made, Output};
use super::{Last, Step, step};

/// The instructions for `made`, the last of which has `output`; `None` if the hardware lacks one of them.
pub(super) fn build(
    function: &Function,
    made: &Made,
    output: Output,
    found: &Match,
) -> Option<(ArrayVec<Step, 4>, Last)> {
    let mut builder = Builder { function, found, steps: ArrayVec::new() };
    let last = match made {
        Made::Inst { .. } | Made::Same { .. } => Last::Inst(builder.inst(made, output)?),
        _ => Last::Operand(builder.operand(made)?),
    };
    Some((builder.steps, last))
}

struct Builder<'a> {
    function: &'a Function,
    found: &'a Match,
    steps: ArrayVec<Step, 4>,
}

impl Builder<'_> {
    /// The instruction for `made`, with `outer` applied after its own output modifiers.
    fn inst(&mut self, made: &Made, outer: Output) -> Option<AluInst> {
        let (mut inst, own) = match made {
            Made::Inst { op, output, args } => {
                let mut src = ArrayVec::new();
                for arg in *args {
                    src.try_push(self.operand(arg)?).ok()?;
                }
                (AluInst { op: *op, src, omod: Omod::None, clamp: false }, *output)
            }
            Made::Same { of, output } => {
                let def = self.function.def_alu(self.found.get(*of)?)?;
                let own = Output { omod: def.omod, clamp: def.clamp }.then(*output)?;
                (def.clone(), own)
            }
            Made::Operand { .. } | Made::Bits(_) | Made::Computed(..) => return None,
        };
        let output = own.then(outer)?;
        (inst.omod, inst.clamp) = (output.omod, output.clamp);
        legal::is_possible(&inst).then_some(inst)
    }

    /// The result of `made`, for which a step is added.
    fn step(&mut self, made: &Made, instead: Option<Value>) -> Option<Operand> {
        let inst = self.inst(made, Output::default())?;
        self.steps.try_push(Step { inst, instead }).ok()?;
        Some(Operand::value(step(self.steps.len() - 1)))
    }

    fn operand(&mut self, made: &Made) -> Option<Operand> {
        match *made {
            Made::Operand { of, neg, abs } => Some(self.found.get(of)?.modified(neg, abs)),
            Made::Bits(bits) => Some(Operand::constant(bits)),
            Made::Computed(function, of) => {
                Some(Operand::constant(function(self.found.get(of)?.as_const()?)))
            }
            Made::Inst { .. } => self.step(made, None),
            Made::Same { of, .. } => {
                let read = self.found.get(of)?;
                let result = self.step(made, Some(read.as_value()?))?;
                Some(result.modified(read.neg, read.abs))
            }
        }
    }
}
