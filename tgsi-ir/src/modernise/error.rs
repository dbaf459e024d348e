//! Constructs without a counterpart.

use std::fmt;

use crate::place::Place;
use crate::{Dialect, File, Opcode, Semantic};

/// A construct that the target dialect cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inexpressible {
    /// The part of the shader.
    pub place: Place,
    /// Why it cannot be expressed.
    pub reason: Reason,
}

/// Why a construct cannot be expressed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// No release ever defined what the opcode does.
    Undefined {
        /// The opcode.
        opcode: Opcode,
    },
    /// A jump to a label that no block can replace.
    Branch,
    /// The number of operands does not match the opcode.
    OperandCount,
    /// The saturation mode that has no meaning.
    ReservedSaturate,
    /// A predicated instruction that opens, divides or closes a block.
    PredicatedBlock,
    /// `BREAKC` directly in a switch: `BRK` would leave the switch, not the loop.
    BreakInSwitch,
    /// `POPA` at an unknown stack depth, a block or jump that leaves the stack unbalanced, or a push or pop under a
    /// predicate.
    AddressStack,
    /// A removed register file, used in a way without a counterpart.
    File {
        /// The file.
        file: File,
    },
    /// A removed semantic without a counterpart.
    Semantic {
        /// The semantic.
        semantic: Semantic,
    },
    /// More registers than operands can number.
    TooManyRegisters,
    /// The dialect has no such thing.
    Missing {
        /// The construct: `opcode UIF`, `semantic TESSCOORD`.
        what: String,
        /// The dialect.
        dialect: Dialect,
    },
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Undefined { opcode } => {
                write!(f, "no release ever defined what `{opcode}` does")
            }
            Self::Branch => f.write_str(
                "a jump into a block, or out of a loop, cannot be expressed with blocks",
            ),
            Self::OperandCount => f.write_str("the instruction lacks the operands of its opcode"),
            Self::ReservedSaturate => f.write_str("the saturation mode 3 has no meaning"),
            Self::PredicatedBlock => {
                f.write_str("an instruction that opens or closes a block is predicated")
            }
            Self::BreakInSwitch => {
                f.write_str("`BREAKC` directly in a switch would leave the switch, not the loop")
            }
            Self::AddressStack => f.write_str("it is not known which `PUSHA` the stack holds here"),
            Self::File { file } => {
                write!(f, "`{}` has no counterpart here", file.name().unwrap_or("?"))
            }
            Self::Semantic { semantic } => {
                write!(f, "`{}` has no counterpart here", semantic.name().unwrap_or("?"))
            }
            Self::TooManyRegisters => f.write_str("there are not enough register numbers left"),
            Self::Missing { what, dialect } => write!(f, "dialect {dialect} has no {what}"),
        }
    }
}

impl Reason {
    /// What to write instead, if known.
    pub fn help(&self) -> Option<String> {
        let (what, dialect) = match self {
            Self::Missing { what, dialect } => (what, dialect),
            Self::Semantic { semantic: Semantic::Culldist } => {
                let help = "write cull distances after the clip distances, as `CLIPDIST`, and count both in the \
                            properties NUM_CLIPDIST_ENABLED and NUM_CULLDIST_ENABLED";
                return Some(help.to_owned());
            }
            _ => return None,
        };
        let opcode = Opcode::from_name(what.strip_prefix("opcode ")?)?;
        let instead = dialect.written_instead(opcode).map(str::to_owned);
        let modern = opcode.modern_name();
        let is_there = modern != opcode && modern.number_in(*dialect).is_some();
        instead.or_else(|| is_there.then(|| format!("write `{modern}`")))
    }
}

impl fmt::Display for Inexpressible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.reason)
    }
}

impl std::error::Error for Inexpressible {}
