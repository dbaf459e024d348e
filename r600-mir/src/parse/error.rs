//! Errors in the text of a function.

use thiserror::Error;

/// What is wrong with a text, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {fault}; {}", fault.help())]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The error.
    pub fault: ParseFault,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseFault {
    /// Something else was expected.
    #[error("expected {0}")]
    Expected(&'static str),
    /// Unexpected text at the end of a line.
    #[error("unexpected `{0}`")]
    Trailing(String),
    /// An unknown name.
    #[error("unknown {kind} `{name}`")]
    Unknown {
        /// The kind of name.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A number out of range.
    #[error("`{0}` is out of range")]
    OutOfRange(String),
    /// An operation with the wrong number of operands.
    #[error("number of operands of `{name}`: expected {has}, found {given}")]
    Operands {
        /// The operation.
        name: &'static str,
        /// Number of operands it takes.
        has: usize,
        /// Number of operands found.
        given: usize,
    },
    /// An unknown field of an instruction, or a value that the field cannot have.
    #[error("`{0}` is not a field of the instruction, or has no such value")]
    Field(String),
    /// A repeated or misplaced item.
    #[error("`{0}` is repeated or out of order")]
    Repeated(String),
    /// Use of an undeclared name.
    #[error("`{0}` is not declared")]
    Undeclared(String),
    /// An operation outside of any block.
    #[error("an operation stands outside of any block")]
    NoBlock,
    /// Unbalanced braces.
    #[error("braces do not match")]
    Unbalanced,
    /// Regions nested deeper than passes can handle.
    #[error("regions are nested too deeply")]
    TooDeep,
}

impl ParseFault {
    /// How to fix it.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Expected(_) => "write it here, or remove what stands here",
            Self::Trailing(_) => "remove it, or move it to a line of its own",
            Self::Unknown { .. } => "check the spelling: names are those that the printer writes",
            Self::OutOfRange(_) => "use a smaller number",
            Self::Operands { .. } => "write as many as it has, with commas between",
            Self::Field(_) => "write `field:value`, with a field that the printer writes",
            Self::Repeated(_) => "write it once, and number from 0 without gaps",
            Self::Undeclared(_) => "declare it before the code",
            Self::NoBlock => "begin a block with `blockN:`",
            Self::Unbalanced => "give each `{` its `}`",
            Self::TooDeep => "nest fewer branches and loops",
        }
    }
}
