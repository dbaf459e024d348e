//! GLSL functions and bit-field operations with exact results.

use spirv::{GlslStd450Op as GLOp, Op};

use super::generate::Writer;
use super::module::Id;
use super::types::Ty;

impl Writer {
    pub(super) fn of_glsl(&mut self, function: GLOp, ty: Ty, operands: &[Id]) -> Id {
        let mut all = vec![self.module.glsl(), function as u32];
        all.extend(operands);
        self.result(Op::ExtInst, ty, &all)
    }

    /// A GLSL function of 32-bit or 64-bit integers.
    pub(super) fn integer_of_glsl(&mut self, ty: Ty) -> Id {
        let unary = match ty {
            Ty::Long => &[GLOp::SAbs, GLOp::SSign][..],
            _ => &[GLOp::SAbs, GLOp::SSign, GLOp::FindILsb, GLOp::FindSMsb, GLOp::FindUMsb],
        };
        let binary = [GLOp::SMin, GLOp::SMax, GLOp::UMin, GLOp::UMax];
        let a = self.pick(ty);
        if self.random.once_in(2) {
            let function = self.random.pick(unary);
            return self.of_glsl(function, ty, &[a]);
        }
        let (b, function) = (self.pick(ty), self.random.pick(&binary));
        self.of_glsl(function, ty, &[a, b])
    }

    /// A function of floats or doubles whose result for a NaN is defined.
    pub(super) fn float_of_glsl(&mut self, ty: Ty) -> Id {
        let unary = [GLOp::FAbs, GLOp::Floor, GLOp::Ceil, GLOp::Trunc, GLOp::RoundEven];
        let a = self.pick(ty);
        if self.random.once_in(2) {
            let function = self.random.pick(&unary);
            return self.of_glsl(function, ty, &[a]);
        }
        let (b, function) = (self.pick(ty), self.random.pick(&[GLOp::NMin, GLOp::NMax]));
        self.of_glsl(function, ty, &[a, b])
    }

    /// Extracts or inserts a bit field.
    pub(super) fn field(&mut self) -> Id {
        let a = self.pick(Ty::Int);
        let first = self.random.below(33) as u32;
        let count = self.random.below(33 - first as usize) as u32;
        let [first, count] = [first, count].map(|n| self.module.constant(Ty::Int, n));
        match self.random.below(5) {
            0 => self.result(Op::BitCount, Ty::Int, &[a]),
            1 => self.result(Op::BitReverse, Ty::Int, &[a]),
            2 => self.result(Op::BitFieldUExtract, Ty::Int, &[a, first, count]),
            3 => self.result(Op::BitFieldSExtract, Ty::Int, &[a, first, count]),
            _ => {
                let b = self.pick(Ty::Int);
                self.result(Op::BitFieldInsert, Ty::Int, &[a, b, first, count])
            }
        }
    }
}
