//! Why an instruction is not lowered.

use core::fmt;

use tgsi_ir::{Opcode, TextureTarget};

use crate::pack::PackError;

/// Why a texture instruction is not lowered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LowerError {
    /// The instruction.
    pub opcode: Opcode,
    /// Why.
    pub reason: Reason,
}

/// The reason why a lowering is impossible.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// Another hardware instruction does it; its name.
    OtherInstruction(&'static str),
    /// No shape of TEX and TLDS fits the target.
    Target(TextureTarget),
    /// The view is not declared, so its target is unknown.
    UndeclaredView,
    /// Multisample textures can be fetched from, but not sampled.
    SampledMultisample,
    /// The channel for bias or level holds something else with this target; the two-source form has room.
    LevelTaken,
    /// A channel that is divided by holds something else with this target.
    DivisorTaken,
    /// The value to compare depth with has no place with this opcode and target.
    NoReference,
    /// A bias needs derivatives, which only fragment shaders have.
    BiasWithoutDerivatives,
    /// Sampler and view numbers are too large for an index.
    Index,
    /// An operand is missing or in the wrong file.
    Operands,
    /// A view or sampler is selected at run time, and view and sampler are separate.
    IndirectView,
    /// There is more than one texel offset.
    Offsets,
    /// The instruction is predicated as in releases up to Mesa 17.0.
    Predicated,
    /// No instruction does it.
    Pack(PackError),
}

impl core::error::Error for LowerError {}

impl fmt::Display for LowerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.opcode.name(), self.reason)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::OtherInstruction(name) => {
                write!(f, "needs {name}, which is neither TEX nor TLDS")
            }
            Self::Target(target) => {
                write!(f, "no shape fits the target {}", target.name().unwrap_or("without a name"))
            }
            Self::UndeclaredView => f.write_str("the sampler view is not declared"),
            Self::SampledMultisample => {
                f.write_str("multisampled textures are fetched, not sampled")
            }
            Self::LevelTaken => {
                f.write_str("w is a coordinate of this target: use the form with two sources")
            }
            Self::DivisorTaken => {
                f.write_str("w is a coordinate of this target, so it cannot divide")
            }
            Self::NoReference => f.write_str("there is no place for the reference value"),
            Self::BiasWithoutDerivatives => {
                f.write_str("a bias needs derivatives, which only fragment shaders have")
            }
            Self::Index => f.write_str("the sampler or view number does not fit an index"),
            Self::Operands => f.write_str("an operand is missing or of another file"),
            Self::IndirectView => f.write_str("view and sampler cannot be chosen at run time"),
            Self::Offsets => f.write_str("there is more than one texel offset"),
            Self::Predicated => f.write_str("predicates of old releases are not lowered"),
            Self::Pack(error) => error.fmt(f),
        }
    }
}
