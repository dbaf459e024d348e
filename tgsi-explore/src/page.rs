//! The page: its files are part of the program.

use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use r600_isa::Chip;
use serde::Serialize;

use crate::limits::Limits;

/// A shader to start from.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Example {
    pub(crate) name: &'static str,
    pub(crate) text: &'static str,
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

/// What the page has to know before anything is compiled.
#[derive(Serialize)]
pub(crate) struct Setup {
    chips: Vec<ChipName>,
    examples: &'static [Example],
    /// A shader given on the command line.
    text: Option<String>,
    max_body: usize,
}

#[derive(Serialize)]
struct ChipName {
    name: &'static str,
    generation: String,
}

impl Setup {
    /// The set-up of a page that begins with `text`.
    pub(crate) fn new(text: Option<String>, limits: &Limits) -> Self {
        let chips = Chip::ALL.iter().map(|chip| ChipName {
            name: chip.name(),
            generation: format!("{:?}", chip.generation()),
        });
        Self { chips: chips.collect(), examples: EXAMPLES, text, max_body: limits.body }
    }
}

/// The page.
pub(crate) async fn index() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/html; charset=utf-8")], include_str!("../page/index.html"))
}

/// How it looks.
pub(crate) async fn style() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/css; charset=utf-8")], include_str!("../page/style.css"))
}

/// What it does.
pub(crate) async fn script() -> impl IntoResponse {
    ([(CONTENT_TYPE, "text/javascript; charset=utf-8")], include_str!("../page/script.js"))
}
