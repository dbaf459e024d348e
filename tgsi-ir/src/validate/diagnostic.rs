//! Findings, and the places they point at.

use std::fmt;

use super::{Code, Severity};
use crate::{DeclarationId, ImmediateId, InstructionId, PropertyId};

/// A part of a shader, by number; who read the shader from text knows where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// The shader as a whole.
    Shader,
    /// A property.
    Property(PropertyId),
    /// A declaration.
    Declaration(DeclarationId),
    /// An immediate.
    Immediate(ImmediateId),
    /// An instruction.
    Instruction(InstructionId),
    /// The n-th destination of an instruction.
    Dst(InstructionId, u8),
    /// The n-th source of an instruction.
    Src(InstructionId, u8),
    /// The n-th texel offset of an instruction.
    Offset(InstructionId, u8),
}

impl Place {
    /// The instruction that the place belongs to.
    pub const fn instruction(self) -> Option<InstructionId> {
        match self {
            Self::Instruction(id) | Self::Dst(id, _) | Self::Src(id, _) | Self::Offset(id, _) => {
                Some(id)
            }
            Self::Shader | Self::Property(_) | Self::Declaration(_) | Self::Immediate(_) => None,
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Shader => f.write_str("shader"),
            Self::Property(id) => id.fmt(f),
            Self::Declaration(id) => id.fmt(f),
            Self::Immediate(id) => id.fmt(f),
            Self::Instruction(id) => id.fmt(f),
            Self::Dst(id, operand) => write!(f, "{id}, destination {operand}"),
            Self::Src(id, operand) => write!(f, "{id}, source {operand}"),
            Self::Offset(id, operand) => write!(f, "{id}, offset {operand}"),
        }
    }
}

/// Another place that a finding has to do with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Related {
    /// Where.
    pub place: Place,
    /// What is there: `declared here`.
    pub message: &'static str,
}

/// A finding of the validator.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The rule, which also gives the severity.
    pub code: Code,
    /// What is wrong, in lower case and without a final stop (but for Mesa's own words).
    pub message: String,
    /// Where.
    pub place: Place,
    /// What else has to do with it.
    pub related: Vec<Related>,
    /// What helps.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A finding without related places and help.
    pub fn new(code: Code, place: Place, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), place, related: Vec::new(), help: None }
    }

    /// How bad it is.
    pub const fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Adds a related place.
    #[must_use]
    pub fn related(mut self, place: Place, message: &'static str) -> Self {
        self.related.push(Related { place, message });
        self
    }

    /// Adds what helps.
    #[must_use]
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]: {} ({})", self.severity(), self.code, self.message, self.place)
    }
}
