//! Shaders in other languages, translated by the program that serves the page.

use std::fmt::Debug;
use std::ops::Range;
use std::time::Duration;

use tgsi_ir::Shader;

use crate::language::Language;

/// Translates shaders in other languages to TGSI.
pub trait Translator: Debug + Send + Sync {
    /// Translates `text`, which is not TGSI, within `time`.
    ///
    /// # Errors
    /// The errors in the text, or why it cannot be translated here; at least one complaint.
    fn translate(
        &self,
        text: &str,
        language: Language,
        time: Duration,
    ) -> Result<Translated, Vec<Complaint>>;
}

/// A shader translated from another language.
#[derive(Clone, Debug)]
pub struct Translated {
    /// The shader.
    pub shader: Shader,
    /// The line of the text, from 0, that each instruction comes from, if known.
    pub lines: Vec<Option<usize>>,
}

/// A problem with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// The problem.
    pub message: String,
    /// How to fix it.
    pub help: Option<String>,
    /// The place.
    pub place: ComplaintPlace,
}

/// The place of a problem in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ComplaintPlace {
    /// No particular place.
    Whole,
    /// A line, counted from 0.
    Line(usize),
    /// A range of bytes.
    Span(Range<usize>),
}

impl Complaint {
    /// A complaint without help.
    pub fn new(message: impl Into<String>, place: ComplaintPlace) -> Self {
        Self { message: message.into(), help: None, place }
    }
}
