//! Properties of ALU operations.

use crate::generated::alu::ALU_INFO;
use crate::{AluOp, Generation};

/// Where in a group an operation may be issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slots {
    /// Any slot.
    Any,
    /// The vector slot of its channel.
    Vector,
    /// The trans slot.
    Trans,
    /// Slot x.
    X,
    /// All four vector slots at once, each with its own operands, one result.
    Reduction,
    /// Slots x, y and z (and w where the result is wanted there) with the same operands.
    Replicated3,
    /// All four slots with the same operands.
    Replicated4,
    /// Two slots: x and y, or z and w.
    Half,
    /// Two slots, x and y or z and w: one double.
    Pair,
    /// All four slots: one double.
    Quad,
}

/// The type of an operation's sources; that of most of them where they differ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SourceType {
    /// Bits of any meaning.
    Any,
    /// Floats.
    Float,
    /// Signed integers, or bits that are no float.
    Int,
    /// Unsigned integers.
    Uint,
    /// Halves of doubles.
    F64,
    /// There are none.
    None,
}

impl SourceType {
    /// Whether a negated or absolute value means something.
    pub const fn has_sign_bit(self) -> bool {
        !matches!(self, Self::Int | Self::Uint | Self::None)
    }
}

/// The type of a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ResultType {
    /// The bits of an operand.
    Any,
    /// A float.
    Float,
    /// A signed integer or mask.
    Int,
    /// An unsigned integer.
    Uint,
    /// Half of a double.
    F64,
    /// The address register.
    Ar,
    /// The output queue of local memory.
    Queue,
    /// Nothing.
    None,
}

/// What a comparison asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Condition {
    /// Equal.
    Eq,
    /// Not equal.
    Ne,
    /// Greater.
    Gt,
    /// Greater or equal.
    Ge,
    /// Less.
    Lt,
    /// Less or equal.
    Le,
}

/// What a comparison compares.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareType {
    /// Floats.
    F32,
    /// Signed integers.
    I32,
    /// Unsigned integers.
    U32,
    /// Doubles.
    F64,
}

/// A set of properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AluFlags(u32);

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident = $bit:literal;)*) => {
        impl AluFlags {
            $($(#[$doc])* pub const $name: Self = Self(1 << $bit);)*
        }
    };
}

flags! {
    /// Kills lanes.
    KILL = 0;
    /// Sets the predicate.
    PREDICATE = 1;
    /// Sets the predicate and counts branch depth.
    PREDICATE_PUSH = 2;
    /// Compares.
    SET = 3;
    /// Selects between its second and third source.
    CONDITIONAL_MOVE = 4;
    /// Writes the address register.
    MOVE_TO_ADDRESS = 5;
    /// Zero times infinity is NaN.
    IEEE = 6;
    /// Direct3D 10 rules for NaN, or a mask as result.
    DX10 = 7;
    /// Works on doubles.
    DOUBLE = 8;
    /// Works on 24-bit integers.
    INT24 = 9;
    /// Converts between types.
    CONVERSION = 10;
    /// The first two sources may be exchanged.
    COMMUTATIVE = 11;
    /// Associative, but for rounding.
    ASSOCIATIVE = 12;
    /// Gives its result in every slot.
    REPLICATED = 13;
    /// Interpolates a parameter.
    INTERPOLATION = 14;
    /// Accesses local memory.
    LDS = 15;
    /// Adds the result of the next higher slot.
    CHAIN_NEXT = 16;
    /// Slot x uses z, slot y uses w.
    CHAIN_ZW = 17;
    /// Sums over the slots.
    REDUCTION = 18;
    /// Must be alone in its group.
    ALONE = 19;
    /// Demands bank swizzle `VEC_210`.
    FORCES_VEC_210 = 20;
    /// Not in a group that uses the address register.
    NOT_WITH_ADDRESS_USE = 21;
}

impl AluFlags {
    /// No property.
    pub const NONE: Self = Self(0);

    /// These and `other`.
    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Whether all of `other` are among these.
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }
}

/// What the tables say of an operation.
#[derive(Clone, Copy, Debug)]
pub struct AluInfo {
    /// Name in listings.
    pub name: &'static str,
    /// What it does, in a line.
    pub doc: &'static str,
    /// Sources that are read.
    pub num_src: u8,
    /// What they are.
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
    /// What it compares, for comparisons.
    pub compare: Option<(Condition, CompareType)>,
    /// Whether sources can be negated.
    pub source_modifiers: bool,
    /// Whether the result can be clamped.
    pub clamp: bool,
}

impl AluOp {
    /// Everything that the tables say.
    #[inline]
    pub fn info(self) -> &'static AluInfo {
        &ALU_INFO[self as usize]
    }

    /// Name in listings.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Sources that are read.
    #[inline]
    pub fn num_src(self) -> usize {
        usize::from(self.info().num_src)
    }

    /// Whether it has the three-source encoding: no absolute values, no multiplier, no write mask.
    #[inline]
    pub fn is_op3(self) -> bool {
        self.info().is_op3
    }

    /// The opcode on `generation`, where it exists.
    #[inline]
    pub fn opcode(self, generation: Generation) -> Option<u16> {
        self.info().opcode[generation as usize]
    }

    /// Where it may be issued on `generation`.
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

    /// Whether its first two sources may be exchanged.
    pub fn is_commutative(self) -> bool {
        self.has(AluFlags::COMMUTATIVE)
    }

    /// Whether its sources can be negated (and, for two sources, have their absolute value taken).
    pub fn takes_source_modifiers(self) -> bool {
        self.info().source_modifiers
    }

    /// Whether its result can be clamped.
    pub fn takes_clamp(self) -> bool {
        self.info().clamp
    }
}
