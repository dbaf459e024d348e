//! The inputs from which registers are derived, and the values collected so far.

use r600_isa::{Chip, FieldError, FieldSet, Generation, StateRegister, WordBuilder};
use tgsi_ir::{PropertyName, Shader};
use thiserror::Error;

use crate::abi::{EntryRegisters, InputSlot, OutputSlot, ShaderKey};

/// Why there is no value for a register: what should have been refused earlier, a mistake of the compiler.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub(crate) enum StateError {
    /// A field is too small.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// An array of registers is too short.
    #[error("there is no {register} number {index}")]
    Number {
        /// The register.
        register: &'static str,
        /// Which of them.
        index: u32,
    },
    /// A property has a number that means nothing.
    #[error("property {} is {value}, which means nothing", .name.name().unwrap_or("of unknown name"))]
    Property {
        /// The property.
        name: PropertyName,
        /// Its number.
        value: u32,
    },
}

/// A register and what is to be written to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct RegisterValue {
    /// Its name; one of several of a kind has its number in [`index`](Self::index).
    pub name: &'static str,
    /// Its number among those of the name.
    pub index: u32,
    /// Its byte address.
    pub address: u32,
    /// The value.
    pub value: u32,
}

/// What registers follow from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts<'a> {
    pub(crate) shader: &'a Shader,
    pub(crate) chip: Chip,
    pub(crate) key: &'a ShaderKey,
    pub(crate) inputs: &'a [InputSlot],
    pub(crate) outputs: &'a [OutputSlot],
    /// Streams to which a geometry shader emits vertices, a bit each.
    pub(crate) streams: u8,
    pub(crate) entry: EntryRegisters,
    pub(crate) num_gprs: u8,
    pub(crate) stack_size: u32,
    /// Vec4 of scratch memory.
    pub(crate) scratch_size: u16,
}

impl Facts<'_> {
    /// What the number of a property means; `None` where the shader has no such property.
    pub(super) fn known<T>(
        &self,
        name: PropertyName,
        from_number: fn(u8) -> Option<T>,
    ) -> Result<Option<T>, StateError> {
        let Some(value) = self.shader.property(name) else { return Ok(None) };
        let known = u8::try_from(value).ok().and_then(from_number);
        known.map(Some).ok_or(StateError::Property { name, value })
    }
}

/// Values as they are collected.
pub(super) struct State {
    pub(super) generation: Generation,
    pub(super) values: Vec<RegisterValue>,
}

impl State {
    /// An empty word, to be filled by field.
    pub(super) fn word(&self) -> WordBuilder {
        WordBuilder::new(self.generation)
    }

    pub(super) fn set(
        &mut self,
        register: StateRegister,
        word: WordBuilder,
    ) -> Result<(), StateError> {
        self.set_at(register, 0, word)
    }

    /// Sets the n-th register of an array; does nothing where the generation has no such register.
    pub(super) fn set_at(
        &mut self,
        register: StateRegister,
        index: u32,
        word: WordBuilder,
    ) -> Result<(), StateError> {
        if !register.exists_on(self.generation) {
            return Ok(());
        }
        let name = register.name;
        let address = register.address(self.generation, index);
        let address = address.ok_or(StateError::Number { register: name, index })?;
        self.values.push(RegisterValue { name, index, address, value: word.word() });
        Ok(())
    }

    /// Sets a register of one field.
    pub(super) fn set_field(
        &mut self,
        register: StateRegister,
        field: &FieldSet,
        value: impl Into<u32>,
    ) -> Result<(), StateError> {
        if !register.exists_on(self.generation) {
            return Ok(());
        }
        let mut word = self.word();
        word.put(field, value)?;
        self.set(register, word)
    }

    /// Whether the shader interpolates its parameters itself.
    pub(super) fn interpolates(&self) -> bool {
        matches!(self.generation, Generation::Evergreen | Generation::Cayman)
    }
}
