//! Statements that a reader omitted from a shader, and the findings that this alone may cause.

use std::collections::BTreeSet;

use super::code::Code;
use super::diagnostic::Diagnostic;
use crate::place::Place;
use crate::{File, FlowRole, Opcode, Register, Shader};

/// A kind of statement of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Statement {
    /// The processor, and the dialect.
    Header,
    /// A property.
    Property,
    /// A declaration or an immediate, with its file if known.
    Declaration(Option<File>),
    /// An instruction that only computes.
    Instruction,
    /// An instruction that opens, divides, closes or leaves a block, or ends the program.
    Block,
}

impl Statement {
    /// An instruction with this opcode.
    pub fn with_opcode(opcode: Opcode) -> Self {
        match opcode.info().flow {
            FlowRole::None | FlowRole::Barrier | FlowRole::Emit => Self::Instruction,
            _ => Self::Block,
        }
    }
}

/// Every kind after the header.
const ANY: [Statement; 4] =
    [Statement::Property, Statement::Declaration(None), Statement::Instruction, Statement::Block];

/// The statements that a reader omitted because they have errors.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Omitted(BTreeSet<Statement>);

impl Omitted {
    /// Any number of statements of every kind after the header.
    pub fn any_statement() -> Self {
        Self(ANY.into())
    }

    /// A whole shader: not even the applicable rules are known.
    pub fn everything() -> Self {
        let mut all = Self::any_statement();
        all.insert(Statement::Header);
        all
    }

    /// Records that such a statement was omitted.
    pub fn insert(&mut self, statement: Statement) {
        self.0.insert(statement);
    }

    /// Records that all these were omitted.
    pub fn extend(&mut self, other: Self) {
        self.0.extend(other.0);
    }

    /// Whether nothing was omitted.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether any statement after the header may have been omitted.
    pub fn is_any_statement(&self) -> bool {
        ANY.iter().all(|one| self.0.contains(one))
    }

    /// Whether everything may have been omitted.
    pub fn is_everything(&self) -> bool {
        self.is_any_statement() && self.0.contains(&Statement::Header)
    }

    /// Whether such a statement was omitted.
    pub fn has(&self, statement: Statement) -> bool {
        match statement {
            Statement::Declaration(_) => {
                self.0.contains(&Statement::Declaration(None)) || self.0.contains(&statement)
            }
            // Labels count instructions of both kinds, and both kinds write and read.
            Statement::Instruction => {
                self.0.contains(&statement) || self.0.contains(&Statement::Block)
            }
            _ => self.0.contains(&statement),
        }
    }

    /// Whether restoring the omitted statements of `shader` may remove `finding`.
    pub(super) fn explains(&self, finding: &Diagnostic, shader: &Shader) -> bool {
        finding.code.missed().iter().any(|&missed| match missed {
            Statement::Declaration(_) => self.declares(finding.place, shader),
            _ => self.has(missed),
        })
    }

    /// Whether an omitted statement may declare a register that the operand at `place` names.
    fn declares(&self, place: Place, shader: &Shader) -> bool {
        let instruction = place.instruction().and_then(|id| shader.instructions.get(id.index()));
        let operand = |number: u8| usize::from(number);
        let register = |reg: &Register| {
            let added = [reg.indirect, reg.dimension.and_then(|dimension| dimension.indirect)];
            let added = added.into_iter().flatten().map(|indirect| indirect.file);
            added.chain([reg.file]).collect()
        };
        let files: Option<Vec<File>> = instruction.and_then(|one| match place {
            Place::Dst(_, n) => one.dst.get(operand(n)).map(|dst| register(&dst.reg)),
            Place::Src(_, n) => one.src.get(operand(n)).map(|src| register(&src.reg)),
            Place::Offset(_, n) => {
                let offset = one.texture.as_ref()?.offsets.get(operand(n))?;
                Some(vec![offset.file])
            }
            _ => None,
        });
        match files {
            Some(files) => {
                files.into_iter().any(|file| self.has(Statement::Declaration(Some(file))))
            }
            None => self.0.iter().any(|one| matches!(one, Statement::Declaration(_))),
        }
    }
}

impl Code {
    /// The statements whose absence may be why the rule is broken.
    const fn missed(self) -> &'static [Statement] {
        use Statement::{Block, Header, Instruction, Property};
        const DECLARATION: Statement = Statement::Declaration(None);
        match self {
            Self::UndeclaredDst | Self::UndeclaredSrc | Self::SubscriptCount => {
                &[Header, DECLARATION]
            }
            Self::UndeclaredIndirect
            | Self::UndeclaredOffset
            | Self::UnknownArray
            | Self::ConstantSubscript
            | Self::WriteBeyondUsage
            | Self::ReadBeyondUsage => &[DECLARATION],
            Self::NeverUsed
            | Self::BadCall
            | Self::Recursion
            | Self::WrongLabel
            | Self::UncalledSubroutine => &[Instruction],
            Self::ReadBeforeWrite => &[Header, Instruction],
            Self::MissingEnd
            | Self::UnopenedBlock
            | Self::UnclosedBlock
            | Self::RepeatedBranch
            | Self::JumpOutside
            | Self::NestedSubroutine
            | Self::NestingDepth
            | Self::Unreachable => &[Block],
            Self::MissingProperty => &[Header, Property],
            Self::DeclaredTwice
            | Self::MissingSemantic
            | Self::SemanticTwice
            | Self::SemanticStage
            | Self::SemanticIndex
            | Self::ReadOnlyFile
            | Self::OpcodeStage
            | Self::PropertyStage
            | Self::SemanticChannels
            | Self::InterpolatedFile => &[Header],
            // These look at what is there.
            _ => &[],
        }
    }
}
