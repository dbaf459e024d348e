//! Shaders as parsed text, with the places of their parts.

use std::path::Path;

use r600_isa::Generation;
use tgsi_binary::{Host, TokenFormat};
use tgsi_ir::modernise::Inexpressible;
use tgsi_ir::translate::{Note, Origins, translate_by};
use tgsi_ir::validate::{self, Omitted};
use tgsi_ir::{Authority, Dialect, InstructionId, Shader};
use tgsi_spirv::interface::Interface;
use tgsi_text::{ParseOptions, Parsed, PrintOptions, SourceMap, Style, Today};

use crate::frontend::Source;
use crate::input::{Input, SHADER_FILE, TextInput, hex_words};
use crate::isa::could_run;
use crate::limits;
use crate::problem::{Finding, Place, Problems, Severity};
use crate::reading::Reading;

/// A shader parsed from text.
pub(crate) struct ShaderInput {
    /// The text.
    pub(crate) input: TextInput,
    /// The parsed shader.
    pub(crate) shader: Shader,
    /// The dialect of the text.
    pub(crate) dialect: Dialect,
    /// The interface, if the shader was translated from SPIR-V.
    pub(crate) interface: Option<Box<Interface>>,
    source_map: SourceMap,
    /// For each part, the part of the text's shader that it comes from.
    pub(crate) origins: Origins,
    warnings: Vec<Finding>,
}

/// The text of a shader, and how to parse it.
pub(crate) struct ShaderText {
    pub(crate) input: TextInput,
    options: ParseOptions,
    /// The interface, if the text was translated from SPIR-V.
    pub(crate) interface: Option<Box<Interface>>,
}

impl ShaderText {
    /// The options for parsing it, with the limits in force.
    pub(crate) fn options(&self) -> ParseOptions {
        self.options.limits(limits::of_shaders())
    }

    /// Text that was read already, in the dialect that it states or else today's.
    pub(crate) fn of_today(input: TextInput) -> Self {
        Self { input, options: ParseOptions::default(), interface: None }
    }

    /// Reads text. Words are converted to text.
    pub(crate) fn read(path: &Path, reading: Reading) -> Result<Self, Problems> {
        Self::from_source(Input::read_shader(path)?, reading)
    }

    fn from_source(source: Source, reading: Reading) -> Result<Self, Problems> {
        match source {
            // A translation is text in today's dialect, whatever the options say.
            Source::Translated(input, interface) => {
                let text = Self::from_input(input, Reading::default())?;
                Ok(Self { interface: Some(interface), ..text })
            }
            Source::AsItIs(input) => Self::from_input(input, reading),
        }
    }

    /// The same, for bytes that were read already.
    pub(crate) fn from_input(input: Input, reading: Reading) -> Result<Self, Problems> {
        // The first byte of a stream is the size of its header. Text never starts with such a byte.
        let is_binary = matches!(input.bytes.first(), Some(2..=8));
        if reading.format.hex || is_binary {
            return Self::from_tokens(input, reading);
        }
        if input.is_hex() {
            let finding =
                Finding::error("is text of hexadecimal digits, not of a shader", Place::Whole);
            return Err(Problems::one(&input.name, None, finding.with_help("`--hex` reads it")));
        }
        let input = input.into_text()?;
        let options = reading.text(&input.text);
        Ok(Self { input, options, interface: None })
    }

    /// Decodes a stream. Findings point into its text form.
    fn from_tokens(input: Input, reading: Reading) -> Result<Self, Problems> {
        let name = input.name.clone();
        let words = token_words(input, reading)?;
        let format = reading.tokens();
        let decoded = tgsi_binary::decode_within(&words, format, limits::of_shaders())
            .map_err(|error| undecoded(&name, &words, reading, &error.to_string()))?;
        let dialect = format.dialect;
        let options = PrintOptions::default().style(Style::Lossless).dialect(dialect);
        let text = tgsi_text::print(&decoded.shader, options);
        let input = TextInput { name, text };
        Ok(Self { input, options: dialect.into(), interface: None })
    }
}

impl ShaderInput {
    /// Reads a shader, as text or words. Every mistake is a finding.
    pub(crate) fn read_as(path: &Path, reading: Reading) -> Result<Self, Problems> {
        ShaderText::read(path, reading).and_then(Self::parse_text)
    }

    /// Decodes a stream. Findings point into its text form.
    pub(crate) fn from_tokens(input: Input, reading: Reading) -> Result<Self, Problems> {
        ShaderText::from_tokens(input, reading).and_then(Self::parse_text)
    }

