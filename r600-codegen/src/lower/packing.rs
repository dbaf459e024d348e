//! Small numbers packed into words: half floats, and 8- and 16-bit fractions.

use r600_isa::AluOp;
use tgsi_ir::{Component, Instruction};

use crate::ssa::Operand;

use super::{LowerError, Lowering};

/// The four results of an instruction, `None` where a channel is not written.
type Channels = [Option<Operand>; 4];

/// A format of fractions.
#[derive(Clone, Copy, Debug)]
struct Fractions {
    bits: i32,
    is_signed: bool,
    /// The integer that stands for 1.
    one: u16,
    /// Its reciprocal in two parts: a power of two, and the rest. The sum of the products with both gives every
    /// quotient correctly rounded.
    reciprocal: [u32; 2],
}

const UNORM16: Fractions =
    Fractions { bits: 16, is_signed: false, one: 65535, reciprocal: [0x3780_0000, 0x2F80_0080] };
const UNORM8: Fractions =
    Fractions { bits: 8, is_signed: false, one: 255, reciprocal: [0x3B80_0000, 0x3780_8081] };
const SNORM8: Fractions =
    Fractions { bits: 8, is_signed: true, one: 127, reciprocal: [0x3C00_0000, 0x3881_0204] };

impl Lowering<'_> {
    pub(super) fn pack_unorm16(&mut self, inst: &Instruction) -> Result<Channels, LowerError> {
        self.pack(inst, UNORM16)
    }

    pub(super) fn pack_unorm8(&mut self, inst: &Instruction) -> Result<Channels, LowerError> {
        self.pack(inst, UNORM8)
    }

    pub(super) fn pack_snorm8(&mut self, inst: &Instruction) -> Result<Channels, LowerError> {
        self.pack(inst, SNORM8)
    }

    pub(super) fn unpack_unorm16(&mut self, inst: &Instruction) -> Result<Channels, LowerError> {
        self.unpack(inst, UNORM16)
    }

    pub(super) fn unpack_unorm8(&mut self, inst: &Instruction) -> Result<Channels, LowerError> {
        self.unpack(inst, UNORM8)
    }

    pub(super) fn unpack_snorm8(&mut self, inst: &Instruction) -> Result<Channels, LowerError> {
        self.unpack(inst, SNORM8)
    }

    fn pack(&mut self, inst: &Instruction, format: Fractions) -> Result<Channels, LowerError> {
        let mut word = None;
        let count = (32 / format.bits) as usize;
        for (n, component) in (0..).zip(Component::ALL).take(count) {
            let value = self.source(inst, 0, component)?;
            let field = self.fraction_of_float(value, format);
            word = Some(self.with_field(word, field, n * format.bits));
        }
        Ok([word; 4])
    }

    /// `word` with `field` inserted at bit `lo`, where it has only zeros.
    fn with_field(&mut self, word: Option<Operand>, field: Operand, lo: i32) -> Operand {
        let Some(word) = word else { return field };
        let moved = self.alu(AluOp::LshlInt, &[field, Operand::int(lo)]);
        self.alu(AluOp::OrInt, &[word, moved])
    }

    /// A float as a fraction. The clamp applies to the integer: conversions saturate and turn a NaN into 0.
    fn fraction_of_float(&mut self, value: Operand, format: Fractions) -> Operand {
        let one = i32::from(format.one);
        let scale = Operand::float(f32::from(format.one));
        let scaled = self.alu(AluOp::MulIeee, &[value, scale]);
        let rounded = self.alu(AluOp::Rndne, &[scaled]);
        let integer = self.alu(AluOp::FltToInt, &[rounded]);
        let least = if format.is_signed { -one } else { 0 };
        let raised = self.alu(AluOp::MaxInt, &[integer, Operand::int(least)]);
        let clamped = self.alu(AluOp::MinInt, &[raised, Operand::int(one)]);
        if format.is_signed {
            self.alu(AluOp::AndInt, &[clamped, low_bits(format.bits)])
        } else {
            clamped
        }
    }

    fn unpack(&mut self, inst: &Instruction, format: Fractions) -> Result<Channels, LowerError> {
        let word = self.source(inst, 0, Component::X)?;
        let mut channels = [None; 4];
        for component in super::arithmetic::mask(inst).iter() {
            let lo = component.index() as i32 * format.bits % 32;
            channels[component.index()] = Some(self.float_of_fraction(word, lo, format));
        }
        Ok(channels)
    }

    fn float_of_fraction(&mut self, word: Operand, lo: i32, format: Fractions) -> Operand {
        let above = 32 - lo - format.bits;
        let raised = self.alu(AluOp::LshlInt, &[word, Operand::int(above)]);
        let down = Operand::int(32 - format.bits);
        let number = if format.is_signed {
            let field = self.alu(AluOp::AshrInt, &[raised, down]);
            self.alu(AluOp::IntToFlt, &[field])
        } else {
            let field = self.alu(AluOp::LshrInt, &[raised, down]);
            self.alu(AluOp::UintToFlt, &[field])
        };
        let [coarse, rest] = format.reciprocal.map(Operand::constant);
        let rest = self.alu(AluOp::MulIeee, &[number, rest]);
        let fraction = self.alu(AluOp::MuladdIeee, &[number, coarse, rest]);
        if format.is_signed {
            // Two numbers stand for −1.
            self.alu(AluOp::MaxDx10, &[fraction, Operand::float(-1.0)])
        } else {
            fraction
        }
    }

    /// x and y as halves in one word.
    pub(super) fn pack_halves(&mut self, inst: &Instruction) -> Result<Channels, LowerError> {
        let [low, high] = [Component::X, Component::Y];
        let low = self.source(inst, 0, low)?;
        let low = self.half_from_float(low);
        let high = self.source(inst, 0, high)?;
        let high = self.half_from_float(high);
        Ok([Some(self.with_field(Some(low), high, 16)); 4])
    }

    /// The low half of a word in x and z, the high one in y and w.
    pub(super) fn unpack_halves(&mut self, inst: &Instruction) -> Result<Channels, LowerError> {
        let word = self.source(inst, 0, Component::X)?;
        let low = self.float_from_half(word);
        let high = self.alu(AluOp::LshrInt, &[word, Operand::int(16)]);
        let high = self.float_from_half(high);
        Ok([Some(low), Some(high), Some(low), Some(high)])
    }

    fn half_from_float(&mut self, value: Operand) -> Operand {
        if self.has_bit_ops() {
            return self.alu(AluOp::Flt32ToFlt16, &[value]);
        }
        let bits = if value.has_modifier() { self.copy(value) } else { value };
        let magnitude = self.alu(AluOp::AndInt, &[bits, Operand::int(i32::MAX)]);
        let sign = self.alu(AluOp::LshrInt, &[bits, Operand::int(16)]);
        let sign = self.alu(AluOp::AndInt, &[sign, Operand::int(0x8000)]);
        let normal = self.rebased_half(magnitude);
        // A sum with ½ has steps of 2⁻²⁴, like a half float below its least normal number.
        let sum = self.alu(AluOp::Add, &[magnitude, Operand::HALF]);
        let small = self.alu(AluOp::SubInt, &[sum, Operand::HALF]);
        let half = self.at_least(magnitude, 0x3880_0000, normal, small);
        let half = self.at_least(magnitude, 0x477F_F000, Operand::int(0x7C00), half);
        let half = self.at_least(magnitude, 0x7F80_0001, Operand::int(0x7E00), half);
        self.alu(AluOp::OrInt, &[half, sign])
    }

    /// `value ≥ limit ? above : below`, all integers.
    fn at_least(&mut self, value: Operand, limit: i32, above: Operand, below: Operand) -> Operand {
        let test = self.alu(AluOp::SetgeInt, &[value, Operand::int(limit)]);
        self.select_bits(test, above, below)
    }

    /// A normal float's magnitude with the exponent and fraction of a half, rounded to even.
    fn rebased_half(&mut self, magnitude: Operand) -> Operand {
        let shift = Operand::int(13);
        let last = self.alu(AluOp::LshrInt, &[magnitude, shift]);
        let last = self.alu(AluOp::AndInt, &[last, Operand::int(1)]);
        let biased = self.alu(AluOp::AddInt, &[magnitude, Operand::int(0xFFF)]);
        let rounded = self.alu(AluOp::AddInt, &[biased, last]);
        let moved = self.alu(AluOp::LshrInt, &[rounded, shift]);
        self.alu(AluOp::SubInt, &[moved, Operand::int((127 - 15) << 10)])
    }

    /// The half in the low bits of `word` as a float.
    fn float_from_half(&mut self, word: Operand) -> Operand {
        if self.has_bit_ops() {
            return self.alu(AluOp::Flt16ToFlt32, &[word]);
        }
        let magnitude = self.alu(AluOp::AndInt, &[word, Operand::int(0x7FFF)]);
        let moved = self.alu(AluOp::LshlInt, &[magnitude, Operand::int(13)]);
        let bias = Operand::int((127 - 15) << 23);
        let normal = self.alu(AluOp::AddInt, &[moved, bias]);
        let unbounded = self.alu(AluOp::AddInt, &[normal, bias]);
        let count = self.alu(AluOp::UintToFlt, &[magnitude]);
        let small = self.alu(AluOp::MulIeee, &[count, Operand::constant(0x3380_0000)]);
        let float = self.at_least(magnitude, 0x0400, normal, small);
        let float = self.at_least(magnitude, 0x7C00, unbounded, float);
        let sign = self.alu(AluOp::LshlInt, &[word, Operand::int(16)]);
        let sign = self.alu(AluOp::AndInt, &[sign, Operand::int(i32::MIN)]);
        self.alu(AluOp::OrInt, &[float, sign])
    }
}

/// A constant with ones in the low `count` bits.
fn low_bits(count: i32) -> Operand {
    Operand::int((1 << count) - 1)
}
