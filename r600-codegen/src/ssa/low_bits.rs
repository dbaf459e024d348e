//! Known low bits of integers whose other bits are unknown. For example, an index into an array of structures is a
//! multiple of the structure's size.

use r600_isa::{AluOp, Omod};

use super::{AluInst, Function, Operand};

/// The most operations that are looked through.
const MAX_DEPTH: usize = 4;

/// What is known of the low bits of a 32-bit integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LowBits {
    /// Number of known bits.
    count: u32,
    /// The known bits; all others are zero.
    bits: u32,
}

impl LowBits {
    /// Nothing is known.
    pub(crate) const NONE: Self = Self { count: 0, bits: 0 };

    /// The known low bits of `operand`.
    pub(crate) fn of(function: &Function, operand: Operand) -> Self {
        Self::within(function, operand, MAX_DEPTH)
    }

    /// Whether the integer may be `value`.
    pub(crate) fn allow(self, value: i32) -> bool {
        Self::first(self.count, value.cast_unsigned()) == self
    }

    /// The first `count` bits of `value`.
    fn first(count: u32, value: u32) -> Self {
        let count = count.min(32);
        let mask = u32::MAX.checked_shr(32 - count).unwrap_or(0);
        Self { count, bits: value & mask }
    }

    fn within(function: &Function, operand: Operand, depth: usize) -> Self {
        if let Some(value) = operand.as_const() {
            return Self::first(32, value);
        }
        match function.def_alu(operand) {
            Some(alu) if depth > 0 && !operand.has_modifier() => {
                Self::of_result(function, alu, depth - 1)
            }
            _ => Self::NONE,
        }
    }

    fn of_result(function: &Function, alu: &AluInst, depth: usize) -> Self {
        let source = |at: usize| Self::within(function, alu.src[at], depth);
        match alu.op {
            AluOp::Mov if alu.omod == Omod::default() && !alu.clamp => source(0),
            AluOp::AddInt => {
                let (a, b) = (source(0), source(1));
                Self::first(a.count.min(b.count), a.bits.wrapping_add(b.bits))
            }
            AluOp::LshlInt => match alu.src[1].as_const() {
                Some(by) => source(0).times(1 << (by & 31)),
                None => Self::NONE,
            },
            AluOp::MulloInt | AluOp::MulloUint => {
                let constant = |at: usize| alu.src[at].as_const();
                match (constant(0), constant(1)) {
                    (Some(factor), _) => source(1).times(factor),
                    (_, Some(factor)) => source(0).times(factor),
                    _ => Self::NONE,
                }
            }
            _ => Self::NONE,
        }
    }

    /// The product with `factor`. Each zero at the end of `factor` makes one more low bit known.
    fn times(self, factor: u32) -> Self {
        Self::first(self.count + factor.trailing_zeros(), self.bits.wrapping_mul(factor))
    }
}
