//! How a shader is compiled.

use std::fmt;

use r600_codegen::OptLevel;
use r600_isa::{Chip, Generation};
use tgsi_exec::Angles;

use crate::compare::Strictness;

/// How a shader is compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The chip.
    pub chip: Chip,
    /// The optimisation level.
    pub level: OptLevel,
    /// Whether rewrites that change a float result are forbidden.
    pub precise: bool,
}

impl Target {
    /// Every level for each of `chips`, precise and not. The highest level only adds a longer search over the same
    /// operations, so it is precise only.
    #[must_use]
    pub fn all(chips: &[Chip]) -> Vec<Self> {
        let of_chip = |&chip: &Chip| {
            let all = OptLevel::ALL
                .into_iter()
                .flat_map(move |level| [true, false].map(|precise| Self { chip, level, precise }));
            all.filter(|target| target.level < OptLevel::O3 || target.precise)
        };
        chips.iter().flat_map(of_chip).collect()
    }

    /// How its results are compared.
    #[must_use]
    pub fn strictness(self) -> Strictness {
        if self.precise { Strictness::Precise } else { Strictness::Relaxed }
    }

    /// The unit of the angles that the chip's sine takes.
    #[must_use]
    pub fn angles(self) -> Angles {
        let takes_radians = self.chip.generation() == Generation::R600;
        if takes_radians { Angles::Radians } else { Angles::Revolutions }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let precise = if self.precise { " precise" } else { "" };
        write!(f, "{} {:?}{precise}", self.chip.name(), self.level)
    }
}
