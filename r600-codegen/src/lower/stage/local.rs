//! The local data share: memory shared by the invocations of a work group or by the tessellation stages.

use arrayvec::ArrayVec;
use r600_isa::{AluOp, LdsAccess, LdsOp};

use crate::ssa::{InstData, LocalEffect, LocalInst, Operand};

use super::super::Lowering;

/// Bytes of a dword.
const DWORD: i32 = 4;

impl Lowering<'_> {
    /// The dword at byte `address`.
    pub(super) fn load_local(&mut self, address: Operand) -> Operand {
        let read = local(LdsOp::LdsReadRet, &[address], LocalEffect::Reads);
        Operand::value(self.emit(read)[0])
    }

    /// Writes the dword at byte `address`.
    pub(super) fn store_local(&mut self, address: Operand, value: Operand) {
        self.emit(local(LdsOp::LdsWrite, &[address, value], LocalEffect::Writes));
    }

    /// Changes the dword at the address that comes first in `src`; returns the old value.
    pub(super) fn change_local(&mut self, op: LdsOp, src: &[Operand]) -> Operand {
        Operand::value(self.emit(local(op, src, LocalEffect::ReadsAndWrites))[0])
    }

    /// The address of the `n`-th dword from `address` on.
    pub(super) fn dword_address(&mut self, address: Operand, n: usize) -> Operand {
        match n {
            0 => address,
            _ => self.alu(AluOp::AddInt, &[address, Operand::int(DWORD * n as i32)]),
        }
    }
}

fn local(op: LdsOp, src: &[Operand], effect: LocalEffect) -> InstData {
    let src: ArrayVec<Operand, 3> = src.iter().copied().collect();
    InstData::Local(LocalInst { access: LdsAccess { op, offset: 0 }, src, effect })
}
