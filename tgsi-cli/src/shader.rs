//! Shaders as the commands take them: text that was read, with the places of its parts.

use std::path::Path;

use tgsi_ir::validate;
use tgsi_ir::{InstructionId, Shader};
use tgsi_text::SourceMap;

use crate::input::TextInput;
use crate::problem::{Finding, Place, Problems, Severity};

/// A shader that was read from text.
pub(crate) struct ShaderInput {
    /// The text.
    pub(crate) input: TextInput,
    /// What it says.
    pub(crate) shader: Shader,
    source_map: SourceMap,
    warnings: Vec<Finding>,
}

impl ShaderInput {
    /// Reads a shader; every mistake in the text is a finding.
    pub(crate) fn read(path: &Path) -> Result<Self, Problems> {
        Self::parse(TextInput::read(path)?)
    }

    fn parse(input: TextInput) -> Result<Self, Problems> {
        let parsed = tgsi_text::parse(&input.text);
        let findings: Vec<Finding> = parsed.mistakes().map(Finding::from).collect();
        if parsed.has_errors() {
            return Err(Problems { name: input.name, text: Some(input.text), findings });
        }
        let (shader, source_map) = (parsed.shader, parsed.source_map);
        Ok(Self { input, shader, source_map, warnings: findings })
    }

    /// Reads a shader that has a meaning.
    pub(crate) fn read_valid(path: &Path) -> Result<Self, Problems> {
        Self::parse_valid(TextInput::read(path)?)
    }

    /// The same for text that was read already.
    pub(crate) fn parse_valid(input: TextInput) -> Result<Self, Problems> {
        let mut shader = Self::parse(input)?;
        let mut findings = shader.judge();
        findings.retain(|finding| finding.severity == Severity::Error);
        if findings.is_empty() { Ok(shader) } else { Err(shader.problems(findings)) }
    }

    /// What the reader warned of, and all that the validator finds.
    pub(crate) fn judge(&mut self) -> Vec<Finding> {
        let mut findings = std::mem::take(&mut self.warnings);
        let violations = tgsi_text::violations(&self.shader, &self.source_map, &self.input.text);
        findings.extend(violations.into_iter().map(Finding::from));
        findings
    }

    /// Where an instruction stands.
    pub(crate) fn instruction_place(&self, id: InstructionId) -> Place {
        let place = validate::Place::Instruction(id);
        Place::Span(self.source_map.span(place, &self.input.text).range())
    }

    /// `findings` about this shader.
    pub(crate) fn problems(self, findings: Vec<Finding>) -> Problems {
        Problems { name: self.input.name, text: Some(self.input.text), findings }
    }
}

impl From<tgsi_text::Finding> for Finding {
    fn from(finding: tgsi_text::Finding) -> Self {
        let related = finding.related.into_iter();
        Self {
            severity: match finding.severity {
                tgsi_text::Severity::Error => Severity::Error,
                tgsi_text::Severity::Warning => Severity::Warning,
            },
            code: Some(finding.code.to_owned()),
            message: finding.message,
            place: Place::Span(finding.primary.span.range()),
            label: finding.primary.text,
            related: related.map(|label| (label.span.range(), label.text)).collect(),
            help: finding.help,
        }
    }
}
