//! The origins of the parts of a rewritten shader.

use crate::place::Place;
use crate::{DeclarationId, InstructionId, Shader};

/// Maps each part of a rewritten shader to its origin in the original shader. Immediates and properties keep their
/// numbers; new ones follow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Origins {
    instructions: Vec<Option<InstructionId>>,
    declarations: Vec<Option<DeclarationId>>,
}

impl Origins {
    pub(crate) const fn new(
        instructions: Vec<Option<InstructionId>>,
        declarations: Vec<Option<DeclarationId>>,
    ) -> Self {
        Self { instructions, declarations }
    }

    /// The identity mapping.
    pub fn same(shader: &Shader) -> Self {
        let instructions = 0..shader.instructions.len();
        let declarations = 0..shader.declarations.len();
        Self {
            instructions: instructions.map(|n| Some(InstructionId::from_index(n))).collect(),
            declarations: declarations.map(|n| Some(DeclarationId::from_index(n))).collect(),
        }
    }

    /// The origin of each instruction, in order.
    pub fn instructions(&self) -> impl Iterator<Item = Option<InstructionId>> + '_ {
        self.instructions.iter().copied()
    }

    /// The origin of each declaration, in order.
    pub fn declarations(&self) -> impl Iterator<Item = Option<DeclarationId>> + '_ {
        self.declarations.iter().copied()
    }

    /// The origin of an instruction; `None` for one that serves the whole shader.
    pub fn instruction(&self, id: InstructionId) -> Option<InstructionId> {
        self.instructions.get(id.index()).copied().flatten()
    }

    /// The origin of a declaration; `None` for a new one.
    pub fn declaration(&self, id: DeclarationId) -> Option<DeclarationId> {
        self.declarations.get(id.index()).copied().flatten()
    }

    /// The origin of a place in the rewritten shader. Operands have moved, so their place becomes their instruction.
    pub fn place(&self, place: Place) -> Option<Place> {
        Some(match place {
            Place::Shader | Place::Property(_) | Place::Immediate(_) => place,
            Place::Declaration(id) => Place::Declaration(self.declaration(id)?),
            Place::Instruction(id)
            | Place::Dst(id, _)
            | Place::Src(id, _)
            | Place::Offset(id, _) => Place::Instruction(self.instruction(id)?),
        })
    }

    /// Composes these origins with those of a further rewrite, `next`.
    #[must_use]
    pub(crate) fn then(&self, next: &Self) -> Self {
        let instruction = |id: &Option<InstructionId>| id.and_then(|id| self.instruction(id));
        let declaration = |id: &Option<DeclarationId>| id.and_then(|id| self.declaration(id));
        Self {
            instructions: next.instructions.iter().map(instruction).collect(),
            declarations: next.declarations.iter().map(declaration).collect(),
        }
    }
}
