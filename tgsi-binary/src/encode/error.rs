//! A construct that a format cannot hold.

use tgsi_ir::validate::Place;
use tgsi_ir::{Dialect, Opcode};
use thiserror::Error;

/// A construct that a format cannot hold, and its place.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{place}: {reason}")]
pub struct EncodeError {
    /// The part of the shader.
    pub place: Place,
    /// The reason.
    pub reason: EncodeReason,
}

/// A construct that a format cannot hold.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EncodeReason {
    /// An opcode without a number in the dialect.
    #[error("dialect {dialect} has no number for opcode `{opcode}`")]
    NoOpcode {
        /// The opcode.
        opcode: Opcode,
        /// The dialect.
        dialect: Dialect,
    },
    /// A name without a number in the dialect.
    #[error("dialect {dialect} has no number for `{name}` in `{field}`")]
    NoNumber {
        /// Word and field.
        field: &'static str,
        /// The name without a number.
        name: String,
        /// The dialect.
        dialect: Dialect,
    },
    /// A value for which the layout has no field.
    #[error("dialect {dialect} has no field `{field}`")]
    NoField {
        /// Word and field of other dialects.
        field: &'static str,
        /// The dialect.
        dialect: Dialect,
    },
    /// A value that its field cannot hold.
    #[error("`{field}` cannot hold {value}, only up to {max}")]
    TooLarge {
        /// Word and field.
        field: &'static str,
        /// The value.
        value: u32,
        /// The largest value that fits.
        max: u32,
    },
    /// Attributes that belong to another register file.
    #[error("the declaration has the attributes of another register file")]
    ForeignAttributes,
    /// An immediate array with more or fewer values than registers.
    #[error("{values} values for registers 0 to {last}")]
    ArrayValues {
        /// Number of values.
        values: usize,
        /// Last register.
        last: u16,
    },
}

impl EncodeReason {
    /// What to write instead, if known.
    pub fn help(&self) -> Option<String> {
        let Self::NoOpcode { opcode, dialect } = *self else { return None };
        let instead = dialect.written_instead(opcode).map(str::to_owned);
        let modern = opcode.modern_name();
        let is_there = modern != opcode && modern.number_in(dialect).is_some();
        instead.or_else(|| is_there.then(|| format!("write `{modern}`")))
    }
}