    /// Parses text that was read already.
    pub(crate) fn parse_text(text: ShaderText) -> Result<Self, Problems> {
        let options = text.options();
        let ShaderText { input, interface, .. } = text;
        let parsed = tgsi_text::parse_with(&input.text, options);
        if parsed.has_errors() {
            return Err(mistakes_of(input, &parsed.diagnostics));
        }
        let findings = parsed.mistakes().map(Finding::from).collect();
        let (shader, source_map, dialect) = (parsed.shader, parsed.source_map, parsed.dialect);
        let origins = Origins::same(&shader);
        Ok(Self { input, shader, dialect, interface, source_map, origins, warnings: findings })
    }

    /// Reads a valid shader, and converts it to today's dialect.
    pub(crate) fn read_valid(path: &Path, reading: Reading) -> Result<Self, Problems> {
        Self::read_as(path, reading)?.into_valid()?.into_today(reading.meaning)
    }

    /// The same, for the shaders of all stages in the file.
    pub(crate) fn read_stages(path: &Path, reading: Reading) -> Result<Vec<Self>, Problems> {
        let read = |source| {
            let text = ShaderText::from_source(source, reading)?;
            Self::parse_valid(text, reading.meaning)
        };
        Input::read_stages(path)?.into_iter().map(read).collect()
    }

    /// The same, for text that was read already.
    pub(crate) fn parse_valid(text: ShaderText, meaning: Authority) -> Result<Self, Problems> {
        Self::parse_text(text)?.into_valid()?.into_today(meaning)
    }

    fn into_valid(self) -> Result<Self, Problems> {
        let mut findings = self.violations();
        findings.retain(|finding| finding.severity == Severity::Error);
        if findings.is_empty() { Ok(self) } else { Err(self.problems(findings)) }
    }

    /// Converts the shader to today's dialect. Possible surprises are reported as warnings. Places still refer to the
    /// text.
    pub(crate) fn into_today(self, meaning: Authority) -> Result<Self, Problems> {
        let Self { input, shader, dialect, interface, source_map, mut warnings, .. } = self;
        let parsed = Parsed {
            shader,
            source_map,
            diagnostics: Vec::new(),
            dialect,
            omitted: Omitted::default(),
        };
        match parsed.to_today(&input.text, meaning) {
            Ok(Today { shader, source_map, origins, notes }) => {
                warnings.extend(notes.into_iter().map(Finding::from));
                Ok(Self { input, shader, dialect, interface, source_map, origins, warnings })
            }
            Err(findings) => {
                let findings = findings.into_iter().map(Finding::from).collect();
                Err(Problems { name: input.name, text: Some(input.text), findings })
            }
        }
    }

    /// Adds a warning about the shader as a whole.
    pub(crate) fn warn(&mut self, message: String, help: &str) {
        let finding = Finding::error(message, Place::Whole).with_help(help);
        self.warnings.push(Finding { severity: Severity::Warning, ..finding });
    }

    /// Takes the warnings, so that they are shown only once.
    pub(crate) fn take_warnings(&mut self) -> Option<Problems> {
        let findings = std::mem::take(&mut self.warnings);
        let (name, text) = (self.input.name.clone(), Some(self.input.text.clone()));
        (!findings.is_empty()).then_some(Problems { name, text, findings })
    }

    /// Other dialects in which the text is a valid shader.
    pub(crate) fn other_dialects(text: &str, tried: Dialect) -> Vec<Dialect> {
        let is_good = |dialect: &Dialect| {
            let parsed = tgsi_text::parse_with(text, ParseOptions::from(*dialect));
            let findings = parsed.findings(text);
            findings.iter().all(|finding| finding.severity != tgsi_text::Severity::Error)
        };
        Dialect::ALL.into_iter().filter(|&other| other != tried).filter(is_good).collect()
    }

    /// Translates the shader to another dialect. Remaining differences are reported as warnings. Places still refer to
    /// the shader that was read.
    pub(crate) fn translate(
        mut self,
        (from, meaning): (Dialect, Authority),
        to: Dialect,
    ) -> Result<Self, Problems> {
        if from == to {
            return Ok(self);
        }
        match translate_by(&self.shader, (from, meaning), to) {
            Ok(translation) => {
                let note = |note: &Note| Finding {
                    severity: Severity::Warning,
                    ..self.finding(note.place, note.message.to_owned())
                };
                let notes: Vec<_> = translation.notes.iter().map(note).collect();
                self.warnings.extend(notes);
                Ok(Self { shader: translation.shader, ..self })
            }
            Err(problems) => {
                let finding = |one: &Inexpressible| Finding {
                    help: one.reason.help(),
                    ..self.finding(one.place, one.reason.to_string())
                };
                let findings = problems.iter().map(finding).collect();
                Err(self.refused(findings))
            }
        }
    }

