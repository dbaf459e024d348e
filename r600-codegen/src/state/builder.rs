//! The inputs from which registers are derived, and the values collected so far.

use r600_isa::{Chip, FieldError, FieldSet, Generation, StateRegister, WordBuilder};
use tgsi_ir::{PropertyName, Shader};
use thiserror::Error;

use crate::abi::{EntryRegisters, InputSlot, OutputSlot, ShaderKey};

/// Why there is no value for a register. An earlier check should have refused the shader, so this is a bug in the
/// compiler.
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
    /// A property has an undefined value.
    #[error("property {} is {value}, which means nothing", .name.name().unwrap_or("of unknown name"))]
    Property {
        /// The property.
        name: PropertyName,
        /// Its number.
        value: u32,
    },
}

/// A register and the value to write to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct RegisterValue {
    /// Its name. Registers of an array share a name and differ in [`index`](Self::index).
    pub name: &'static str,
    /// Its index in the array of that name; 0 if it is no array.
    pub index: u32,
    /// Its byte address.
    pub address: u32,
    /// The value.
    pub value: u32,
}

/// What register values are derived from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Facts<'a> {
    pub(crate) shader: &'a Shader,
    pub(crate) chip: Chip,
    pub(crate) key: &'a ShaderKey,
    pub(crate) inputs: &'a [InputSlot],
    pub(crate) outputs: &'a [OutputSlot],
    /// Streams to which a geometry shader emits vertices, one bit each.
    pub(crate) streams: u8,
    pub(crate) entry: EntryRegisters,
    pub(crate) num_gprs: u8,
    pub(crate) stack_size: u32,
    /// Vec4 of scratch memory.
    pub(crate) scratch_size: u16,
}

impl Facts<'_> {
    /// The meaning of a property's value; `None` if the shader does not set the property.
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

/// The register values collected so far.
pub(super) struct State {
    pub(super) generation: Generation,
    pub(super) values: Vec<RegisterValue>,
}

impl State {
    /// An empty word, to which fields are added.
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

    /// Sets the n-th register of an array. Does nothing if the generation lacks the register.
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

    /// Sets a register that has one field.
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
