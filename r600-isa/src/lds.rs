//! Operations of the local data share, which are ALU instructions on Evergreen and Cayman.
//!
//! One three-source opcode, `LDS_IDX_OP`, encodes them all. The destination and modifier bits hold the operation and an
//! offset. [`AluInst::lds`] reads them, and [`AluInst::set_lds`] writes them.

use crate::generated::lds::{LDS_DOC, LDS_INFO};
use crate::{AluInst, AluOp, LdsOp};

/// Table entry of an operation.
#[derive(Clone, Copy, Debug)]
pub struct LdsInfo {
    /// Name in listings.
    pub name: &'static str,
    /// Its number.
    pub opcode: u8,
    /// Sources that are read: the address first.
    pub num_src: u8,
    /// Values pushed to queues A and B.
    pub returns: [u8; 2],
}

impl LdsOp {
    /// Its table entry.
    pub fn info(self) -> &'static LdsInfo {
        &LDS_INFO[self as usize]
    }

    /// Name in listings.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// One-line description.
    pub fn doc(self) -> &'static str {
        LDS_DOC[self as usize]
    }

    /// Values pushed to output queues A and B.
    pub fn returns(self) -> [u8; 2] {
        self.info().returns
    }

    /// The operation with this number.
    pub fn from_opcode(opcode: u8) -> Option<Self> {
        Self::ALL.into_iter().find(|op| op.info().opcode == opcode)
    }
}

/// An access to local memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LdsAccess {
    /// The operation.
    pub op: LdsOp,
    /// Distance of a second address, in dwords, 0 to 63.
    pub offset: u8,
}

impl AluInst {
    /// The local memory access of the instruction; `None` for other operations and for unknown operation numbers.
    pub fn lds(&self) -> Option<LdsAccess> {
        if self.op != AluOp::LdsIdxOp {
            return None;
        }
        let op = LdsOp::from_opcode(self.dst.gpr & 63)?;
        let bits = [
            self.dst.gpr >> 6 & 1 != 0,
            self.src[2].neg,
            self.dst.rel,
            self.dst.clamp,
            self.src[0].neg,
            self.src[1].neg,
        ];
        let offset = bits.iter().rev().fold(0, |offset, bit| offset << 1 | u8::from(*bit));
        Some(LdsAccess { op, offset })
    }

    /// Turns the instruction into this local memory access.
    pub fn set_lds(&mut self, access: LdsAccess) {
        let bit = |n: u8| access.offset >> n & 1 != 0;
        self.op = AluOp::LdsIdxOp;
        self.dst.gpr = access.op.info().opcode | u8::from(bit(0)) << 6;
        (self.src[2].neg, self.dst.rel, self.dst.clamp) = (bit(1), bit(2), bit(3));
        (self.src[0].neg, self.src[1].neg) = (bit(4), bit(5));
    }

    /// Sources that are read.
    pub fn num_src(&self) -> usize {
        self.lds().map_or(self.op.num_src(), |access| usize::from(access.op.info().num_src))
    }
}
