//! Shaders as the commands take them: text that was read, with the places of its parts.

use std::path::Path;

use tgsi_ir::modernise::Inexpressible;
use tgsi_ir::translate::{Note, translate};
use tgsi_ir::validate;
use tgsi_ir::{Dialect, InstructionId, Shader};
use tgsi_text::{ParseOptions, PrintOptions, SourceMap, Style};

use crate::input::{Input, TextInput, hex_words};
use crate::limits;
use crate::problem::{Finding, Place, Problems, Severity};
use crate::reading::Reading;
use crate::report::Reporter;

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
    /// Reads a shader of today's dialect, text or words; every mistake is a finding.
    pub(crate) fn read(path: &Path) -> Result<Self, Problems> {
        Self::read_as(path, Reading::default())
    }

    /// Reads a shader, text or words.
    pub(crate) fn read_as(path: &Path, reading: Reading) -> Result<Self, Problems> {
        let input = Input::read(path)?;
        // The first byte of a stream is the size of its header; no text begins with such a byte.
        let is_binary = matches!(input.bytes.first(), Some(2..=8));
        if reading.format.hex || is_binary {
            return Self::from_tokens(input, reading);
        }
        Self::parse_as(input.into_text()?, reading.text())
    }

    /// Decodes a stream. Findings point into the text that it prints as.
    pub(crate) fn from_tokens(input: Input, reading: Reading) -> Result<Self, Problems> {
        let name = input.name.clone();
        let words = token_words(input, reading)?;
        let decoded = tgsi_binary::decode_within(&words, reading.tokens(), limits::of_shaders())
            .map_err(|error| Problems::whole(&name, error.to_string()))?;
        let dialect = reading.dialect;
        let options = PrintOptions { style: Style::Lossless, dialect };
        let text = tgsi_text::print(&decoded.shader, options);
        Self::parse_as(TextInput { name, text }, dialect.into())
    }

    /// Parses text of today's dialect that was read already.
    pub(crate) fn parse(input: TextInput) -> Result<Self, Problems> {
        Self::parse_as(input, ParseOptions::default())
    }

    fn parse_as(input: TextInput, options: ParseOptions) -> Result<Self, Problems> {
        let options = ParseOptions { limits: limits::of_shaders(), ..options };
        let parsed = tgsi_text::parse_with(&input.text, options);
        if parsed.has_errors() {
            return Err(mistakes_of(input, &parsed.diagnostics));
        }
        let findings = parsed.mistakes().map(Finding::from).collect();
        let (shader, source_map) = (parsed.shader, parsed.source_map);
        Ok(Self { input, shader, source_map, warnings: findings })
    }

    /// Reads a shader that has a meaning.
    pub(crate) fn read_valid(path: &Path) -> Result<Self, Problems> {
        Self::read(path)?.into_valid()
    }

    /// The same for text that was read already.
    pub(crate) fn parse_valid(input: TextInput) -> Result<Self, Problems> {
        Self::parse(input)?.into_valid()
    }

    fn into_valid(mut self) -> Result<Self, Problems> {
        let mut findings = self.judge();
        findings.retain(|finding| finding.severity == Severity::Error);
        if findings.is_empty() { Ok(self) } else { Err(self.problems(findings)) }
    }

    /// Shows what the reader warned of.
    pub(crate) fn show_warnings(&mut self, reporter: Reporter) {
        let findings = std::mem::take(&mut self.warnings);
        self.show(findings, reporter);
    }

    fn show(&self, findings: Vec<Finding>, reporter: Reporter) {
        if !findings.is_empty() {
            let text = Some(self.input.text.clone());
            reporter.show(&Problems { name: self.input.name.clone(), text, findings });
        }
    }

    /// Carries the shader to another dialect; what remains different is shown as warnings. Places go on to be
    /// those of the shader that was read.
    pub(crate) fn translate(
        self,
        from: Dialect,
        to: Dialect,
        reporter: Reporter,
    ) -> Result<Self, Problems> {
        if from == to {
            return Ok(self);
        }
        match translate(&self.shader, from, to) {
            Ok(translation) => {
                let note = |note: &Note| Finding {
                    severity: Severity::Warning,
                    ..self.finding(note.place, note.message.to_owned())
                };
                let notes = translation.notes.iter().map(note).collect();
                self.show(notes, reporter);
                Ok(Self { shader: translation.shader, ..self })
            }
            Err(problems) => {
                let finding = |one: &Inexpressible| self.finding(one.place, one.reason.to_string());
                let findings = problems.iter().map(finding).collect();
                Err(self.problems(findings))
            }
        }
    }

    /// An error at a part of the shader.
    pub(crate) fn finding(&self, place: validate::Place, message: String) -> Finding {
        Finding::error(message, self.place(place))
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
        self.place(validate::Place::Instruction(id))
    }

    fn place(&self, place: validate::Place) -> Place {
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

/// The words of a stream in the form that its machine writes.
pub(crate) fn token_words(input: Input, reading: Reading) -> Result<Vec<u32>, Problems> {
    if reading.format.hex {
        return hex_words(input);
    }
    let words = reading.tokens().host.words(&input.bytes);
    words.map_err(|error| Problems::whole(&input.name, error.to_string()))
}

/// The mistakes of a text.
pub(crate) fn mistakes_of(input: TextInput, mistakes: &[tgsi_text::Diagnostic]) -> Problems {
    let finding = |mistake| Finding::from(tgsi_text::Finding::from(mistake));
    let findings = mistakes.iter().map(finding).collect();
    Problems { name: input.name, text: Some(input.text), findings }
}
