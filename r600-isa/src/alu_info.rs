//! Properties of ALU operations.

use crate::generated::alu::{ALU_DOC, ALU_INFO};
use crate::{AluOp, CompareType, Condition, Generation, ResultType, Slots, SourceType};

impl SourceType {
    /// Whether negation and absolute value are meaningful.
    pub const fn has_sign_bit(self) -> bool {
        !matches!(self, Self::Int | Self::Uint | Self::None)
    }
}

/// A set of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AluFlags(u32);

impl AluFlags {
    /// No property.
    pub const NONE: Self = Self(0);

    /// The property with this number.
    pub(crate) const fn bit(number: u8) -> Self {
        Self(1 << number)
    }

    /// The union of both sets.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether `other` is a subset.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// Table entry of an operation.
#[derive(Clone, Copy, Debug)]
pub struct AluInfo {
    /// Name in listings.
    pub name: &'static str,
    /// Number of sources read.
    pub num_src: u8,
    /// Type of the sources.
    pub source: SourceType,
    /// Whether it has the three-source encoding.
    pub is_op3: bool,
    /// Opcode by generation.
    pub opcode: [Option<u16>; 4],
    /// Slots by generation.
    pub slots: [Option<Slots>; 4],
    /// Type of the result.
    pub result: ResultType,
    /// Properties.
    pub flags: AluFlags,
    /// The comparison, for operations that compare.
    pub compare: Option<(Condition, CompareType)>,
    /// Whether sources can be negated.
    pub source_modifiers: bool,
    /// Whether the result can be clamped.
    pub clamp: bool,
}

impl AluOp {
    /// Its table entry.
    #[inline]
    pub fn info(self) -> &'static AluInfo {
        &ALU_INFO[self as usize]
    }

    /// Name in listings.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// One-line description.
    pub fn doc(self) -> &'static str {
        ALU_DOC[self as usize]
    }

    /// Number of sources read.
    #[inline]
    pub fn num_src(self) -> usize {
        usize::from(self.info().num_src)
    }

    /// Whether only chips with doubles have it: double operations, and the fused multiply-add of floats.
    pub fn needs_doubles(self) -> bool {
        self.has(AluFlags::DOUBLE) || self.has(AluFlags::WITH_DOUBLES)
    }

    /// Whether it has the three-source encoding: no absolute values, no multiplier, no write mask.
    #[inline]
    pub fn is_op3(self) -> bool {
        self.info().is_op3
    }

    /// The opcode on `generation`, if it exists.
    #[inline]
    pub fn opcode(self, generation: Generation) -> Option<u16> {
        self.info().opcode[generation as usize]
    }

    /// The slots in which it may be issued on `generation`.
    #[inline]
    pub fn slots(self, generation: Generation) -> Option<Slots> {
        self.info().slots[generation as usize]
    }

    /// Whether it has a property.
    #[inline]
    pub fn has(self, flags: AluFlags) -> bool {
        self.info().flags.contains(flags)
    }

    /// Whether it kills lanes.
    pub fn is_kill(self) -> bool {
        self.has(AluFlags::KILL)
    }

    /// Whether it multiplies two sources and adds the third, rounding twice.
    pub fn is_multiply_add(self) -> bool {
        matches!(
            self,
            Self::Muladd
                | Self::MuladdM2
                | Self::MuladdM4
                | Self::MuladdD2
                | Self::MuladdIeee
                | Self::MuladdIeeeM2
                | Self::MuladdIeeeM4
                | Self::MuladdIeeeD2
        )
    }

    /// Whether it sets the predicate.
    pub fn sets_predicate(self) -> bool {
        self.has(AluFlags::PREDICATE)
    }

    /// Whether its first two sources commute.
    pub fn is_commutative(self) -> bool {
        self.has(AluFlags::COMMUTATIVE)
    }

    /// Whether its sources can be negated (and, for two sources, have their absolute value taken).
    pub fn takes_source_modifiers(self) -> bool {
        self.info().source_modifiers
    }

    /// Whether its sources can be negated. This includes moves and conditional moves of floats: the open driver's code
    /// for signs relies on it, though its tables do not say so.
    pub fn takes_negation(self) -> bool {
        matches!(self, Self::Mov | Self::Cnde | Self::Cndgt | Self::Cndge)
            || self.takes_source_modifiers()
    }

    /// Whether its result can be clamped.
    pub fn takes_clamp(self) -> bool {
        self.info().clamp
    }
}
