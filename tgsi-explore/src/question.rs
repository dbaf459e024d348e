//! Requests of the page.

use r600_codegen::OptLevel;
use serde::{Deserialize, Serialize};

/// A request of the page.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The shader.
    pub text: String,
    /// The name of a chip.
    pub chip: String,
    /// The optimisation level.
    #[serde(default, with = "level")]
    pub level: OptLevel,
    /// Whether rewrites that could change a float result are forbidden.
    #[serde(default)]
    pub precise: bool,
    /// The view to show.
    #[serde(default)]
    pub view: View,
    /// The pass after which the shader is shown, for [`View::Pass`].
    #[serde(default)]
    pub pass: Option<String>,
    /// The row of the cursor, from 0: [`View::Deps`] shows the block that its instruction is in.
    #[serde(default)]
    pub row: Option<usize>,
}

/// The available views.
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
    /// The control flow graph.
    Cfg,
    /// The passes.
    Passes,
    /// The dependences in the block of the cursor, or else in the longest block.
    Deps,
    /// Only the costs of the shader.
    Costs,
}

/// Levels by name.
mod level {
    use r600_codegen::OptLevel;
    use serde::de::Error as _;
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(level: &OptLevel, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(level)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<OptLevel, D::Error> {
        let name = String::deserialize(from)?;
        name.parse().map_err(D::Error::custom)
    }
}
