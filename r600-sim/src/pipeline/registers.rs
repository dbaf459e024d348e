//! State registers as written by a driver.

use std::collections::BTreeMap;

use r600_isa::{Chip, FieldSet, Generation, StateRegister, WordReader};

use super::fault::StateFault;

/// The state registers of a draw or a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateRegisters {
    chip: Chip,
    values: BTreeMap<u32, u32>,
}

impl StateRegisters {
    /// Unwritten registers of `chip`.
    #[must_use]
    pub fn new(chip: Chip) -> Self {
        Self { chip, values: BTreeMap::new() }
    }

    /// Writes the register at a byte address.
    pub fn set(&mut self, address: u32, value: u32) {
        self.values.insert(address, value);
    }

    /// The value of the register at a byte address; 0 if unwritten.
    #[must_use]
    pub fn value(&self, address: u32) -> u32 {
        self.values.get(&address).copied().unwrap_or(0)
    }

    /// The chip that has these registers.
    #[must_use]
    pub fn chip(&self) -> Chip {
        self.chip
    }

    pub(super) fn generation(&self) -> Generation {
        self.chip.generation()
    }

    /// Whether the SPI interpolates parameters, rather than the program.
    pub(super) fn interpolates(&self) -> bool {
        matches!(self.generation(), Generation::R600 | Generation::R700)
    }

    /// A register that the stage needs; it must have been written.
    pub(super) fn word(
        &self,
        register: StateRegister,
        index: u32,
    ) -> Result<WordReader, StateFault> {
        let name = register.name;
        let address = register.address(self.generation(), index);
        let address = address.ok_or(StateFault::NoRegister { register: name, index })?;
        let value = self.values.get(&address).copied();
        let value = value.ok_or(StateFault::NotSet { register: name, index })?;
        Ok(WordReader::new(self.generation(), value))
    }

    /// A register, if it was written.
    pub(super) fn optional_word(&self, register: StateRegister, index: u32) -> Option<WordReader> {
        self.word(register, index).ok()
    }

    /// The field of a register that has only this one; `None` if the generation lacks the register.
    pub(super) fn late_field(
        &self,
        register: StateRegister,
        field: &FieldSet,
    ) -> Result<Option<u32>, StateFault> {
        match register.exists_on(self.generation()) {
            true => Ok(Some(self.word(register, 0)?.get(field))),
            false => Ok(None),
        }
    }
}
