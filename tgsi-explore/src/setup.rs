//! Data that the page needs before it compiles anything.

use r600_isa::Chip;
use serde::Serialize;

use crate::limits::Limits;

/// An example shader.
#[derive(Clone, Debug, Serialize)]
pub struct Example {
    /// Its name, like a file name without extension.
    pub name: &'static str,
    /// The shader.
    pub text: &'static str,
}

macro_rules! examples {
    ($($name:literal),* $(,)?) => {
        &[$(Example { name: $name, text: include_str!(concat!("../page/examples/", $name, ".tgsi")) }),*]
    };
}

const EXAMPLES: &[Example] = examples![
    "phong.frag",
    "phong.vert",
    "textured.frag",
    "textured.vert",
    "shadow.frag",
    "loop.frag",
];

/// Data that the page needs before it compiles anything.
#[derive(Clone, Debug, Serialize)]
pub struct Setup {
    chips: Vec<ChipName>,
    examples: &'static [Example],
    /// A shader given on the command line.
    text: Option<String>,
    max_body: usize,
}

#[derive(Clone, Debug, Serialize)]
struct ChipName {
    name: &'static str,
    generation: String,
}

impl Setup {
    /// The set-up of a page that begins with `text`.
    pub fn new(text: Option<String>, limits: &Limits) -> Self {
        let chips = Chip::ALL.iter().map(|chip| ChipName {
            name: chip.name(),
            generation: format!("{:?}", chip.generation()),
        });
        Self { chips: chips.collect(), examples: EXAMPLES, text, max_body: limits.body }
    }
}
