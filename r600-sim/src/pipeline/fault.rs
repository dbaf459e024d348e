//! Faults in state registers.

use r600_isa::FieldSet;
use thiserror::Error;

/// State that the hardware cannot run with, or that contradicts the program.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StateFault {
    /// A register that is read but was never written.
    #[error("{register} {index} is read, but nothing has written it")]
    NotSet {
        /// The register.
        register: &'static str,
        /// Which of them.
        index: u32,
    },
    /// A register that the generation lacks, or an array that is too short.
    #[error("there is no {register} {index}")]
    NoRegister {
        /// The register.
        register: &'static str,
        /// Which of them.
        index: u32,
    },
    /// A field that contradicts the behaviour of the program.
    #[error("{field} is {value}, but {why}")]
    Contradiction {
        /// Register and field.
        field: &'static str,
        /// Its value.
        value: u32,
        /// The behaviour of the program, or the hardware requirement, that contradicts it.
        why: &'static str,
    },
}

impl StateFault {
    pub(super) fn contradiction(field: &FieldSet, value: u32, why: &'static str) -> Self {
        Self::Contradiction { field: field.name, value, why }
    }
}

/// Fails unless `holds`, which the field must satisfy.
pub(super) fn demand(
    holds: bool,
    (field, value): (&FieldSet, u32),
    why: &'static str,
) -> Result<(), StateFault> {
    if holds { Ok(()) } else { Err(StateFault::contradiction(field, value, why)) }
}
