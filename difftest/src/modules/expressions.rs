//! Values: results of operations, and contents of variables.

use spirv::{Op, StorageClass};

use super::generate::{Callee, Variable, Writer};
use super::module::Id;
use super::types::Ty;

impl Writer {
    /// An instruction with a result.
    pub(super) fn result(&mut self, op: Op, ty: Ty, operands: &[u32]) -> Id {
        let (of, id) = (self.module.ty(ty), self.module.id());
        let mut all = vec![of, id];
        all.extend(operands);
        self.function.push(op, &all);
        id
    }

    /// An existing value, with a preference for recent ones, or a constant.
    pub(super) fn pick(&mut self, ty: Ty) -> Id {
        let known: Vec<Id> =
            self.values.iter().filter(|(one, _)| *one == ty).map(|&(_, id)| id).collect();
        if known.is_empty() || self.random.once_in(6) {
            let bits = self.random.below(7) as u32;
            return self.module.constant(ty, bits);
        }
        let recent = known.len().saturating_sub(3);
        if self.random.once_in(2) {
            self.random.pick(&known[recent..])
        } else {
            self.random.pick(&known)
        }
    }

    /// Computes a value of a random type, for later use.
    pub(super) fn expression(&mut self) {
        let ty = self.any_type();
        let id = match self.random.below(8) {
            0 | 1 => self.load(ty),
            2 => {
                let value = self.pick(ty);
                self.result(Op::CopyObject, ty, &[value])
            }
            _ => self.operation(ty),
        };
        self.values.push((ty, id));
    }

    fn operation(&mut self, ty: Ty) -> Id {
        match ty {
            Ty::Bool => self.truth(),
            Ty::Int => self.integer(),
            Ty::Float => self.float(),
            Ty::Long => self.long(),
            Ty::Double => self.double(),
            Ty::Carry | Ty::LongCarry | Ty::Modf if self.random.once_in(2) => self.two_results(ty),
            _ => self.composite(ty),
        }
    }

    /// A condition, which usually differs from lane to lane.
    pub(super) fn truth(&mut self) -> Id {
        let integers = [
            Op::IEqual,
            Op::INotEqual,
            Op::SLessThan,
            Op::SGreaterThanEqual,
            Op::ULessThan,
            Op::UGreaterThan,
        ];
        let floats = [
            Op::FOrdLessThan,
            Op::FUnordLessThan,
            Op::FOrdEqual,
            Op::FUnordNotEqual,
            Op::FOrdGreaterThanEqual,
        ];
        match self.random.below(6) {
            0 => {
                let [a, b] = [self.pick(Ty::Bool), self.pick(Ty::Bool)];
                let op = self.random.pick(&[Op::LogicalAnd, Op::LogicalOr, Op::LogicalNotEqual]);
                self.result(op, Ty::Bool, &[a, b])
            }
            1 => {
                let a = self.pick(Ty::Bool);
                self.result(Op::LogicalNot, Ty::Bool, &[a])
            }
            2 => {
                let ty = self.narrow_or_wide(Ty::Float, Ty::Double);
                let [a, b] = [self.pick(ty), self.pick(ty)];
                let op = self.random.pick(&floats);
                self.result(op, Ty::Bool, &[a, b])
            }
            _ => {
                let ty = self.narrow_or_wide(Ty::Int, Ty::Long);
                let [a, b] = [self.pick(ty), self.pick(ty)];
                let op = self.random.pick(&integers);
                self.result(op, Ty::Bool, &[a, b])
            }
        }
    }

    fn integer(&mut self) -> Id {
        let binary = [Op::IAdd, Op::ISub, Op::IMul, Op::BitwiseAnd, Op::BitwiseOr, Op::BitwiseXor];
        match self.random.below(16) {
            0 => {
                let op = self.random.pick(&[Op::Not, Op::SNegate]);
                let a = self.pick(Ty::Int);
                self.result(op, Ty::Int, &[a])
            }
            1 => {
                let op = self.random.pick(&[
                    Op::ShiftLeftLogical,
                    Op::ShiftRightLogical,
                    Op::ShiftRightArithmetic,
                    Op::SDiv,
                    Op::UMod,
                ]);
                let by = 1 + self.random.below(7) as u32;
                let (a, by) = (self.pick(Ty::Int), self.module.constant(Ty::Int, by));
                self.result(op, Ty::Int, &[a, by])
            }
            2 => self.select(Ty::Int),
            3 => self.part(Ty::Ints, Ty::Int),
            4 => {
                let whole = self.pick(Ty::Struct);
                self.result(Op::CompositeExtract, Ty::Int, &[whole, 0])
            }
            5 => {
                let (whole, at) = (self.pick(Ty::Carry), self.random.below(2) as u32);
                self.result(Op::CompositeExtract, Ty::Int, &[whole, at])
            }
            6 => self.part(Ty::Words, Ty::Int),
            7 => self.field(),
            8 | 9 => self.integer_of_glsl(Ty::Int),
            10 if self.is_wide() => {
                let long = self.pick(Ty::Long);
                let op = self.random.pick(&[Op::UConvert, Op::SConvert]);
                self.result(op, Ty::Int, &[long])
            }
            _ => {
                let [a, b] = [self.pick(Ty::Int), self.pick(Ty::Int)];
                let op = self.random.pick(&binary);
                self.result(op, Ty::Int, &[a, b])
            }
        }
    }

