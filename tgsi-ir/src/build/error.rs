//! Errors of the builder.

use std::fmt;

use crate::{File, Opcode};

/// Why a shader cannot be built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BuildError {
    /// Operands number registers up to 32767.
    TooManyRegisters {
        /// The file.
        file: File,
    },
    /// Instructions have at most five sources.
    TooManySources {
        /// The opcode.
        opcode: Opcode,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyRegisters { file } => {
                write!(
                    f,
                    "more registers of `{}` than operands can address",
                    file.name().unwrap_or("?")
                )
            }
            Self::TooManySources { opcode } => write!(f, "more than five sources of `{opcode}`"),
        }
    }
}

impl std::error::Error for BuildError {}
