//! Shaders in other languages, which whoever serves the page translates.

use std::fmt::Debug;
use std::ops::Range;
use std::time::Duration;

use tgsi_ir::Shader;

use crate::language::Language;

/// Makes TGSI of shaders in other languages.
pub trait Translator: Debug + Send + Sync {
    /// Translates `text`, which is no TGSI, within `time`.
    ///
    /// # Errors
    /// What is wrong with the text, or why it cannot be translated here; at least one complaint.
    fn translate(
        &self,
        text: &str,
        language: Language,
        time: Duration,
    ) -> Result<Translated, Vec<Complaint>>;
}

/// A shader that was something else.
#[derive(Clone, Debug)]
pub struct Translated {
    /// The shader.
    pub shader: Shader,
    /// The line of the text, from 0, that each instruction comes from, where it is known.
    pub lines: Vec<Option<usize>>,
}

/// Something wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Complaint {
    /// What is wrong.
    pub message: String,
    /// What helps.
    pub help: Option<String>,
    /// Where.
    pub place: ComplaintPlace,
}

/// Where something is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ComplaintPlace {
    /// Nowhere in particular.
    Whole,
    /// A line, counted from 0.
    Line(usize),
    /// Bytes of the text.
    Span(Range<usize>),
}

impl Complaint {
    /// A complaint without help.
    pub fn new(message: impl Into<String>, place: ComplaintPlace) -> Self {
        Self { message: message.into(), help: None, place }
    }
}
