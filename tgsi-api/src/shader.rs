//! Shaders: read from any form, checked, printed, run, compiled.

use r600_codegen::{CompileError, Compiler};
use tgsi_binary::{Host, TokenFormat};
use tgsi_exec::{Kernel, STEP_LIMIT};
use tgsi_ir::Authority;
use tgsi_ir::translate::Origins;
use tgsi_ir::validate::Place;
use tgsi_spirv::interface::Interface;
use tgsi_text::{PrintOptions, SourceMap, Style, Today};

use crate::interpreted::Answer;
use crate::launch::Launch;
use crate::problem::{Problem, Problems};
use crate::program::Program;
use crate::provided::Provided;
use crate::settings::{CompileSettings, chip_of_name};

/// A shader in today's words, with the text that its places point into.
#[derive(Clone, Debug)]
pub struct Shader {
    pub(crate) shader: tgsi_ir::Shader,
    source_map: SourceMap,
    /// What its parts come from in the shader of the text.
    origins: Origins,
    text: String,
    warnings: Problems,
    /// The names of the module that it was translated from.
    pub(crate) interface: Option<Interface>,
}

/// A stream of words, as drivers pass shaders on.
pub type Tokens = Vec<u32>;

impl Shader {
    /// Reads TGSI text of any dialect that states itself, a stream of words (little-endian), or a SPIR-V module with one
    /// entry point. Which it is, the bytes tell.
    ///
    /// # Errors
    /// Everything that is wrong with it.
    pub fn read(bytes: &[u8]) -> Result<Self, Problems> {
        if tgsi_spirv::is_spirv(bytes) {
            return Self::from_spirv(bytes, None);
        }
        // The first byte of a stream is the size of its header; no text begins with such a byte.
        if matches!(bytes.first(), Some(2..=8)) {
            return Self::from_bytes(bytes);
        }
        match std::str::from_utf8(bytes) {
            Ok(text) => Self::from_text(text),
            Err(error) => {
                let at = error.valid_up_to();
                let problem = Problem::error("the text is not UTF-8");
                Err(Problem { span: Some(at..at + 1), ..problem }.into())
            }
        }
    }

    /// Reads text.
    ///
    /// # Errors
    /// Every mistake, and every rule that the shader breaks.
    pub fn from_text(text: &str) -> Result<Self, Problems> {
        let parsed = tgsi_text::parse(text);
        let mut problems = found(&parsed.findings(text), text);
        if problems.has_errors() {
            return Err(problems);
        }
        let today = parsed.to_today(text, Authority::Document);
        let today = today.map_err(|findings| found(&findings, text))?;
        problems.0.extend(found(&today.notes, text).0);
        let Today { shader, source_map, origins, .. } = today;
        let text = text.to_owned();
        Ok(Self { shader, source_map, origins, text, warnings: problems, interface: None })
    }

