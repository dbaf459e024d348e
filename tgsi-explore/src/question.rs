//! What the page asks.

use r600_codegen::OptLevel;
use serde::{Deserialize, Serialize};

/// What the page asks for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The shader.
    pub text: String,
    /// The name of a chip.
    pub chip: String,
    /// How much is optimised.
    #[serde(default)]
    pub level: Level,
    /// Whether rewrites that could change a float result are forbidden.
    #[serde(default)]
    pub precise: bool,
    /// What is to be shown.
    #[serde(default)]
    pub view: View,
    /// The pass after which the shader is shown, for [`View::Pass`].
    #[serde(default)]
    pub pass: Option<String>,
}

/// Optimisation levels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Level {
    /// The simplest correct code.
    O0,
    /// Simplified and packed.
    O1,
    /// Everything.
    #[default]
    O2,
}

impl From<Level> for OptLevel {
    fn from(level: Level) -> Self {
        match level {
            Level::O0 => Self::O0,
            Level::O1 => Self::O1,
            Level::O2 => Self::O2,
        }
    }
}

/// What can be shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum View {
    /// The listing.
    #[default]
    Listing,
    /// Slots by groups.
    Schedule,
    /// The shader after a pass.
    Pass,
    /// The control flow.
    Cfg,
    /// The passes.
    Passes,
    /// What waits for what in the longest block.
    Deps,
    /// Only what the shader costs.
    Costs,
}
