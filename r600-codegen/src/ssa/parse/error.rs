//! Errors in the text of a function.

use r600_isa::asm::Diagnostic;
use r600_isa::{AluOp, Generation};
use thiserror::Error;

use crate::ssa::{ArrayId, Value};

/// Why a text does not parse as a function, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {kind}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// The character in the line, from 1.
    pub column: usize,
    /// What is wrong there.
    pub kind: ParseErrorKind,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// The line does not follow the grammar.
    #[error("expected {wanted}, found {}", quoted(found))]
    Expected {
        /// What the grammar requires.
        wanted: String,
        /// The word found there; empty at the end of the line.
        found: String,
    },
    /// No instruction has this name.
    #[error("there is no instruction `{name}`")]
    UnknownInstruction {
        /// The name.
        name: String,
        /// The existing name that is most similar, if one is.
        near: Option<&'static str>,
    },
    /// An operation that the chip lacks.
    #[error("{} has no {}", generation.name(), op.name())]
    NotOnGeneration {
        /// The operation.
        op: AluOp,
        /// The generation of the chip.
        generation: Generation,
    },
    /// A hardware instruction that does not occur in SSA.
    #[error("`{name}` does not occur in SSA")]
    NotInSsa {
        /// The name.
        name: String,
    },
    /// A condition whose operation is not a comparison.
    #[error("`{name}` is not a comparison")]
    NoTest {
        /// The operation.
        name: String,
    },
    /// An operation with the wrong number of operands.
    #[error("number of operands of `{name}`: expected {takes}, found {has}")]
    Operands {
        /// The operation.
        name: String,
        /// How many it reads.
        takes: usize,
        /// How many are written.
        has: usize,
    },
    /// An instruction with the wrong number of results.
    #[error("number of results: expected {gives}, found {has}")]
    Results {
        /// How many it gives.
        gives: usize,
        /// How many are named.
        has: usize,
    },
    /// A number that does not fit its place.
    #[error("`{number}` is more than {max}")]
    TooLarge {
        /// The number.
        number: String,
        /// The largest that fits.
        max: u32,
    },
    /// Settings of a fetch, a memory write or an event that the assembler rejects.
    #[error("{}", .0.message)]
    Settings(Diagnostic),
    /// A value that nothing defines.
    #[error("{0} is not defined")]
    Undefined(Value),
    /// A value with two definitions.
    #[error("{0} is defined before")]
    DefinedTwice(Value),
    /// An array that is not declared.
    #[error("{0} is not known")]
    UnknownArray(ArrayId),
    /// Arrays declared out of order.
    #[error("{0} comes next")]
    ArrayOrder(ArrayId),
    /// An element beyond the end of its array.
    #[error("{array} has {len} elements")]
    NoElement {
        /// The array.
        array: ArrayId,
        /// Its length.
        len: u16,
    },
    /// A `}` too many, or an `else` without a branch.
    #[error("nothing is open that this could close")]
    NothingOpen,
    /// The text ends inside a branch or a loop.
    #[error("a `}}` is missing")]
    Unclosed,
    /// Branches and loops that nest too deeply.
    #[error("branches and loops are nested more than {0} deep")]
    TooDeep(usize),
}

impl ParseError {
    /// How to fix the error, if the message does not say so.
    pub fn help(&self) -> Option<String> {
        Some(match &self.kind {
            ParseErrorKind::UnknownInstruction { near, .. } => {
                format!("did you mean `{}`?", (*near)?)
            }
            ParseErrorKind::NotOnGeneration { op, .. } => {
                let has = |generation: &Generation| op.opcode(*generation).is_some();
                let names = Generation::ALL.into_iter().filter(has).map(Generation::name);
                format!("it exists on {}", names.collect::<Vec<_>>().join(", "))
            }
            ParseErrorKind::NotInSsa { .. } => {
                "write control flow as `if`, `loop`, `break` and `continue`, exports as `export`"
                    .to_owned()
            }
            ParseErrorKind::NoTest { .. } => {
                "write the test as an operation such as PRED_SETNE_INT".to_owned()
            }
            ParseErrorKind::Settings(diagnostic) => diagnostic.help.clone()?,
            ParseErrorKind::Undefined(value) => {
                format!("define it first, or make it live on entry: `{value} = live in R0.x`")
            }
            ParseErrorKind::DefinedTwice(_) => {
                "give each definition a number of its own".to_owned()
            }
            ParseErrorKind::UnknownArray(array) => {
                format!("state its length at the top: `{array} = 4 in registers`")
            }
            ParseErrorKind::Unclosed => {
                "close each branch and each loop by a line of its own".to_owned()
            }
            _ => return None,
        })
    }
}

fn quoted(found: &str) -> String {
    if found.is_empty() { "the end of the line".to_owned() } else { format!("`{found}`") }
}
