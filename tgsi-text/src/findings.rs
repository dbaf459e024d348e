//! Everything that is wrong with a text, in one form: mistakes of the text, or else of the shader.

use tgsi_ir::validate::{self, Place, Profile, validate_in};
use tgsi_ir::{Dialect, Shader};

use crate::{Diagnostic, Label, Parsed, Severity, SourceMap};

/// Something that is wrong with a text, or probably wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// The stable name of the rule.
    pub code: &'static str,
    /// What is wrong, in lower case and without a final stop.
    pub message: String,
    /// Where, with a few words where there is more to say.
    pub primary: Label,
    /// Other places that matter.
    pub related: Vec<Label>,
    /// What helps.
    pub help: Option<String>,
}

impl Parsed {
    /// What is wrong with the text that this came from. Only what can be read is judged as a shader.
    pub fn findings(&self, text: &str) -> Vec<Finding> {
        let mut findings: Vec<Finding> = self.mistakes().collect();
        if !self.has_errors() {
            findings.extend(violations(&self.shader, &self.source_map, text, self.dialect));
        }
        findings
    }

    /// What the reader says.
    pub fn mistakes(&self) -> impl Iterator<Item = Finding> {
        self.diagnostics.iter().map(Finding::from)
    }
}

impl From<&Diagnostic> for Finding {
    fn from(diagnostic: &Diagnostic) -> Self {
        Self {
            severity: diagnostic.severity(),
            code: diagnostic.code.name(),
            message: diagnostic.message.clone(),
            primary: diagnostic.primary.clone(),
            related: diagnostic.related.clone(),
            help: diagnostic.help.clone(),
        }
    }
}

/// What the validator finds wrong with a shader of a dialect, with the places in the text that it was read from.
pub fn violations(
    shader: &Shader,
    source_map: &SourceMap,
    text: &str,
    dialect: Dialect,
) -> Vec<Finding> {
    let label = |place: Place, words: &str| Label {
        span: source_map.span(place, text),
        text: words.to_owned(),
    };
    let finding = |diagnostic: validate::Diagnostic| Finding {
        severity: match diagnostic.severity() {
            validate::Severity::Error => Severity::Error,
            validate::Severity::Warning => Severity::Warning,
        },
        code: diagnostic.code.name(),
        primary: label(diagnostic.place, ""),
        related: diagnostic.related.iter().map(|at| label(at.place, at.message)).collect(),
        message: diagnostic.message,
        help: diagnostic.help,
    };
    validate_in(shader, Profile::Full, dialect).into_iter().map(finding).collect()
}

#[cfg(test)]
mod tests {
    use crate::{Severity, parse};

    #[test]
    fn mistakes_of_the_text_come_before_those_of_the_shader() {
        let text = "FRAG\nMOV OUT[0], TMP[0]\nEND\n";
        let findings = parse(text).findings(text);
        assert_eq!(findings.len(), 1, "{findings:?}");
        assert_eq!(&text[findings[0].primary.span.range()], "TMP");
    }

    #[test]
    fn violations_have_their_places() {
        let text = "FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], TEMP[3]\nEND\n";
        let findings = parse(text).findings(text);
        let errors: Vec<_> =
            findings.iter().filter(|finding| finding.severity == Severity::Error).collect();
        assert_eq!(&text[errors[0].primary.span.range()], "TEMP[3]");
    }
}
