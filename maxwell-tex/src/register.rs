//! Registers, predicates and the guard of an instruction.

use core::fmt;

use crate::field::bits_of_codes;
use crate::generated::words::{PT, RZ};

/// A 32-bit register: R0 to R254, or RZ, which reads 0 and discards writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Reg(u8);

impl Reg {
    /// The register that reads 0 and discards writes.
    pub const RZ: Self = Self(RZ);
    /// The highest register that holds anything.
    pub const LAST: Self = Self(RZ - 1);

    /// The register of this number; there is no R255.
    pub const fn new(number: u8) -> Option<Self> {
        if number == RZ { None } else { Some(Self(number)) }
    }

    /// The register with this code in a word.
    pub const fn from_code(code: u8) -> Self {
        Self(code)
    }

    /// Its code in a word.
    pub const fn code(self) -> u8 {
        self.0
    }

    /// Whether it is RZ.
    pub const fn is_rz(self) -> bool {
        self.0 == RZ
    }

    /// The register `count` further on; `None` past R254, and after RZ.
    pub const fn checked_add(self, count: u8) -> Option<Self> {
        match self.0.checked_add(count) {
            Some(number) if !self.is_rz() => Self::new(number),
            Some(_) | None => None,
        }
    }
}

impl fmt::Display for Reg {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_rz() { f.write_str("RZ") } else { write!(f, "R{}", self.0) }
    }
}

/// A predicate: P0 to P6, or PT, which is always true and discards writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(try_from = "u8", into = "u8"))]
pub struct Pred(u8);

impl Pred {
    /// The predicate that is always true.
    pub const PT: Self = Self(PT);

    /// The predicate of this number, from 0 to 6.
    pub const fn new(number: u8) -> Option<Self> {
        if number < PT { Some(Self(number)) } else { None }
    }

    /// The predicate with this code in a word; only the low three bits are used.
    pub const fn from_code(code: u8) -> Self {
        Self(code & PT)
    }

    /// Its code in a word.
    pub const fn code(self) -> u8 {
        self.0
    }

    /// Whether it is PT.
    pub const fn is_pt(self) -> bool {
        self.0 == PT
    }
}

impl From<Pred> for u8 {
    fn from(pred: Pred) -> Self {
        pred.code()
    }
}

impl TryFrom<u8> for Pred {
    type Error = &'static str;

    fn try_from(code: u8) -> Result<Self, Self::Error> {
        if code <= PT { Ok(Self(code)) } else { Err("a predicate has a code from 0 to 7") }
    }
}

impl fmt::Display for Pred {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_pt() { f.write_str("PT") } else { write!(f, "P{}", self.0) }
    }
}

bits_of_codes!(Reg, Pred);

/// When an instruction executes: `@P0`, `@!P0`, or always.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Guard {
    /// The predicate.
    pub pred: Pred,
    /// Whether the instruction executes when the predicate is false.
    pub negated: bool,
}

impl Guard {
    /// No guard: the instruction always executes.
    pub const ALWAYS: Self = Self { pred: Pred::PT, negated: false };

    /// Whether an instruction executes when its predicate is `value`.
    pub const fn passes(self, value: bool) -> bool {
        value != self.negated
    }
}

/// As it precedes an instruction, including the blank; empty without a guard.
impl fmt::Display for Guard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Self::ALWAYS {
            return Ok(());
        }
        write!(f, "@{}{} ", if self.negated { "!" } else { "" }, self.pred)
    }
}
