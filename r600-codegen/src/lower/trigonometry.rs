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
    /// The hardware wants the angle reduced to one turn about zero: in radians on the R600 class, in
    /// revolutions later.
    pub(super) fn trigonometric(&mut self, op: AluOp, angle: Operand) -> Operand {
        let turns = self.alu(AluOp::Muladd, &[angle, REVOLUTIONS, Operand::HALF]);
        let fraction = self.alu(AluOp::Fract, &[turns]);
        let reduced = match self.generation {
            Generation::R600 => {
                self.alu(AluOp::Muladd, &[fraction, FULL_TURN, HALF_TURN.negated()])
            }
            Generation::R700 | Generation::Evergreen | Generation::Cayman => {
                self.alu(AluOp::Add, &[fraction, Operand::HALF.negated()])
            }
        };
        self.alu(op, &[reduced])
    }
}
