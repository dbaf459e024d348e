//! Generations of the R600 family as flags name them.

use clap::ValueEnum;
use r600_isa::{Chip, Generation};

/// A generation by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum GenerationName {
    /// R600, RV610 to RV670, RS780, RS880.
    R600,
    /// RV710 to RV770, and the Wii U's Latte.
    R700,
    /// Evergreen and Northern Islands but Cayman.
    Evergreen,
    /// Cayman and Aruba.
    Cayman,
}

impl GenerationName {
    /// The generation.
    pub(crate) fn generation(self) -> Generation {
        self.chip().generation()
    }

    /// A chip of the generation, for what differs between chips.
    pub(crate) fn chip(self) -> Chip {
        match self {
            Self::R600 => Chip::Rv670,
            Self::R700 => Chip::Rv770,
            Self::Evergreen => Chip::Cypress,
            Self::Cayman => Chip::Cayman,
        }
    }
}
