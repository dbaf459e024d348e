//! 64-bit numbers, and operations with two results.

use spirv::Op;

use super::generate::Writer;
use super::module::Id;
use super::types::Ty;

impl Writer {
    /// Whether the module has 64-bit numbers.
    pub(super) fn is_wide(&self) -> bool {
        self.types.contains(&Ty::Long)
    }

    /// One of two types. The wide one is possible only if the module has 64-bit numbers.
    pub(super) fn narrow_or_wide(&mut self, narrow: Ty, wide: Ty) -> Ty {
        if self.is_wide() && self.random.once_in(2) { wide } else { narrow }
    }

    pub(super) fn long(&mut self) -> Id {
        let ty = Ty::Long;
        match self.random.below(14) {
            0 => {
                let op = self.random.pick(&[Op::Not, Op::SNegate]);
                let a = self.pick(ty);
                self.result(op, ty, &[a])
            }
            1 | 2 => {
                let op = self.random.pick(&[
                    Op::ShiftLeftLogical,
                    Op::ShiftRightLogical,
                    Op::ShiftRightArithmetic,
                ]);
                let by = self.random.below(64) as u32;
                let (a, by) = (self.pick(ty), self.module.constant(Ty::Int, by));
                self.result(op, ty, &[a, by])
            }
            3 => self.select(ty),
            4 => self.part(Ty::Longs, ty),
            5 | 6 => {
                let op = self.random.pick(&[Op::UConvert, Op::SConvert]);
                let a = self.pick(Ty::Int);
                self.result(op, ty, &[a])
            }
            7 => {
                let a = self.pick(Ty::Words);
                self.result(Op::Bitcast, ty, &[a])
            }
            8 => {
                let (whole, at) = (self.pick(Ty::LongCarry), self.random.below(2) as u32);
                self.result(Op::CompositeExtract, ty, &[whole, at])
            }
            9 => {
                let op = self.random.pick(&[Op::UDiv, Op::UMod, Op::SDiv, Op::SRem]);
                let by = 1 + self.random.below(9) as u32;
                let (a, by) = (self.pick(ty), self.module.constant(ty, by));
                self.result(op, ty, &[a, by])
            }
            10 => self.integer_of_glsl(ty),
            _ => {
                let op = self.random.pick(&[
                    Op::IAdd,
                    Op::ISub,
                    Op::IMul,
                    Op::BitwiseAnd,
                    Op::BitwiseOr,
                    Op::BitwiseXor,
                ]);
                let [a, b] = [self.pick(ty), self.pick(ty)];
                self.result(op, ty, &[a, b])
            }
        }
    }

    pub(super) fn double(&mut self) -> Id {
        let ty = Ty::Double;
        match self.random.below(10) {
            0 => {
                let a = self.pick(ty);
                self.result(Op::FNegate, ty, &[a])
            }
            1 => {
                let op = self.random.pick(&[Op::ConvertSToF, Op::ConvertUToF]);
                let a = self.pick(Ty::Int);
                self.result(op, ty, &[a])
            }
            2 => self.select(ty),
            3 => self.part(Ty::Doubles, ty),
            4 => {
                let a = self.pick(Ty::Float);
                self.result(Op::FConvert, ty, &[a])
            }
            5 => self.packed(),
            6 => self.float_of_glsl(ty),
            _ => {
                let [a, b] = [self.pick(ty), self.pick(ty)];
                let op = self.random.pick(&[Op::FAdd, Op::FSub, Op::FMul]);
                self.result(op, ty, &[a, b])
            }
        }
    }

    /// A double between 1 and 2, made from bits.
    fn packed(&mut self) -> Id {
        let [fraction, exponent] = [0xf_ffff, 0x3ff0_0000];
        let [low, high] = [self.pick(Ty::Int), self.pick(Ty::Int)];
        let fraction = self.module.constant(Ty::Int, fraction);
        let exponent = self.module.constant(Ty::Int, exponent);
        let high = self.result(Op::BitwiseAnd, Ty::Int, &[high, fraction]);
        let high = self.result(Op::BitwiseOr, Ty::Int, &[high, exponent]);
        let words = self.result(Op::CompositeConstruct, Ty::Words, &[low, high]);
        self.result(Op::Bitcast, Ty::Double, &[words])
    }

    /// An operation with two results.
    pub(super) fn two_results(&mut self, ty: Ty) -> Id {
        if ty == Ty::Modf {
            let a = self.pick(Ty::Float);
            return self.of_glsl(spirv::GlslStd450Op::ModfStruct, ty, &[a]);
        }
        let of = ty.parts()[0];
        let [a, b] = [self.pick(of), self.pick(of)];
        let op = match of {
            Ty::Long => self.random.pick(&[Op::IAddCarry, Op::ISubBorrow]),
            _ => {
                let all = [Op::IAddCarry, Op::ISubBorrow, Op::UMulExtended, Op::SMulExtended];
                self.random.pick(&all)
            }
        };
        self.result(op, ty, &[a, b])
    }
}