    fn float(&mut self) -> Id {
        match self.random.below(12) {
            0 => {
                let a = self.pick(Ty::Float);
                self.result(Op::FNegate, Ty::Float, &[a])
            }
            1 => {
                let (a, most) = (self.pick(Ty::Int), self.module.constant(Ty::Int, 15));
                let small = self.result(Op::BitwiseAnd, Ty::Int, &[a, most]);
                self.result(Op::ConvertSToF, Ty::Float, &[small])
            }
            2 => self.select(Ty::Float),
            3 => self.part(Ty::Floats, Ty::Float),
            4 => {
                let whole = self.pick(Ty::Struct);
                let channel = self.random.below(4) as u32;
                self.result(Op::CompositeExtract, Ty::Float, &[whole, 1, channel])
            }
            5 => {
                let (whole, at) = (self.pick(Ty::Modf), self.random.below(2) as u32);
                self.result(Op::CompositeExtract, Ty::Float, &[whole, at])
            }
            6 | 7 => self.float_of_glsl(Ty::Float),
            8 if self.is_wide() => {
                let double = self.pick(Ty::Double);
                self.result(Op::FConvert, Ty::Float, &[double])
            }
            _ => {
                let [a, b] = [self.pick(Ty::Float), self.pick(Ty::Float)];
                let op = self.random.pick(&[Op::FAdd, Op::FSub, Op::FMul]);
                self.result(op, Ty::Float, &[a, b])
            }
        }
    }

    pub(super) fn select(&mut self, ty: Ty) -> Id {
        let [test, a, b] = [self.pick(Ty::Bool), self.pick(ty), self.pick(ty)];
        self.result(Op::Select, ty, &[test, a, b])
    }

    /// A component, selected by a constant or a dynamic index.
    pub(super) fn part(&mut self, of: Ty, part: Ty) -> Id {
        let whole = self.pick(of);
        if self.random.once_in(2) {
            let at = self.random.below(of.parts().len()) as u32;
            return self.result(Op::CompositeExtract, part, &[whole, at]);
        }
        let at = self.subscript(of);
        self.result(Op::VectorExtractDynamic, part, &[whole, at])
    }

    /// A dynamic index of a part of a type.
    pub(super) fn subscript(&mut self, of: Ty) -> Id {
        self.below(of.parts().len() as u32)
    }

    /// A dynamic number below `len`. Half the time it is one that has been used before.
    pub(super) fn below(&mut self, len: u32) -> Id {
        let is_below = |id: &Id| self.bounds.get(id).is_some_and(|&bound| bound <= len);
        let known: Vec<Id> = self.values.iter().map(|&(_, id)| id).filter(is_below).collect();
        if !known.is_empty() && self.random.once_in(2) {
            return self.random.pick(&known);
        }
        self.new_below(len)
    }

    /// The same, always new.
    pub(super) fn new_below(&mut self, len: u32) -> Id {
        let (any, bound) = (self.pick(Ty::Int), self.module.constant(Ty::Int, len));
        let id = self.result(Op::UMod, Ty::Int, &[any, bound]);
        self.values.push((Ty::Int, id));
        self.bounds.insert(id, len);
        id
    }

    fn composite(&mut self, ty: Ty) -> Id {
        let is_vector = ty.is_vector();
        match self.random.below(6) {
            0 | 1 => {
                let parts: Vec<Id> = ty.parts().iter().map(|&part| self.pick(part)).collect();
                self.result(Op::CompositeConstruct, ty, &parts)
            }
            2 => {
                let at = self.random.below(ty.parts().len());
                let (part, whole) = (self.pick(ty.parts()[at]), self.pick(ty));
                self.result(Op::CompositeInsert, ty, &[part, whole, at as u32])
            }
            3 if is_vector => {
                let [a, b] = [self.pick(ty), self.pick(ty)];
                let mut operands = vec![a, b];
                for _ in ty.parts() {
                    operands.push(self.random.below(2 * ty.parts().len()) as u32);
                }
                self.result(Op::VectorShuffle, ty, &operands)
            }
            4 if is_vector => {
                let (whole, part, at) =
                    (self.pick(ty), self.pick(ty.parts()[0]), self.subscript(ty));
                self.result(Op::VectorInsertDynamic, ty, &[whole, part, at])
            }
            _ if is_vector => {
                let [a, b] = [self.pick(ty), self.pick(ty)];
                let op = match ty {
                    Ty::Words if self.is_wide() => {
                        let long = self.pick(Ty::Long);
                        return self.result(Op::Bitcast, ty, &[long]);
                    }
                    Ty::Words | Ty::Ints | Ty::Longs => {
                        self.random.pick(&[Op::IAdd, Op::ISub, Op::BitwiseXor])
                    }
                    _ => self.random.pick(&[Op::FAdd, Op::FSub, Op::FMul]),
                };
                self.result(op, ty, &[a, b])
            }
            _ => self.load(ty),
        }
    }

    /// Calls a function.
    pub(super) fn call(&mut self) {
        if self.callees.is_empty() {
            return self.store();
        }
        let callee: Callee = self.random.pick(&self.callees);
        let own = |one: &&Variable| one.ty == Ty::Int && one.class == StorageClass::Function;
        let own: Vec<Id> = self.variables.iter().filter(own).map(|one| one.id).collect();
        if own.is_empty() {
            return self.store();
        }
        let pointer = self.random.pick(&own);
        let [a, b] = [self.pick(Ty::Int), self.pick(Ty::Floats)];
        let id = self.result(Op::FunctionCall, callee.result, &[callee.id, a, b, pointer]);
        self.values.push((callee.result, id));
    }
}
