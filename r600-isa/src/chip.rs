//! Generations and chips.

use crate::AluOp;
use crate::generated::chips::{CHIP_INFO, Chip, Hazard};
use crate::hazard::HazardSet;

/// A generation of the family: chips that share an instruction encoding.
///
/// A match on it may be exhaustive. The family is complete, since chips after Cayman have a different instruction set,
/// and code that distinguishes generations should handle each explicitly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Generation {
    /// R600, RV610 to RV670, RS780, RS880.
    R600,
    /// RV710 to RV770, and the Wii U's Latte.
    R700,
    /// Evergreen, and Northern Islands except Cayman.
    Evergreen,
    /// Cayman and Aruba: four slots.
    Cayman,
}

impl Generation {
    /// All four, in order.
    pub const ALL: [Self; 4] = [Self::R600, Self::R700, Self::Evergreen, Self::Cayman];

    /// Whether groups have a trans slot.
    pub const fn has_trans_slot(self) -> bool {
        !matches!(self, Self::Cayman)
    }

    /// Its name, lower case.
    pub const fn name(self) -> &'static str {
        match self {
            Self::R600 => "r600",
            Self::R700 => "r700",
            Self::Evergreen => "evergreen",
            Self::Cayman => "cayman",
        }
    }

    /// The generation with this name, or that of the chip with this name; case does not matter.
    pub fn from_name(name: &str) -> Option<Self> {
        let own = Self::ALL.into_iter().find(|own| own.name().eq_ignore_ascii_case(name));
        own.or_else(|| Chip::from_name(name).map(Chip::generation))
    }

    /// Whether every chip of the generation has this hazard, or is suspected to.
    pub fn has(self, hazard: Hazard) -> bool {
        Chip::ALL.iter().filter(|chip| chip.generation() == self).all(|chip| chip.has(hazard))
    }

    /// Maximum number of fetches in a clause.
    pub const fn max_fetches(self) -> usize {
        match self {
            Self::R600 => 8,
            Self::R700 | Self::Evergreen | Self::Cayman => 16,
        }
    }
}

/// Table entry of a chip.
#[derive(Clone, Copy, Debug)]
pub struct ChipInfo {
    /// Its name, lower case.
    pub name: &'static str,
    /// Its generation.
    pub generation: Generation,
    /// Other names, lower case: products and derived chips.
    pub aliases: &'static [&'static str],
    /// Whether it has a separate vertex cache.
    pub has_vertex_cache: bool,
    /// Whether it supports doubles. Evergreen and Cayman chips that do also have a fused multiply-add of floats.
    pub has_doubles: bool,
    /// Branch stack elements taken by a loop.
    pub stack_entry_size: u8,
    /// SIMD units of the full chip.
    pub num_simds: u8,
    /// Lanes of a wavefront.
    pub wavefront_size: u8,
    /// Its known and suspected hazards.
    pub hazards: HazardSet,
    /// PCI device ids, vendor `0x1002`.
    pub pci_ids: &'static [u16],
}

impl Chip {
    /// Its table entry.
    pub fn info(self) -> &'static ChipInfo {
        &CHIP_INFO[self as usize]
    }

    /// Its name, lower case.
    pub fn name(self) -> &'static str {
        self.info().name
    }

    /// Its generation.
    pub fn generation(self) -> Generation {
        self.info().generation
    }

    /// Branch stack elements taken by a loop.
    pub fn stack_entry_size(self) -> u32 {
        u32::from(self.info().stack_entry_size)
    }

    /// Branch stack elements taken by a call.
    pub fn call_elements(self) -> u32 {
        if self.info().wavefront_size == 16 { 2 } else { 1 }
    }

    /// Whether it has an operation: its generation must, and for double operations the chip as well.
    ///
    /// ```
    /// use r600_isa::{AluOp, Chip};
    ///
    /// assert!(Chip::Cypress.has_op(AluOp::Add64) && !Chip::Cedar.has_op(AluOp::Add64));
    /// ```
    pub fn has_op(self, op: AluOp) -> bool {
        let is_able = self.info().has_doubles || !op.needs_doubles();
        is_able && op.opcode(self.generation()).is_some()
    }

    /// Whether it has this hazard, or is suspected to.
    pub fn has(self, hazard: Hazard) -> bool {
        self.info().hazards.contains(hazard)
    }

    /// The chip with this name or alias; case, spaces and hyphens do not matter.
    ///
    /// ```
    /// use r600_isa::Chip;
    ///
    /// assert_eq!(Chip::from_name("RV770"), Some(Chip::Rv770));
    /// assert_eq!(Chip::from_name("HD 4870"), Some(Chip::Rv770));
    /// assert_eq!(Chip::from_name("Wii-U"), Some(Chip::Latte));
    /// ```
    pub fn from_name(name: &str) -> Option<Self> {
        let plain: String = name
            .chars()
            .filter(|c| !matches!(c, ' ' | '-' | '_'))
            .map(|c| c.to_ascii_lowercase())
            .collect();
        Self::ALL.iter().copied().find(|chip| {
            let info = chip.info();
            info.name == plain || info.aliases.contains(&plain.as_str())
        })
    }

    /// The chip with a PCI device id.
    ///
    /// ```
    /// use r600_isa::Chip;
    ///
    /// assert_eq!(Chip::from_pci_id(0x9440), Some(Chip::Rv770));
    /// ```
    pub fn from_pci_id(id: u16) -> Option<Self> {
        Self::ALL.iter().copied().find(|chip| chip.info().pci_ids.contains(&id))
    }
}
