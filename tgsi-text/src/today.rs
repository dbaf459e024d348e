//! Shaders of old dialects translated to today's, with their places in the text.

use tgsi_ir::modernise::Inexpressible;
use tgsi_ir::translate::{Note, Origins, translate_by};
use tgsi_ir::validate::Place;
use tgsi_ir::{Authority, Dialect, Shader};

use crate::{Finding, Label, Parsed, Severity, SourceMap};

/// A shader in today's dialect, read from a text in any dialect.
#[derive(Clone, Debug)]
pub struct Today {
    /// The shader.
    pub shader: Shader,
    /// Where its parts, or their origins, are in the text.
    pub source_map: SourceMap,
    /// The part of the text's shader that each part comes from.
    pub origins: Origins,
    /// Notes on text whose meaning may surprise.
    pub notes: Vec<Finding>,
}

impl Parsed {
    /// Translates the shader to today's dialect. `authority` decides what its own dialect means. A shader already in
    /// today's dialect stays as it is.
    ///
    /// # Errors
    /// Every construct that today's dialect cannot express.
    pub fn to_today(&self, text: &str, authority: Authority) -> Result<Today, Vec<Finding>> {
        let today = Dialect::default();
        if self.dialect == today {
            let (shader, source_map) = (self.shader.clone(), self.source_map.clone());
            let origins = Origins::same(&shader);
            return Ok(Today { shader, source_map, origins, notes: Vec::new() });
        }
        let finding = |severity, code, place: Place, message: String, help| Finding {
            severity,
            code,
            message,
            primary: Label { span: self.source_map.span(place, text), text: String::new() },
            related: Vec::new(),
            help,
        };
        let problem = |one: &Inexpressible| {
            let help = one.reason.help();
            finding(Severity::Error, "inexpressible", one.place, one.reason.to_string(), help)
        };
        let note = |note: &Note| {
            let help = "`--meaning mesa` takes what Mesa did".to_owned();
            let help = note.is_of_document.then_some(help);
            finding(Severity::Warning, "meaning", note.place, note.message.to_owned(), help)
        };
        match translate_by(&self.shader, (self.dialect, authority), today) {
            Ok(translation) => Ok(Today {
                notes: translation.notes.iter().map(note).collect(),
                source_map: self.source_map.rewritten(&translation.origins),
                origins: translation.origins,
                shader: translation.shader,
            }),
            Err(problems) => Err(problems.iter().map(problem).collect()),
        }
    }
}