    /// The warnings so far, followed by findings that stop the processing of this shader.
    pub(crate) fn refused(mut self, findings: Vec<Finding>) -> Problems {
        let mut all = std::mem::take(&mut self.warnings);
        all.extend(findings);
        self.problems(all)
    }

    /// An error at a part of the shader.
    pub(crate) fn finding(&self, place: validate::Place, message: String) -> Finding {
        Finding::error(message, self.place(place))
    }

    /// All problems of a text, as far as it can be parsed.
    pub(crate) fn judge(text: ShaderText) -> Option<Problems> {
        let options = text.options();
        let TextInput { name, text } = text.input;
        let findings = tgsi_text::parse_with(&text, options).findings(&text);
        let findings: Vec<_> = findings.into_iter().map(Finding::from).collect();
        (!findings.is_empty()).then_some(Problems { name, text: Some(text), findings })
    }

    /// All findings of the validator.
    fn violations(&self) -> Vec<Finding> {
        let Self { shader, source_map, input, dialect, .. } = self;
        let found = tgsi_text::violations(shader, source_map, &input.text, *dialect);
        found.into_iter().map(Finding::from).collect()
    }

    /// The place of an instruction.
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

/// The words of a stream, in the byte order of its machine.
pub(crate) fn token_words(input: Input, reading: Reading) -> Result<Vec<u32>, Problems> {
    if reading.format.hex {
        return hex_words(input);
    }
    input.check_is_binary()?;
    let words = reading.tokens().host.words(&input.bytes);
    words.map_err(|error| Problems::whole(&input.name, error.to_string()))
}

/// The problem of words that cannot be decoded, with advice.
fn undecoded(name: &str, words: &[u32], reading: Reading, message: &str) -> Problems {
    let finding = Finding::error(message, Place::Whole);
    let help = other_dialects(words, reading)
        .or_else(|| other_host(words, reading))
        .or_else(|| other_kind(words).map(str::to_owned));
    Problems::one(name, None, Finding { help, ..finding })
}

fn decodes(words: &[u32], format: TokenFormat) -> bool {
    tgsi_binary::decode_within(words, format, limits::of_shaders()).is_ok()
}

/// Advice on other dialects in which the words can be decoded.
fn other_dialects(words: &[u32], reading: Reading) -> Option<String> {
    let others = Dialect::ALL.iter().filter(|other| **other != reading.tokens().dialect);
    let flags: Vec<String> = others
        .filter(|other| decodes(words, reading.machine.tokens(**other)))
        .map(|other| format!("`--dialect {}`", other.name()))
        .collect();
    (!flags.is_empty()).then(|| format!("{} reads them", flags.join(" or ")))
}

/// Advice on the other byte order, if the words can be decoded in it.
fn other_host(words: &[u32], reading: Reading) -> Option<String> {
    let format = reading.tokens();
    let (other, name) = match format.host {
        Host::Little => (Host::Big, "big"),
        Host::Big => (Host::Little, "little"),
    };
    // Words in hexadecimal have the machine's order already.
    let words = match reading.format.hex {
        true => words.to_vec(),
        false => other.words(&format.host.bytes(words)).ok()?,
    };
    let is_it = decodes(&words, TokenFormat { host: other, ..format });
    is_it.then(|| format!("`--host {name}` reads them"))
}

/// Advice on what reads words that are not a shader.
fn other_kind(words: &[u32]) -> Option<&'static str> {
    let first = words.first()?.to_le_bytes();
    if first == SHADER_FILE {
        return Some("it is a shader file of the Wii U: `tgsi unlink` lists its shaders");
    }
    let is_code = Generation::ALL.into_iter().any(|generation| could_run(words, generation));
    is_code.then_some("it looks like machine code: `tgsi disasm` lists that")
}

/// The mistakes of a text.
pub(crate) fn mistakes_of(input: TextInput, mistakes: &[tgsi_text::Diagnostic]) -> Problems {
    let finding = |mistake| Finding::from(tgsi_text::Finding::from(mistake));
    let findings = mistakes.iter().map(finding).collect();
    Problems { name: input.name, text: Some(input.text), findings }
}
