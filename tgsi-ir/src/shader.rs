//! A whole shader.

use std::fmt;

use arrayvec::ArrayVec;

use crate::{Declaration, ImmediateType, Instruction, Processor, PropertyName};

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        pub struct $name(pub u32);

        impl $name {
            /// Position in the shader's list.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }

            /// The id of position `index`.
            ///
            /// A token stream cannot yield lists longer than `u32::MAX`, since its length has 24 bits.
            #[inline]
            pub const fn from_index(index: usize) -> Self {
                Self(index as u32)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{}", $prefix, self.0)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Debug::fmt(self, f)
            }
        }
    };
}

id!(
    /// A declaration of one shader.
    DeclarationId, "declaration "
);
id!(
    /// An immediate of one shader: the `n` of `IMM[n]`.
    ImmediateId, "immediate "
);
id!(
    /// An instruction of one shader: the number that text prints before it and that labels refer to.
    InstructionId, "instruction "
);
id!(
    /// A property of one shader.
    PropertyId, "property "
);

/// Four words of constant data.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Immediate {
    /// How text shows the words. 64-bit types take two words per value, low half first.
    pub kind: ImmediateType,
    /// The words in the token stream: four, unless a producer other than text omitted some.
    pub words: ArrayVec<u32, 4>,
}

impl Immediate {
    /// Word `channel`, or 0 if the stream omitted it.
    pub fn word(&self, channel: usize) -> u32 {
        self.words.get(channel).copied().unwrap_or(0)
    }
}

/// A property of the whole shader.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Property {
    /// Its name.
    pub name: PropertyName,
    /// Its values; text writes only one.
    pub values: ArrayVec<u32, 8>,
}

/// The kinds of items in a token stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum ItemKind {
    /// A [`Property`].
    Property,
    /// A [`Declaration`].
    Declaration,
    /// An [`Immediate`].
    Immediate,
    /// An [`Instruction`].
    Instruction,
}

impl ItemKind {
    /// The order in which producers conventionally write the four kinds.
    pub const CONVENTIONAL_ORDER: [Self; 4] =
        [Self::Property, Self::Declaration, Self::Immediate, Self::Instruction];
}

/// Consecutive items of one kind in the stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Run {
    /// The kind of the items.
    pub kind: ItemKind,
    /// The number of items.
    pub len: u32,
}

/// A shader in any of TGSI's dialects.
///
/// The four lists are independent. `order` records how they were interleaved in the input, so that they can be printed
/// the same way. It is a hint: items that it does not cover follow in conventional order, and an empty `order` means
/// conventional order throughout.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Shader {
    /// The stage.
    pub processor: Processor,
    /// Properties, in order.
    pub properties: Vec<Property>,
    /// Declarations, in order.
    pub declarations: Vec<Declaration>,
    /// Immediates, in order: the n-th is `IMM[n]`.
    pub immediates: Vec<Immediate>,
    /// Instructions, in order: labels count them from 0.
    pub instructions: Vec<Instruction>,
    /// How the items interleave.
    #[cfg_attr(feature = "serde", serde(default))]
    pub order: Vec<Run>,
}

impl Shader {
    /// An empty shader.
    pub const fn new(processor: Processor) -> Self {
        Self {
            processor,
            properties: Vec::new(),
            declarations: Vec::new(),
            immediates: Vec::new(),
            instructions: Vec::new(),
            order: Vec::new(),
        }
    }

    /// Number of items of one kind.
    pub const fn num_items(&self, kind: ItemKind) -> usize {
        match kind {
            ItemKind::Property => self.properties.len(),
            ItemKind::Declaration => self.declarations.len(),
            ItemKind::Immediate => self.immediates.len(),
            ItemKind::Instruction => self.instructions.len(),
        }
    }

    /// Records that an item of `kind` comes next in the stream. Readers call it once per item, in order.
    #[inline]
    pub fn note_order(&mut self, kind: ItemKind) {
        match self.order.last_mut() {
            Some(run) if run.kind == kind => run.len += 1,
            _ => self.order.push(Run { kind, len: 1 }),
        }
    }

    /// The complete stream order: every item of every list is in exactly one run.
    pub fn runs(&self) -> Vec<Run> {
        let mut left = ItemKind::CONVENTIONAL_ORDER.map(|kind| self.num_items(kind));
        let mut runs = Vec::with_capacity(self.order.len() + 4);
        let conventional = ItemKind::CONVENTIONAL_ORDER.map(|kind| Run { kind, len: u32::MAX });
        for run in self.order.iter().chain(&conventional) {
            let rest = &mut left[run.kind as usize];
            let len = (*rest).min(run.len as usize);
            if len > 0 {
                *rest -= len;
                runs.push(Run { kind: run.kind, len: len as u32 });
            }
        }
        runs
    }

    /// The value of a property: its first word, if the shader has it.
    pub fn property(&self, name: PropertyName) -> Option<u32> {
        self.properties.iter().find(|p| p.name == name).and_then(|p| p.values.first().copied())
    }

    /// Whether a boolean property is set: present and not 0.
    pub fn is_set(&self, name: PropertyName) -> bool {
        self.property(name).is_some_and(|value| value != 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{File, Opcode};

    fn shader() -> Shader {
        let mut shader = Shader::new(Processor::Vertex);
        shader.declarations.push(Declaration::new(File::Input, 0, 0));
        shader.declarations.push(Declaration::new(File::Output, 0, 0));
        shader.instructions.push(Instruction::new(Opcode::End));
        shader
    }

    #[test]
    fn without_order_the_conventional_one_holds() {
        let runs = shader().runs();
        assert_eq!(
            runs,
            [
                Run { kind: ItemKind::Declaration, len: 2 },
                Run { kind: ItemKind::Instruction, len: 1 }
            ]
        );
    }

    #[test]
    fn items_beyond_the_noted_order_are_not_lost() {
        let mut shader = shader();
        shader.note_order(ItemKind::Instruction);
        shader.note_order(ItemKind::Declaration);
        assert_eq!(
            shader.runs(),
            [
                Run { kind: ItemKind::Instruction, len: 1 },
                Run { kind: ItemKind::Declaration, len: 1 },
                Run { kind: ItemKind::Declaration, len: 1 }
            ]
        );
    }
}
