//! Bit fields, bit counts and bit positions.
//!
//! Evergreen and Cayman have instructions for them. Earlier chips build them from shifts, masks and the exponent of a
//! conversion to float.

use r600_isa::AluOp;

use crate::ssa::Operand;

use super::Lowering;

/// 31, the mask of a shift count.
const COUNT_MASK: Operand = Operand::int(31);
/// 32, the width of a value.
const WIDTH: Operand = Operand::int(32);
/// Position of a float's exponent, and its bias.
const EXPONENT_SHIFT: Operand = Operand::int(23);
const EXPONENT_BIAS: Operand = Operand::int(127);
/// All ones, that is −1: the result of a search that finds nothing.
const NONE: Operand = Operand::int(-1);

impl Lowering<'_> {
    /// Bits `offset` to `offset + width − 1` of a value, moved down.
    pub(super) fn unsigned_field(&mut self, src: &[Operand]) -> Operand {
        let [value, offset, width] = [src[0], src[1], src[2]];
        let field = if self.has_bit_ops() {
            self.alu(AluOp::BfeUint, &[value, offset, width])
        } else {
            let mask = self.low_mask(width);
            let moved = self.alu(AluOp::LshrInt, &[value, offset]);
            self.alu(AluOp::AndInt, &[moved, mask])
        };
        self.or_whole(field, value, offset, width)
    }

    /// The same, sign-extended.
    pub(super) fn signed_field(&mut self, src: &[Operand]) -> Operand {
        let [value, offset, width] = [src[0], src[1], src[2]];
        // A field that would reach beyond bit 31 ends there.
        let start = self.alu(AluOp::AndInt, &[offset, COUNT_MASK]);
        let wanted = self.alu(AluOp::AndInt, &[width, COUNT_MASK]);
        let room = self.alu(AluOp::SubInt, &[WIDTH, start]);
        let count = self.alu(AluOp::MinInt, &[wanted, room]);
        let above = self.alu(AluOp::SubInt, &[room, count]);
        let raised = self.alu(AluOp::LshlInt, &[value, above]);
        let below = self.alu(AluOp::SubInt, &[WIDTH, count]);
        let lowered = self.alu(AluOp::AshrInt, &[raised, below]);
        let field = self.select_bits(count, lowered, Operand::ZERO);
        self.or_whole(field, value, offset, width)
    }

    /// `field`, or all of `value` if 32 bits are wanted from bit 0 on.
    fn or_whole(
        &mut self,
        field: Operand,
        value: Operand,
        offset: Operand,
        width: Operand,
    ) -> Operand {
        let start = self.alu(AluOp::AndInt, &[offset, COUNT_MASK]);
        let is_less = self.alu(AluOp::XorInt, &[width, WIDTH]);
        let is_part = self.alu(AluOp::OrInt, &[start, is_less]);
        self.select_bits(is_part, field, value)
    }

    /// `insert` in bits `offset` to `offset + width − 1` of `base`.
    pub(super) fn insert_field(&mut self, src: &[Operand]) -> Operand {
        let [base, insert, offset, width] = [src[0], src[1], src[2], src[3]];
        let moved = self.alu(AluOp::LshlInt, &[insert, offset]);
        let result = if self.has_bit_ops() {
            let mask = self.alu(AluOp::BfmInt, &[width, offset]);
            self.alu(AluOp::BfiInt, &[mask, moved, base])
        } else {
            let mask = self.low_mask(width);
            let mask = self.alu(AluOp::LshlInt, &[mask, offset]);
            self.choose_bits(mask, moved, base)
        };
        let is_part = self.alu(AluOp::XorInt, &[width, WIDTH]);
        self.select_bits(is_part, result, insert)
    }

    /// The bits of `a` where `mask` has ones, else those of `b`.
    fn choose_bits(&mut self, mask: Operand, a: Operand, b: Operand) -> Operand {
        let kept = self.alu(AluOp::AndInt, &[a, mask]);
        let rest = self.alu(AluOp::NotInt, &[mask]);
        let rest = self.alu(AluOp::AndInt, &[b, rest]);
        self.alu(AluOp::OrInt, &[kept, rest])
    }

    /// A mask of low ones, as many as the low five bits of `width` say.
    fn low_mask(&mut self, width: Operand) -> Operand {
        let above = self.alu(AluOp::LshlInt, &[Operand::int(1), width]);
        self.alu(AluOp::AddInt, &[above, NONE])
    }

    /// The bits in reverse order.
    pub(super) fn reversed_bits(&mut self, src: &[Operand]) -> Operand {
        if self.has_bit_ops() {
            return self.alu(AluOp::BfrevInt, src);
        }
        let mut value = src[0];
        for (shift, mask) in
            [(1, 0x5555_5555), (2, 0x3333_3333), (4, 0x0F0F_0F0F), (8, 0x00FF_00FF)]
        {
            value = self.swapped_fields(value, shift, mask);
        }
        let high = self.alu(AluOp::LshlInt, &[value, Operand::int(16)]);
        let low = self.alu(AluOp::LshrInt, &[value, Operand::int(16)]);
        self.alu(AluOp::OrInt, &[high, low])
    }

    /// Neighbouring fields of `shift` bits exchanged; `mask` has ones in the lower of each two.
    fn swapped_fields(&mut self, value: Operand, shift: i32, mask: u32) -> Operand {
        let (shift, mask) = (Operand::int(shift), Operand::constant(mask));
        let down = self.alu(AluOp::LshrInt, &[value, shift]);
        let low = self.alu(AluOp::AndInt, &[down, mask]);
        let up = self.alu(AluOp::AndInt, &[value, mask]);
        let high = self.alu(AluOp::LshlInt, &[up, shift]);
        self.alu(AluOp::OrInt, &[low, high])
    }

    /// Number of ones.
    pub(super) fn count_bits(&mut self, src: &[Operand]) -> Operand {
        if self.has_bit_ops() {
            return self.alu(AluOp::BcntInt, src);
        }
        let mut value = src[0];
        for (shift, mask) in [
            (1, 0x5555_5555),
            (2, 0x3333_3333),
            (4, 0x0F0F_0F0F),
            (8, 0x00FF_00FF),
            (16, 0x0000_FFFF),
        ] {
            let mask = Operand::constant(mask);
            let low = self.alu(AluOp::AndInt, &[value, mask]);
            let down = self.alu(AluOp::LshrInt, &[value, Operand::int(shift)]);
            let high = self.alu(AluOp::AndInt, &[down, mask]);
            value = self.alu(AluOp::AddInt, &[low, high]);
        }
        value
    }

    /// Position of the lowest one; −1 if there is none.
    pub(super) fn lowest_bit(&mut self, src: &[Operand]) -> Operand {
        if self.has_bit_ops() {
            return self.alu(AluOp::FfblInt, src);
        }
        let negated = self.alu(AluOp::SubInt, &[Operand::ZERO, src[0]]);
        let lowest = self.alu(AluOp::AndInt, &[src[0], negated]);
        self.exponent_of(lowest)
    }

    /// Position of the highest one; −1 if there is none.
    pub(super) fn highest_bit(&mut self, src: &[Operand]) -> Operand {
        if self.has_bit_ops() {
            let from_top = self.alu(AluOp::FfbhUint, src);
            let position = self.alu(AluOp::SubInt, &[COUNT_MASK, from_top]);
            return self.alu(AluOp::CndgeInt, &[from_top, position, from_top]);
        }
        // With the bit below the highest one cleared, the conversion cannot round up to the next power of two.
        let below = self.alu(AluOp::LshrInt, &[src[0], Operand::int(1)]);
        let others = self.alu(AluOp::NotInt, &[below]);
        let highest = self.alu(AluOp::AndInt, &[src[0], others]);
        self.exponent_of(highest)
    }

    /// Position of the highest bit that differs from the sign; −1 if there is none.
    pub(super) fn highest_signed_bit(&mut self, src: &[Operand]) -> Operand {
        let sign = self.alu(AluOp::AshrInt, &[src[0], COUNT_MASK]);
        let magnitude = self.alu(AluOp::XorInt, &[src[0], sign]);
        self.highest_bit(&[magnitude])
    }

    /// The exponent of an integer as a float; −1 for 0.
    fn exponent_of(&mut self, value: Operand) -> Operand {
        let float = self.alu(AluOp::UintToFlt, &[value]);
        let biased = self.alu(AluOp::LshrInt, &[float, EXPONENT_SHIFT]);
        let exponent = self.alu(AluOp::SubInt, &[biased, EXPONENT_BIAS]);
        self.select_bits(value, exponent, NONE)
    }

    /// `a · 2^b`, in three steps, each with a power that a normal float can hold.
    pub(super) fn scaled(&mut self, src: &[Operand]) -> Operand {
        let (mut value, mut left) = (src[0], src[1]);
        for _ in 0..3 {
            let at_most = self.alu(AluOp::MinInt, &[left, EXPONENT_BIAS]);
            let step = self.alu(AluOp::MaxInt, &[at_most, Operand::int(-126)]);
            left = self.alu(AluOp::SubInt, &[left, step]);
            let power = self.power_of_two(step);
            value = self.alu(AluOp::MulIeee, &[value, power]);
        }
        value
    }

    /// `2^exponent` for exponents from −126 to 127.
    pub(super) fn power_of_two(&mut self, exponent: Operand) -> Operand {
        let biased = self.alu(AluOp::AddInt, &[exponent, EXPONENT_BIAS]);
        self.alu(AluOp::LshlInt, &[biased, EXPONENT_SHIFT])
    }
}
