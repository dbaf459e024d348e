//! Why a stream cannot be read.

use tgsi_ir::Dialect;
use tgsi_ir::limits::Exceeded;
use thiserror::Error;

/// Why a stream cannot be read, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("word {word}: {reason}")]
pub struct DecodeError {
    /// Number of the word at fault, from 0.
    pub word: usize,
    /// What is wrong.
    pub reason: DecodeReason,
}

/// What is wrong with a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DecodeReason {
    /// The words end before the item does.
    #[error("the stream ends within an item")]
    EndsWithinItem,
    /// The header announces more words than there are.
    #[error("the header promises {promised} words, but there are {present}")]
    TooShort {
        /// Words announced.
        promised: usize,
        /// Words present.
        present: usize,
    },
    /// The header is too short for its mandatory words.
    #[error("the header has {size} words, but needs at least 2")]
    HeaderSize {
        /// Words of the header.
        size: usize,
    },
    /// No kind of item has the number.
    #[error("there is no item of kind {number}, only 0 to 3")]
    UnknownItem {
        /// The number.
        number: u8,
    },
    /// No opcode of the dialect has the number.
    #[error("dialect {dialect} has no opcode {number}")]
    UnknownOpcode {
        /// The number.
        number: u8,
        /// The dialect.
        dialect: Dialect,
    },
    /// No type of immediates of the dialect has the number.
    #[error("dialect {dialect} has no immediates of type {number}")]
    UnknownImmediateType {
        /// The number.
        number: u8,
        /// The dialect.
        dialect: Dialect,
    },
    /// An item has more parts than Mesa's reader holds.
    #[error("{count} {what}, the limit is {most}")]
    TooMany {
        /// Parts of the item.
        count: usize,
        /// The kind of parts.
        what: &'static str,
        /// The maximum.
        most: usize,
    },
    /// The stream is larger than a limit.
    #[error("{0}: {help}", help = .0.help())]
    Limit(Exceeded),
    /// A third subscript; registers have at most two.
    #[error("an operand has a third subscript, which no register has")]
    ThirdSubscript,
}
