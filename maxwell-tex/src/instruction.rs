//! Encodes and decodes both instructions.

use core::fmt;

use crate::generated::enums::Sm;
use crate::register::{Guard, Reg};
use crate::tables::Values;
use crate::tex::Tex;
use crate::tlds::{MaskError, Tlds};

/// A texture instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Instruction {
    /// Filtered access.
    Tex(Tex),
    /// Unfiltered access by position.
    Tlds(Tlds),
}

impl Instruction {
    /// Reads any word with one of the two opcodes; `None` for other opcodes.
    ///
    /// Nothing is lost: [`to_word`](Self::to_word) gives `word` back. [`decode`] is the strict reader.
    pub fn from_word(word: u64) -> Option<Self> {
        Tex::from_word(word).map(Self::Tex).or_else(|| Tlds::from_word(word).map(Self::Tlds))
    }

    /// The word.
    ///
    /// # Errors
    /// When a TLDS has a mask that its Rd1 excludes.
    pub fn to_word(&self) -> Result<u64, MaskError> {
        match self {
            Self::Tex(tex) => Ok(tex.to_word()),
            Self::Tlds(tlds) => tlds.to_word(),
        }
    }

    /// Why the vendor's disassembler rejects the word for `sm`, if it does.
    pub fn refusal(&self, sm: Sm) -> Option<Refusal> {
        match self {
            Self::Tex(tex) if tex.lc && !sm.has_sparse() => Some(Refusal::LodClamp),
            Self::Tex(tex) if !tex.ps.is_pt() && !sm.has_sparse() => Some(Refusal::SparseStatus),
            Self::Tlds(tlds) if tlds.f16 && !sm.has_f16() => Some(Refusal::F16),
            Self::Tlds(tlds) if tlds.form.is_reserved() => Some(Refusal::Form(tlds.form.code())),
            Self::Tex(_) | Self::Tlds(_) => None,
        }
    }

    /// The guard.
    pub const fn guard(&self) -> Guard {
        match self {
            Self::Tex(tex) => tex.guard,
            Self::Tlds(tlds) => tlds.guard,
        }
    }

    /// Its first source register.
    pub const fn ra(&self) -> Reg {
        match self {
            Self::Tex(tex) => tex.ra,
            Self::Tlds(tlds) => tlds.ra,
        }
    }

    /// Its second source register.
    pub const fn rb(&self) -> Reg {
        match self {
            Self::Tex(tex) => tex.rb,
            Self::Tlds(tlds) => tlds.rb,
        }
    }

    /// The contents of the registers from Ra on.
    pub fn ra_values(&self) -> Values {
        match self {
            Self::Tex(tex) => tex.modes().ra_values(),
            Self::Tlds(tlds) => tlds.form.ra_values().iter().copied().collect(),
        }
    }

    /// The contents of the registers from Rb on.
    pub fn rb_values(&self) -> Values {
        match self {
            Self::Tex(tex) => tex.modes().rb_values(),
            Self::Tlds(tlds) => tlds.form.rb_values().iter().copied().collect(),
        }
    }
}

impl From<Tex> for Instruction {
    fn from(tex: Tex) -> Self {
        Self::Tex(tex)
    }
}

impl From<Tlds> for Instruction {
    fn from(tlds: Tlds) -> Self {
        Self::Tlds(tlds)
    }
}

/// Reads a word for `sm`, as strictly as the vendor's disassembler does.
///
/// # Errors
/// When the word is not a texture instruction, or `sm` lacks it.
pub fn decode(word: u64, sm: Sm) -> Result<Instruction, DecodeError> {
    let instruction = Instruction::from_word(word).ok_or(DecodeError::OtherOpcode { word })?;
    match instruction.refusal(sm) {
        Some(refusal) => Err(DecodeError::Refused { word, sm, refusal }),
        None => Ok(instruction),
    }
}

/// The word of an instruction that `sm` has.
///
/// # Errors
/// When `sm` lacks it, or a TLDS has a mask that its Rd1 excludes. [`check`](crate::check) checks the other rules.
pub fn encode(instruction: &Instruction, sm: Sm) -> Result<u64, EncodeError> {
    match instruction.refusal(sm) {
        Some(refusal) => Err(EncodeError::Refused { sm, refusal }),
        None => instruction.to_word().map_err(EncodeError::Mask),
    }
}

/// The part of an instruction that a generation lacks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// `.LC`
    LodClamp,
    /// A sparse predicate other than PT.
    SparseStatus,
    /// `.F16`
    F16,
    /// A reserved code of TLDS's form.
    Form(u8),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LodClamp => f.write_str(".LC"),
            Self::SparseStatus => f.write_str("sparse predicate"),
            Self::F16 => f.write_str(".F16"),
            Self::Form(code) => write!(f, "TLDS form of code {code}"),
        }
    }
}

/// Why a word cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecodeError {
    /// It is not a texture instruction.
    OtherOpcode {
        /// The word.
        word: u64,
    },
    /// The generation lacks the instruction.
    Refused {
        /// The word.
        word: u64,
        /// The generation.
        sm: Sm,
        /// The missing part.
        refusal: Refusal,
    },
}

impl fmt::Display for DecodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherOpcode { word } => write!(f, "{word:#018x} is neither TEX nor TLDS"),
            Self::Refused { word, sm, refusal } => write!(f, "{word:#018x}: {sm} has no {refusal}"),
        }
    }
}

impl core::error::Error for DecodeError {}

/// Why an instruction has no word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum EncodeError {
    /// Its mask and Rd1 exclude each other.
    Mask(MaskError),
    /// The generation lacks it.
    Refused {
        /// The generation.
        sm: Sm,
        /// The missing part.
        refusal: Refusal,
    },
}

impl fmt::Display for EncodeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mask(error) => error.fmt(f),
            Self::Refused { sm, refusal } => write!(f, "{sm} has no {refusal}"),
        }
    }
}

impl core::error::Error for EncodeError {}
