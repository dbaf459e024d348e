//! Registers that tell the hardware how to run a program.

use crate::Generation;

/// A state register, or an array of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateRegister {
    /// Its name.
    pub name: &'static str,
    addresses: [Option<u32>; 4],
    count: u32,
}

impl StateRegister {
    /// `count` registers from a byte address, which differs by generation.
    pub(crate) const fn new(name: &'static str, addresses: [Option<u32>; 4], count: u32) -> Self {
        Self { name, addresses, count }
    }

    /// Whether `generation` has it.
    #[must_use]
    pub const fn exists_on(&self, generation: Generation) -> bool {
        self.addresses[generation as usize].is_some()
    }

    /// Byte address of the n-th register; `None` if it does not exist.
    #[must_use]
    pub fn address(&self, generation: Generation, index: u32) -> Option<u32> {
        let base = self.addresses[generation as usize]?;
        (index < self.count).then(|| base + 4 * index)
    }

    /// Registers of the array.
    #[must_use]
    pub const fn count(&self) -> u32 {
        self.count
    }
}

#[cfg(test)]
mod tests {
    use crate::registers::{cb_shader_control, spi_vs_out_id};

    use super::*;

    #[test]
    fn addresses_differ_by_generation_and_end_with_the_array() {
        let ids = spi_vs_out_id::REGISTER;
        assert_eq!(ids.address(Generation::R700, 1), Some(0x28618));
        assert_eq!(ids.address(Generation::Cayman, 9), Some(0x28640));
        assert_eq!(ids.address(Generation::R600, ids.count()), None);
        assert!(!cb_shader_control::REGISTER.exists_on(Generation::Evergreen));
    }
}
