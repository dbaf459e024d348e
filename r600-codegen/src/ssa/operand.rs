//! Operands of SSA instructions.

use std::hash::{Hash, Hasher};

use r600_isa::Chan;

use super::Value;

/// The source of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Source {
    /// A value.
    Value(Value),
    /// The same 32 bits in every lane, known at compile time.
    Const(u32),
    /// The same 32 bits in every lane, known at run time: a channel of a constant buffer.
    Uniform {
        /// Constant buffer, 0 to 15.
        bank: u8,
        /// Vec4 in the buffer.
        index: u16,
        /// Channel.
        chan: Chan,
    },
}

/// A source with its modifiers. Absolute value is applied before negation, both to the float's sign bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Operand {
    /// What is read.
    pub source: Source,
    /// Flips the sign bit.
    pub neg: bool,
    /// Clears the sign bit.
    pub abs: bool,
}

const SIGN: u32 = 1 << 31;

impl Operand {
    /// 0, of any type.
    pub const ZERO: Self = Self::constant(0);
    /// 1.0.
    pub const ONE: Self = Self::constant(0x3F80_0000);
    /// 0.5.
    pub const HALF: Self = Self::constant(0x3F00_0000);

    /// A value, unmodified.
    #[inline]
    pub const fn value(value: Value) -> Self {
        Self { source: Source::Value(value), neg: false, abs: false }
    }

    /// A constant by its bits.
    #[inline]
    pub const fn constant(bits: u32) -> Self {
        Self { source: Source::Const(bits), neg: false, abs: false }
    }

    /// A constant float.
    #[inline]
    pub const fn float(value: f32) -> Self {
        Self::constant(value.to_bits())
    }

    /// A constant integer.
    #[inline]
    pub const fn int(value: i32) -> Self {
        Self::constant(value.cast_unsigned())
    }

    /// A channel of a constant buffer.
    #[inline]
    pub const fn uniform(bank: u8, index: u16, chan: Chan) -> Self {
        Self { source: Source::Uniform { bank, index, chan }, neg: false, abs: false }
    }

    /// The constant's bits with modifiers applied, if it is a constant.
    #[inline]
    pub const fn as_const(self) -> Option<u32> {
        let Source::Const(bits) = self.source else { return None };
        let bits = if self.abs { bits & !SIGN } else { bits };
        Some(if self.neg { bits ^ SIGN } else { bits })
    }

    /// The value read, with or without modifiers.
    #[inline]
    pub const fn as_value(self) -> Option<Value> {
        match self.source {
            Source::Value(value) => Some(value),
            Source::Const(_) | Source::Uniform { .. } => None,
        }
    }

    /// The value read, if it has no modifiers.
    #[inline]
    pub const fn as_plain_value(self) -> Option<Value> {
        if self.has_modifier() { None } else { self.as_value() }
    }

    /// Whether it has a modifier.
    #[inline]
    pub const fn has_modifier(self) -> bool {
        self.neg || self.abs
    }

    /// The float negated.
    #[inline]
    #[must_use]
    pub const fn negated(self) -> Self {
        self.modified(true, false)
    }

    /// The float's absolute value.
    #[inline]
    #[must_use]
    pub const fn absolute(self) -> Self {
        self.modified(false, true)
    }

    /// The same with `abs`, then `neg` applied on top of its own modifiers; folded for constants.
    #[must_use]
    pub const fn modified(self, neg: bool, abs: bool) -> Self {
        let inner_neg = self.neg && !abs;
        let out = Self { source: self.source, neg: inner_neg != neg, abs: self.abs || abs };
        match out.as_const() {
            Some(bits) => Self::constant(bits),
            None => out,
        }
    }

    /// Without modifiers.
    #[inline]
    #[must_use]
    pub const fn unmodified(self) -> Self {
        Self { source: self.source, neg: false, abs: false }
    }
}

/// Hashes in one step, where the derived implementation would take six: value numbering hashes every operand of a
/// shader.
impl Hash for Operand {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let (kind, bits) = match self.source {
            Source::Value(value) => (0, value.as_u32()),
            Source::Const(bits) => (1, bits),
            Source::Uniform { bank, index, chan } => {
                (2, u32::from(bank) << 24 | u32::from(index) << 8 | chan as u32)
            }
        };
        let form = kind << 2 | u64::from(self.neg) << 1 | u64::from(self.abs);
        state.write_u64(form << 32 | u64::from(bits));
    }
}

impl From<Value> for Operand {
    fn from(value: Value) -> Self {
        Self::value(value)
    }
}

#[cfg(test)]
mod tests {
    use cranelift_entity::EntityRef as _;

    use super::*;

    #[test]
    fn modifiers_compose_outermost_last() {
        let x = Operand::value(Value::new(0));
        assert_eq!(x.negated().negated(), x);
        assert_eq!(x.negated().absolute(), x.absolute());
        assert!(x.absolute().negated().neg && x.absolute().negated().abs);
        assert_eq!(Operand::float(-2.0).absolute().negated(), Operand::float(-2.0));
    }
}
