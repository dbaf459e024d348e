//! Sine and cosine.

use r600_isa::{AluOp, Generation};

use crate::ssa::Operand;

use super::Lowering;

/// 1/2π, rounded as the hardware's documentation has it.
const REVOLUTIONS: Operand = Operand::constant(0x3E22_F983);
/// 2π.
const FULL_TURN: Operand = Operand::constant(0x40C9_0FDB);
/// π.
const HALF_TURN: Operand = Operand::constant(0x4049_0FDB);

impl Lowering<'_> {
    /// `op` (sine or cosine) of an angle in radians.
    ///
    /// The hardware requires an angle that is reduced to one turn. The R600 class takes radians within half a turn of
    /// zero. Later chips take up to 256 revolutions of either sign, so the fraction of a revolution needs no further
    /// change.
    pub(super) fn trigonometric(&mut self, op: AluOp, angle: Operand) -> Operand {
        let reduced = match self.generation {
            Generation::R600 => {
                let turns = self.alu(AluOp::Muladd, &[angle, REVOLUTIONS, Operand::HALF]);
                let fraction = self.alu(AluOp::Fract, &[turns]);
                self.alu(AluOp::Muladd, &[fraction, FULL_TURN, HALF_TURN.negated()])
            }
            Generation::R700 | Generation::Evergreen | Generation::Cayman => {
                let turns = self.alu(AluOp::MulIeee, &[angle, REVOLUTIONS]);
                self.alu(AluOp::Fract, &[turns])
            }
        };
        self.alu(op, &[reduced])
    }
}
