//! A stream under construction, and the items that need only a few fields.

use std::fmt::Debug;
use std::marker::PhantomData;

use tgsi_ir::validate::Place;
use tgsi_ir::{
    DeclarationId, Immediate, ImmediateId, InstructionId, ItemKind, Property, PropertyId, Shader,
    TokenType,
};

use super::{EncodeError, EncodeReason};
use crate::field::Field;
use crate::format::Shape;
use crate::generated::layout::Layout;
use crate::reserved::HEADER_WORDS;

/// A stream under construction.
pub(super) struct Writer<S> {
    pub(super) words: Vec<u32>,
    pub(super) place: Place,
    shape: PhantomData<S>,
}

impl<S: Shape> Writer<S> {
    pub(super) const LAYOUT: &'static Layout = S::LAYOUT;

    /// Writes all of `shader`.
    pub(super) fn write(shader: &Shader) -> Result<Vec<u32>, EncodeError> {
        let words = Vec::with_capacity(HEADER_WORDS + 4 * shader.instructions.len());
        let mut writer = Self { words, place: Place::Shader, shape: PhantomData };
        let stage = shader.processor;
        let field = Self::LAYOUT.processor.processor;
        let stage = writer.number(field, stage.number_in(S::DIALECT), stage)?;
        writer.words.extend([0, stage]);
        let mut next = [0usize; 4];
        for run in shader.runs() {
            let at = &mut next[run.kind as usize];
            for index in *at..*at + run.len as usize {
                writer.item(shader, run.kind, index)?;
            }
            *at += run.len as usize;
        }
        writer.place = Place::Shader;
        let f = &Self::LAYOUT.header;
        let body_len = writer.words.len() - HEADER_WORDS;
        writer.words[0] = writer.put(f.header_size, HEADER_WORDS as u32)?
            | writer.put(f.body_size, u32::try_from(body_len).unwrap_or(u32::MAX))?;
        Ok(writer.words)
    }

    fn item(&mut self, shader: &Shader, kind: ItemKind, at: usize) -> Result<(), EncodeError> {
        match kind {
            ItemKind::Property => {
                self.place = Place::Property(PropertyId::from_index(at));
                self.property(&shader.properties[at])
            }
            ItemKind::Declaration => {
                self.place = Place::Declaration(DeclarationId::from_index(at));
                self.declaration(&shader.declarations[at])
            }
            ItemKind::Immediate => {
                self.place = Place::Immediate(ImmediateId::from_index(at));
                self.immediate(&shader.immediates[at])
            }
            ItemKind::Instruction => {
                self.place = Place::Instruction(InstructionId::from_index(at));
                self.instruction(&shader.instructions[at])
            }
        }
    }

    #[cold]
    pub(super) fn error(&self, reason: EncodeReason) -> EncodeError {
        EncodeError { place: self.place, reason }
    }

    /// `value` in its field.
    #[inline]
    pub(super) fn put(&self, field: Field, value: impl Into<u32>) -> Result<u32, EncodeError> {
        let value = value.into();
        field.put(value).ok_or_else(|| self.misfit(field, value))
    }

    #[cold]
    fn misfit(&self, field: Field, value: u32) -> EncodeError {
        let name = field.name;
        self.error(match field.exists() {
            true => EncodeReason::TooLarge { field: name, value, max: field.max() },
            false => EncodeReason::NoField { field: name, dialect: S::DIALECT },
        })
    }

    /// A signed 16-bit value in its field.
    #[inline]
    pub(super) fn signed(&self, field: Field, value: i16) -> Result<u32, EncodeError> {
        self.put(field, u32::from(value.cast_unsigned()))
    }

    /// The number of a name, which the dialect may lack.
    #[inline]
    pub(super) fn number(
        &self,
        field: Field,
        number: Option<u8>,
        name: impl Debug,
    ) -> Result<u32, EncodeError> {
        match number {
            Some(number) => self.put(field, number),
            None => Err(self.no_number(field, &name)),
        }
    }

    #[cold]
    fn no_number(&self, field: Field, name: &dyn Debug) -> EncodeError {
        let (field, name) = (field.name, format!("{name:?}"));
        self.error(EncodeReason::NoNumber { field, name, dialect: S::DIALECT })
    }

    fn property(&mut self, property: &Property) -> Result<(), EncodeError> {
        let f = &Self::LAYOUT.property;
        let head = self.put(f.kind, TokenType::Property.number())?
            | self.put(f.num_tokens, 1 + property.values.len() as u32)?
            | self.number(f.name, property.name.number_in(S::DIALECT), property.name)?;
        self.words.push(head);
        self.words.extend(&property.values);
        Ok(())
    }

    fn immediate(&mut self, immediate: &Immediate) -> Result<(), EncodeError> {
        let f = &Self::LAYOUT.immediate;
        let kind = immediate.kind;
        let head = self.put(f.kind, TokenType::Immediate.number())?
            | self.put(f.num_tokens, 1 + immediate.words.len() as u32)?
            | self.number(f.data_type, kind.number_in(S::DIALECT), kind)?;
        self.words.push(head);
        self.words.extend(&immediate.words);
        Ok(())
    }
}
