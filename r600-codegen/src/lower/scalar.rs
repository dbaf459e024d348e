//! Float sequences: selection, interpolation, powers, dot products and legacy fixed-function operations.

use r600_isa::AluOp;
use tgsi_ir::{Component, Instruction};

use crate::ssa::{DotInst, InstData, Operand};

use super::{LowerError, Lowering};

/// The four results of an instruction, `None` where a channel is not written.
type Channels = [Option<Operand>; 4];

impl Lowering<'_> {
    /// `a < 0 ? b : c`; a NaN selects c, as an ordered comparison with 0 does.
    pub(super) fn compare_select(&mut self, src: &[Operand]) -> Operand {
        // CNDGT tests 0 < −a. CNDGE with swapped arms would select b for a NaN.
        self.alu(AluOp::Cndgt, &[src[0].negated(), src[1], src[2]])
    }

    /// `a·(b − c) + c`, in the order of TGSI's formula.
    pub(super) fn interpolate(&mut self, src: &[Operand]) -> Operand {
        let difference = self.alu(AluOp::Add, &[src[1], src[2].negated()]);
        self.alu(self.muladd_op(), &[src[0], difference, src[2]])
    }

    /// −1, 0 or 1 by sign; a NaN gives 0.
    pub(super) fn float_sign(&mut self, src: &[Operand]) -> Operand {
        let positive = self.alu(AluOp::Setgt, &[src[0], Operand::ZERO]);
        let negative = self.alu(AluOp::Setgt, &[Operand::ZERO, src[0]]);
        self.alu(AluOp::Add, &[positive, negative.negated()])
    }

    /// The quotient by way of the reciprocal. That of two zeros is NaN, even if products of the shader with zero are
    /// zero.
    pub(super) fn float_divide(&mut self, src: &[Operand]) -> Operand {
        let reciprocal = self.alu(AluOp::RecipIeee, &[src[1]]);
        self.alu(AluOp::MulIeee, &[src[0], reciprocal])
    }

    /// `2^(b · log2 a)`. The product is the legacy one, so that 0⁰ is 1.
    pub(super) fn power(&mut self, src: &[Operand]) -> Operand {
        let log = self.alu(AluOp::LogIeee, &[src[0]]);
        let product = self.alu(AluOp::Mul, &[src[1], log]);
        self.alu(AluOp::ExpIeee, &[product])
    }

    /// The sum of the first `count` products, in every channel.
    pub(super) fn dot_product(
        &mut self,
        inst: &Instruction,
        count: usize,
    ) -> Result<Channels, LowerError> {
        let mut dot =
            DotInst { pairs: arrayvec::ArrayVec::new(), ieee: !self.zero_wins, clamp: false };
        for component in Component::ALL.into_iter().take(count) {
            let a = self.source(inst, 0, component)?;
            let b = self.source(inst, 1, component)?;
            dot.pairs.push([a, b]);
        }
        let value = self.emit(InstData::Dot(Box::new(dot)))[0];
        Ok([Some(Operand::value(value)); 4])
    }

    /// `DST`: (1, a.y·b.y, a.z, b.w).
    pub(super) fn distance(&mut self, inst: &Instruction) -> Result<Channels, LowerError> {
        let [ay, by] = [self.source(inst, 0, Component::Y)?, self.source(inst, 1, Component::Y)?];
        let y = self.alu(self.mul_op(), &[ay, by]);
        let z = self.source(inst, 0, Component::Z)?;
        let w = self.source(inst, 1, Component::W)?;
        Ok([Some(Operand::ONE), Some(y), Some(z), Some(w)])
    }

    /// `LIT`: (1, max(x, 0), x > 0 ? max(y, 0)^w : 0, 1), the exponent held within ±128.
    pub(super) fn lighting(&mut self, inst: &Instruction) -> Result<Channels, LowerError> {
        let x = self.source(inst, 0, Component::X)?;
        let y = self.source(inst, 0, Component::Y)?;
        let w = self.source(inst, 0, Component::W)?;
        let diffuse = self.alu(AluOp::MaxDx10, &[x, Operand::ZERO]);
        let base = self.alu(AluOp::MaxDx10, &[y, Operand::ZERO]);
        let limit = Operand::float(128.0);
        let exponent = self.alu(AluOp::MinDx10, &[w, limit]);
        let exponent = self.alu(AluOp::MaxDx10, &[exponent, limit.negated()]);
        let specular = self.power(&[base, exponent]);
        let specular = self.alu(AluOp::Cndgt, &[x, specular, Operand::ZERO]);
        Ok([Some(Operand::ONE), Some(diffuse), Some(specular), Some(Operand::ONE)])
    }

    /// `EXP`: (2^⌊x⌋, x − ⌊x⌋, 2^x, 1).
    pub(super) fn partial_exponential(
        &mut self,
        inst: &Instruction,
    ) -> Result<Channels, LowerError> {
        let x = self.source(inst, 0, Component::X)?;
        let floor = self.alu(AluOp::Floor, &[x]);
        let whole = self.alu(AluOp::ExpIeee, &[floor]);
        let fraction = self.alu(AluOp::Add, &[x, floor.negated()]);
        let full = self.alu(AluOp::ExpIeee, &[x]);
        Ok([Some(whole), Some(fraction), Some(full), Some(Operand::ONE)])
    }

    /// `LOG`: (⌊log2 |x|⌋, |x| / 2^⌊log2 |x|⌋, log2 |x|, 1); the quotient of x = 0 is 0.
    pub(super) fn partial_logarithm(&mut self, inst: &Instruction) -> Result<Channels, LowerError> {
        let x = self.source(inst, 0, Component::X)?.absolute();
        let log = self.alu(AluOp::LogIeee, &[x]);
        let floor = self.alu(AluOp::Floor, &[log]);
        // The power may not fit a float, so the division takes two steps. The legacy product makes 0 · ∞ zero.
        let half = self.alu(AluOp::Mul, &[floor, Operand::HALF]);
        let half = self.alu(AluOp::Floor, &[half]);
        let rest = self.alu(AluOp::Add, &[floor, half.negated()]);
        let mantissa = [half, rest].into_iter().fold(x, |value, exponent| {
            let scale = self.alu(AluOp::ExpIeee, &[exponent.negated()]);
            self.alu(AluOp::Mul, &[value, scale])
        });
        Ok([Some(floor), Some(mantissa), Some(log), Some(Operand::ONE)])
    }
}
