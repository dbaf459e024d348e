//! What a caller chooses, by names and numbers.

use r600_codegen::{OptLevel, Options, UnknownLevel};
use r600_isa::Chip;

use crate::problem::Problems;

/// How to compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CompileSettings {
    /// Level of optimisation, 0 to 3.
    pub level: u32,
    /// Whether rewrites that could change a float result are forbidden.
    pub precise: bool,
}

impl Default for CompileSettings {
    fn default() -> Self {
        Self { level: 2, precise: false }
    }
}

impl CompileSettings {
    pub(crate) fn level(self) -> Result<OptLevel, Problems> {
        let level = self.level.to_string().parse::<OptLevel>();
        level.map_err(|error: UnknownLevel| {
            Problems::one(format!("there is no level {}: {error}", self.level))
        })
    }

    pub(crate) fn options(self) -> Result<Options, Problems> {
        Ok(Options::default().level(self.level()?).precise(self.precise))
    }
}

/// The chip of this name, or the error that names all chips.
pub(crate) fn chip_of_name(name: &str) -> Result<Chip, Problems> {
    Chip::from_name(name).ok_or_else(|| {
        let names: Vec<_> = Chip::ALL.iter().map(|chip| chip.name()).collect();
        Problems::one(format!(
            "there is no chip called `{name}`; known chips: {}",
            names.join(", ")
        ))
    })
}
