//! Instructions that use the result of another slot of their own group.

use r600_isa::AluOp;

use super::{Operands, bits, float};

/// A function of a slot's operands and of the partner slot's result.
pub(crate) type ChainFn = fn(Operands, u32) -> u32;

/// Where a chained instruction finds its partner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Partner {
    /// The slot of the next higher channel.
    Next,
    /// Two slots higher: x takes z, y takes w.
    SecondNext,
}

/// The function of a chained instruction and its partner, or `None` for other instructions.
pub(crate) fn find(op: AluOp) -> Option<(ChainFn, Partner)> {
    find_next(op)
        .map(|f| (f, Partner::Next))
        .or_else(|| find_second_next(op).map(|f| (f, Partner::SecondNext)))
}

fn find_next(op: AluOp) -> Option<ChainFn> {
    Some(match op {
        AluOp::Dot => |s, next| float(s, next, |a, b, c| float::legacy_product(a, b) + c),
        AluOp::DotIeee => |s, next| float(s, next, |a, b, c| a * b + c),
        AluOp::BcntAccumPrevInt => |s, next| s[0].count_ones().wrapping_add(next),
        AluOp::SadAccumPrevUint => |s, next| bits::byte_distance(s).wrapping_add(next),
        _ => return None,
    })
}

fn find_second_next(op: AluOp) -> Option<ChainFn> {
    Some(match op {
        AluOp::MulPrev => |s, other| float(s, other, |a, _, c| float::legacy_product(a, c)),
        AluOp::MulIeeePrev => |s, other| float(s, other, |a, _, c| a * c),
        AluOp::AddPrev => |s, other| float(s, other, |a, _, c| a + c),
        AluOp::MuladdPrev => |s, other| float(s, other, |a, b, c| float::legacy_product(a, b) + c),
        AluOp::MuladdIeeePrev => |s, other| float(s, other, |a, b, c| a * b + c),
        _ => return None,
    })
}

fn float(s: Operands, other: u32, f: fn(f32, f32, f32) -> f32) -> u32 {
    f(f32::from_bits(s[0]), f32::from_bits(s[1]), f32::from_bits(other)).to_bits()
}
