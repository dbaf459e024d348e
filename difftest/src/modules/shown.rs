//! Code at the end of a module that shows every available value, so that none is dead.

use spirv::Op;

use super::generate::{Variable, Writer};
use super::module::Id;
use super::types::Ty;

impl Writer {
    /// Folds all available integers into the integer outputs, and all floats into the float outputs.
    pub(super) fn show_all(&mut self, globals: &[Variable]) {
        let mut ints = self.module.constant(Ty::Int, 0);
        let mut floats = self.module.constant(Ty::Float, 0);
        let factor = self.module.constant(Ty::Int, 31);
        for (ty, id) in self.values.clone() {
            let mut numbers = Vec::new();
            self.numbers(ty, id, &mut numbers);
            for (ty, id) in numbers {
                match ty {
                    Ty::Int => {
                        let turned = self.result(Op::IMul, ty, &[ints, factor]);
                        ints = self.result(Op::BitwiseXor, ty, &[turned, id]);
                    }
                    // A NaN is skipped, since it would hide all other values.
                    _ => {
                        let is_number = self.result(Op::FOrdEqual, Ty::Bool, &[id, id]);
                        let number = self.result(Op::Select, ty, &[is_number, id, floats]);
                        floats = self.result(Op::FSub, ty, &[number, floats]);
                    }
                }
            }
        }
        for &variable in globals.iter().filter(|it| matches!(it.ty, Ty::Ints | Ty::Floats)) {
            let ty = variable.ty;
            let value = if ty == Ty::Ints { ints } else { floats };
            let all: Vec<Id> = ty.parts().iter().map(|_| value).collect();
            let all = self.result(Op::CompositeConstruct, ty, &all);
            let place = self.whole(variable);
            self.function.push(Op::Store, &[place, all]);
        }
    }

    /// Lists the integers and floats that make up a value.
    fn numbers(&mut self, ty: Ty, id: Id, numbers: &mut Vec<(Ty, Id)>) {
        match ty {
            Ty::Int | Ty::Float => numbers.push((ty, id)),
            Ty::Bool => {
                let [one, zero] = [1, 0].map(|bits| self.module.constant(Ty::Int, bits));
                numbers.push((Ty::Int, self.result(Op::Select, Ty::Int, &[id, one, zero])));
            }
            Ty::Long => {
                let words = self.result(Op::Bitcast, Ty::Words, &[id]);
                self.numbers(Ty::Words, words, numbers);
            }
            Ty::Double => {
                let float = self.result(Op::FConvert, Ty::Float, &[id]);
                numbers.push((Ty::Float, float));
            }
            _ => {
                for (n, &part) in (0..).zip(ty.parts()) {
                    let id = self.result(Op::CompositeExtract, part, &[id, n]);
                    self.numbers(part, id, numbers);
                }
            }
        }
    }
}
