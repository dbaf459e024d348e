//! Hardware capabilities: modifiers per operation, doubles per chip.

use r600_isa::{AluOp, Chip, Omod};

use crate::ssa::{AluInst, InstData, Operand};

/// Whether operation `op` can take `operand` with its modifiers.
///
/// Float operations with one or two sources have both modifiers, those with three only negation. A move passes bits,
/// but counts as a float operation once it has a modifier (notes to the ALU table, rules 1 and 3).
pub(crate) fn accepts(op: AluOp, operand: Operand) -> bool {
    if !operand.has_modifier() {
        return true;
    }
    op.takes_negation() && (!operand.abs || !op.is_op3())
}

/// Whether the instruction of `data` can take `operand` with its modifiers as its operand number `n`, in the
/// order of [`InstData::for_each_operand`].
///
/// Selection inserts moves for operands that fetches, exports, memory and arrays cannot read directly. Only the high
/// half of a double has a sign.
pub(crate) fn accepts_at(data: &InstData, n: usize, operand: Operand) -> bool {
    if !operand.has_modifier() {
        return true;
    }
    match data {
        InstData::Alu(alu) => accepts(alu.op, operand),
        InstData::Double(double) => n % 2 == 1 && accepts(double.op, operand),
        InstData::Interp(_) | InstData::Counter(_) | InstData::Event(_) | InstData::Barrier => {
            false
        }
        InstData::Dot(_)
        | InstData::Cube(_)
        | InstData::Fetch(_)
        | InstData::Export(_)
        | InstData::Load(_)
        | InstData::Store(..)
        | InstData::Memory(_)
        | InstData::Local(_) => true,
    }
}

/// Whether the hardware has `inst` with all its modifiers.
pub(crate) fn is_possible(inst: &AluInst) -> bool {
    let scales = takes_clamp(inst.op) && !inst.op.is_op3();
    inst.src.iter().all(|&src| accepts(inst.op, src))
        && (inst.omod == Omod::None || scales)
        && (!inst.clamp || takes_clamp(inst.op))
}

/// Whether a chip has Evergreen's and Cayman's double instructions and fused multiply-adds. Earlier chips have a few
/// double instructions of their own.
pub(crate) fn has_doubles(chip: Chip) -> bool {
    chip.has_op(AluOp::Fma)
}

/// Whether operation `op` can clamp its result to 0…1.
pub(crate) fn takes_clamp(op: AluOp) -> bool {
    op == AluOp::Mov || op.takes_clamp()
}
