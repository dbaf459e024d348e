//! What can be wrong with a text.

use thiserror::Error;

/// Why a text is no function, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {fault}; {}", fault.help())]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong there.
    pub fault: ParseFault,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseFault {
    /// Something else has to stand here.
    #[error("expected {0}")]
    Expected(&'static str),
    /// A line goes on after its end.
    #[error("unexpected `{0}`")]
    Trailing(String),
    /// A name that nothing has.
    #[error("unknown {kind} `{name}`")]
    Unknown {
        /// What it should be the name of.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A number that no such thing has.
    #[error("`{0}` is out of range")]
    OutOfRange(String),
    /// An operation has another number of operands.
    #[error("number of operands of `{name}`: expected {has}, found {given}")]
    Operands {
        /// The operation.
        name: &'static str,
        /// Operands that it has.
        has: usize,
        /// Operands that are written.
        given: usize,
    },
    /// A field that an instruction lacks, or a value that a field lacks.
    #[error("`{0}` is not a field of the instruction, or has no such value")]
    Field(String),
    /// Something is said twice, or out of order.
    #[error("`{0}` is repeated or out of order")]
    Repeated(String),
    /// Something is used that was not declared.
    #[error("`{0}` is not declared")]
    Undeclared(String),
    /// An operation stands in no block.
    #[error("an operation stands outside of any block")]
    NoBlock,
    /// A region ends that none began, or begins and does not end.
    #[error("braces do not match")]
    Unbalanced,
    /// Regions stand in each other deeper than passes follow.
    #[error("regions are nested too deeply")]
    TooDeep,
}

impl ParseFault {
    /// What to do about it.
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
