//! Compilation of one shader, on a worker thread.

use std::path::Path;
use std::time::{Duration, Instant};

use pass_manager::Report;
use r600_codegen::{CompileError, Compiled, Compiler, Refusal};
use r600_isa::Chip;
use tgsi_ir::Shader;

use super::entry::Entry;
use super::json;
use super::options::{Emit, Options};
use super::watch::Watch;
use crate::cache::Cache;
use crate::output::{hex_text, word_bytes};
use crate::problem::{Finding, Place, Problems};
use crate::shader::{ShaderInput, ShaderText};

/// The settings that all inputs share.
pub(super) struct Job<'a> {
    pub(super) options: &'a Options,
    pub(super) chip: Chip,
    pub(super) compiler: &'a Compiler,
    pub(super) cache: Option<Cache>,
    /// Whether the inputs may be the stages of one draw.
    pub(super) are_stages: bool,
}

/// The result for one input.
pub(super) struct Done {
    /// The output, or the problems of the input.
    pub(super) result: Result<Produced, Problems>,
    /// The requested dumps of passes.
    pub(super) dumps: String,
    /// Warnings about the meaning of the input.
    pub(super) warnings: Option<Problems>,
    /// The shader of a module, if it may be a stage of a draw.
    pub(super) stage: Option<Shader>,
}

/// The output for one input.
pub(super) struct Produced {
    pub(super) bytes: Vec<u8>,
    pub(super) times: Vec<(&'static str, Duration)>,
}

impl Job<'_> {
    /// Compiles the shader at `path`.
    pub(super) fn run(&self, path: &Path) -> Done {
        let mut watch = Watch::default();
        let mut warnings = None;
        let text = match ShaderText::read(path, self.options.reading) {
            Ok(text) => text,
            Err(problems) => {
                let dumps = String::new();
                return Done { result: Err(problems), dumps, warnings, stage: None };
            }
        };
        let is_module = self.are_stages && text.interface.is_some();
        let stage = is_module.then(|| tgsi_text::parse(&text.input.text).shader);
        let result = self.compile(text, &mut watch, &mut warnings);
        Done { result, dumps: watch.dumps, warnings, stage }
    }

    fn compile(
        &self,
        text: ShaderText,
        watch: &mut Watch,
        warnings: &mut Option<Problems>,
    ) -> Result<Produced, Problems> {
        let Some(cache) = &self.cache else { return self.compile_text(text, watch, warnings) };
        let (name, key) = (text.input.name.clone(), cache.key(&self.identity(&text)));
        if let Some(entry) = cache.find(&key).and_then(|entry| Entry::from_bytes(&entry)) {
            let bytes = self.with_name(&name, &entry.output);
            let findings = entry.warnings;
            *warnings = (!findings.is_empty()).then(|| text.input.problems(findings));
            return Ok(Produced { bytes, times: Vec::new() });
        }
        let produced = self.compile_text(text, watch, warnings)?;
        let entry = Entry {
            warnings: warnings.as_ref().map_or_else(Vec::new, |found| found.findings.clone()),
            output: self.without_name(&name, &produced.bytes).to_vec(),
        };
        if let Some(entry) = entry.to_bytes() {
            cache.store(&key, &entry);
        }
        Ok(produced)
    }

    /// Everything that determines the result: the text, how it is read (options do not apply to the text of a module),
    /// and for JSON the names of a module, which are not in the text.
    fn identity(&self, text: &ShaderText) -> String {
        let (options, own) = (text.options(), &text.input.text);
        match &text.interface {
            Some(interface) if self.options.emit == Emit::Json => {
                format!("{options:?}\n{own}{interface:?}")
            }
            _ => format!("{options:?}\n{own}"),
        }
    }

    /// The part of an output that does not depend on the input's name.
    fn without_name<'b>(&self, name: &str, output: &'b [u8]) -> &'b [u8] {
        match self.options.emit {
            Emit::Json => output.strip_prefix(json::opening(name).as_bytes()).unwrap_or(output),
            Emit::Asm | Emit::Words | Emit::Bin => output,
        }
    }

    /// The output with the input's name put back.
    fn with_name(&self, name: &str, entry: &[u8]) -> Vec<u8> {
        match self.options.emit {
            Emit::Json => [json::opening(name).as_bytes(), entry].concat(),
            Emit::Asm | Emit::Words | Emit::Bin => entry.to_vec(),
        }
    }

    fn compile_text(
        &self,
        text: ShaderText,
        watch: &mut Watch,
        warnings: &mut Option<Problems>,
    ) -> Result<Produced, Problems> {
        let start = Instant::now();
        let mut input = ShaderInput::parse_valid(text, self.options.reading.meaning)?;
        for message in self.options.key.misplaced(input.shader.processor) {
            input.warn(
                message,
                "leave it out, or compile shaders of different stages in separate calls",
            );
        }
        *warnings = input.take_warnings();
        let parse_time = start.elapsed();
        let chip = self.chip;
        match self.compiler.compile_observed(&input.shader, chip, watch) {
            Ok(compiled) => {
                if self.options.stats {
                    watch.dumps += &stats_line(&input.input.name, &compiled);
                }
                Ok(self.produce(&input, compiled, parse_time))
            }
            Err(CompileError::Stopped) if self.options.stop_after.is_some() => {
                Ok(Produced { bytes: Vec::new(), times: Vec::new() })
            }
            Err(error) => Err(problem(input, error)),
        }
    }

    fn produce(&self, input: &ShaderInput, compiled: Compiled, parse_time: Duration) -> Produced {
        let chip = self.chip;
        let bytes = match self.options.emit {
            Emit::Asm => compiled.program.to_string().into_bytes(),
            Emit::Words => hex_text(&compiled.words).into_bytes(),
            Emit::Bin => word_bytes(&compiled.words),
            Emit::Json => json::compiled(input, chip, &compiled, parse_time).into_bytes(),
        };
        let Report { passes, analyses } = &compiled.report;
        let times = passes.iter().map(|pass| (pass.id.name(), pass.time));
        let analyses = analyses.iter().map(|analysis| (analysis.id.name(), analysis.time));
        Produced { bytes, times: times.chain(analyses).collect() }
    }
}

/// A line with the number of groups and their distance from the lower bound.
fn stats_line(name: &str, compiled: &Compiled) -> String {
    let stats = compiled.program.stats();
    let distance = (stats.groups + 1) as f64 / (compiled.lower_bound + 1) as f64;
    format!(
        "{name}: {} groups of {} slots, at least {} (x{distance:.2}); {} dwords, {} GPRs\n",
        stats.groups,
        stats.alu_slots,
        compiled.lower_bound,
        compiled.words.len(),
        compiled.num_gprs
    )
}

/// The compiler's error, with the instruction at fault.
pub(crate) fn problem(input: ShaderInput, error: CompileError) -> Problems {
    let mut finding = match error.place() {
        Some(place) => input.finding(place, error.complaint()),
        None => Finding::error(error.complaint(), Place::Whole),
    };
    finding.help = raised_by(&error).map(str::to_owned);
    input.problems(vec![finding])
}

/// The option that raises the limit behind a refusal, if there is one.
fn raised_by(error: &CompileError) -> Option<&'static str> {
    let CompileError::Lower(error) = error else { return None };
    let is_growth = matches!(error.reason, Refusal::ProgramGrowth | Refusal::OperationGrowth);
    is_growth.then_some("`--max-growth` raises the limit")
}