    /// Reads a stream of words in today's dialect, as [`tokens`](Self::tokens) writes it.
    ///
    /// # Errors
    /// Where the stream breaks, or every rule that the shader breaks.
    pub fn from_tokens(words: &[u32]) -> Result<Self, Problems> {
        let decoded = tgsi_binary::decode(words, TokenFormat::default());
        let decoded = decoded.map_err(|error| Problems::one(error.to_string()))?;
        Self::from_text(&printed(&decoded.shader))
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, Problems> {
        let words = Host::Little.words(bytes);
        Self::from_tokens(&words.map_err(|error| Problems::one(error.to_string()))?)
    }

    /// Translates an entry point of a SPIR-V module; without a name, the only one.
    ///
    /// # Errors
    /// What is wrong with the module, or has no counterpart.
    pub fn from_spirv(bytes: &[u8], entry: Option<&str>) -> Result<Self, Problems> {
        let refused = |error: tgsi_spirv::Error| Problems::one(error.to_string());
        let options = tgsi_spirv::Options::default();
        let names = tgsi_spirv::entry_points(bytes, &options).map_err(refused)?;
        let name = match (entry, names.as_slice()) {
            (Some(entry), names) => names.iter().find(|name| *name == entry),
            (None, [only]) => Some(only),
            (None, _) => None,
        };
        let name = name.ok_or_else(|| {
            let names = names.join(", ");
            Problems::one(format!("the module has the entry points {names}; name one"))
        })?;
        // Entry points of several stages may have one name.
        let all = tgsi_spirv::translate(bytes, &options.entry(name)).map_err(refused)?;
        let chosen = all.into_iter().next();
        let chosen = chosen.ok_or_else(|| Problems::one(format!("nothing is left of `{name}`")))?;
        let shader = Self::from_text(&printed(&chosen.shader))?;
        Ok(Self { interface: Some(chosen.interface), ..shader })
    }

    /// What is probably wrong with it.
    pub fn warnings(&self) -> &Problems {
        &self.warnings
    }

    /// Its text, in the usual form.
    pub fn text(&self) -> String {
        printed(&self.shader)
    }

    /// Its words in today's dialect.
    ///
    /// # Errors
    /// What the words have no field for.
    pub fn tokens(&self) -> Result<Tokens, Problems> {
        tgsi_binary::encode(&self.shader, TokenFormat::default())
            .map_err(|error| Problems::one(error.to_string()))
    }

    /// Runs it on a quad in the reference interpreter. `inputs` and the result are the JSON of `tgsi run`.
    ///
    /// # Errors
    /// What is wrong with the inputs, or stops the run.
    pub fn run(&self, inputs: &str) -> Result<String, Problems> {
        let launch = Launch::from_json(inputs)?;
        let given = launch.inputs(&self.shader).map_err(Problems::one)?;
        let bound = launch.bind_inline().map_err(Problems::one)?;
        let mut provided = Provided::new(launch, bound);
        let stopped = |error: tgsi_exec::ExecError| {
            let place = error.at().map(Place::Instruction);
            let help = error.help().map(str::to_owned);
            let message = error.placed_by(|at| self.origins.instruction(at)).to_string();
            Problems::from(self.placed(Problem { help, ..Problem::error(message) }, place))
        };
        let kernel = Kernel::new(&self.shader).map_err(stopped)?;
        let ran = kernel.run(&given, STEP_LIMIT, &mut provided).map_err(stopped)?;
        let answer = Answer { shader: &self.shader, ran: &ran, provided: &provided };
        Ok(format!("{}\n", answer.to_json()))
    }

    /// Compiles it for the chip of this name.
    ///
    /// # Errors
    /// A name that no chip has, or what the chip or the compiler cannot do.
    pub fn compile(&self, chip: &str, settings: &CompileSettings) -> Result<Program, Problems> {
        let chip = chip_of_name(chip)?;
        let compiler = Compiler::new(settings.options()?);
        let compiler = compiler.map_err(|error| Problems::one(error.to_string()))?;
        let compiled = compiler.compile(&self.shader, chip);
        let compiled = compiled.map_err(|error| Problems::from(self.refused(&error)))?;
        let (processor, interface) = (self.shader.processor, self.interface.clone());
        let origins = self.origins.clone();
        Ok(Program { compiled, processor, chip, origins, interface })
    }

    /// Why the compiler does not take it.
    pub(crate) fn refused(&self, error: &CompileError) -> Problem {
        self.placed(Problem::error(error.complaint()), error.place())
    }

    /// `problem` at the part of the shader that it is about.
    fn placed(&self, problem: Problem, place: Option<Place>) -> Problem {
        let Some(place) = place else { return problem };
        let span = self.source_map.span(place, &self.text);
        problem.at(span.range(), &self.text)
    }
}

fn printed(shader: &tgsi_ir::Shader) -> String {
    tgsi_text::print(shader, PrintOptions::default().style(Style::Lossless))
}

fn found(findings: &[tgsi_text::Finding], text: &str) -> Problems {
    Problems(findings.iter().map(|finding| Problem::found(finding, text)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_may_have_the_mark_of_an_editor() {
        let text = "\u{feff}FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], OUT[0]\nEND\n";
        assert!(Shader::from_text(text).is_ok());
        assert!(Shader::read(text.as_bytes()).is_ok());
    }
}
