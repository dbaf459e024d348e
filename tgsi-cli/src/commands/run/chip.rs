//! `--chip`: runs compiled code in the simulator, and compares it with the interpreter if requested.

mod differences;

use std::collections::BTreeMap;

use clap::Args;
use r600_codegen::{Compiled, Compiler, OptLevel};
use r600_isa::Chip;
use r600_sim::LaneMask;
use schemars::JsonSchema;
use serde::Serialize;
use tgsi_api::RunJson;
use tgsi_api::agreement::{self, Agreement, Interpreted, OfChip};
use tgsi_api::changes::MemoryWords;
use tgsi_api::interpreted;
use tgsi_api::launch::{Bound, Launch};
use tgsi_api::on_chip::{Answer, OnChip, Ran, Slopes, agree, key_of};
use tgsi_api::provided::{Loaded, Provided};
use tgsi_exec::{Errors, Fractions, Kernel, Limits, Perturbation};

use super::{shown, stopped};
use crate::commands::compile::{levels, problem};
use crate::commands::sim::trace::Trace;
use crate::failure::{Failure, Outcome};
use crate::isa::parse_chip;
use crate::json::line_of;
use crate::launch;
use crate::problem::{Finding, Place, Problems};
use crate::shader::ShaderInput;
use differences::{DifferenceJson, Report};

/// Whether to run compiled code, and how to compile it.
#[derive(Args)]
#[group(id = "on-chip")]
#[command(next_help_heading = "Compiled code")]
pub(super) struct Options {
    /// Compiles the shader for this chip and runs the code in the simulator, on the same inputs.
    #[arg(long, value_name = "CHIP", value_parser = parse_chip)]
    chip: Option<Chip>,
    /// Runs interpreter and code, and shows where they differ by more than the hardware may; exit code 1 if they do.
    #[arg(long, requires = "chip", conflicts_with_all = ["trace", "image"])]
    compare: bool,
    /// Optimisation level: 0 simplest code, 1 simplified and packed, 2 everything worth its compile
    /// time, 3 the best schedule found in a tenth of a second.
    #[arg(short = 'O', value_name = "LEVEL", default_value = "2", value_parser = levels(), requires = "chip")]
    level: OptLevel,
    /// Forbids rewrites that could change a float result.
    #[arg(long, requires = "chip")]
    precise: bool,
}

impl Options {
    pub(super) fn is_wanted(&self) -> bool {
        self.chip.is_some()
    }

    /// Compiles a shader for the chip of `--chip`.
    pub(super) fn compile(&self, input: ShaderInput) -> Result<(ShaderInput, Code), Failure> {
        let Some(chip) = self.chip else {
            return Err(Failure::Usage("`--chip` is missing".to_owned()));
        };
        let options = r600_codegen::Options::default()
            .level(self.level)
            .precise(self.precise)
            .key(key_of(&input.shader));
        let compiler = Compiler::new(options).map_err(|error| Failure::Usage(error.to_string()))?;
        match compiler.compile(&input.shader, chip) {
            Ok(compiled) => Ok((input, Code { chip, compiled })),
            Err(error) => Err(problem(input, error).into()),
        }
    }
}

/// A compiled shader.
pub(super) struct Code {
    pub(super) chip: Chip,
    compiled: Compiled,
}

impl Code {
    /// The code, ready to run.
    pub(super) fn load<'a>(
        &'a self,
        input: &'a ShaderInput,
        max_steps: u64,
    ) -> Result<OnChip<'a>, Problems> {
        OnChip::new(&input.shader, &self.compiled, self.chip, max_steps)
            .map_err(|problem| failed(input, problem))
    }
}

/// The problems of running the code, with advice.
pub(super) fn failed(input: &ShaderInput, problems: tgsi_api::Problems) -> Problems {
    let finding = |problem: tgsi_api::Problem| Finding {
        help: problem.help,
        ..Finding::error(problem.message, Place::Whole)
    };
    let findings = problems.0.into_iter().map(finding).collect();
    Problems { name: input.input.name.clone(), text: None, findings }
}

/// Runs the code on a quad, and compares it if requested.
pub(super) fn run(
    options: &super::Options,
    input: ShaderInput,
    (launch, bound): (Launch, Bound),
) -> Result<Outcome, Failure> {
    if options.max_memory != Limits::default().memory && !options.on_chip.compare {
        let message =
            "`--max-memory` is for the interpreter, which runs beside `--chip` with `--compare`";
        return Err(Failure::Usage(message.to_owned()));
    }
    let (input, code) = options.on_chip.compile(input)?;
    let on_chip = code.load(&input, options.max_steps)?;
    let mut inputs = launch::inputs((&launch, options.inputs.as_deref()), &input.shader)?;
    agree(&input.shader, &mut inputs);
    let mut loaded = Loaded::new(launch.clone(), bound.clone());
    let before = (!options.json).then(|| MemoryWords::of_chip(&loaded));
    let mut around = loaded.surroundings();
    let ran = if options.trace {
        let generation = code.chip.generation();
        let mut trace = Trace::new(&code.compiled.words, generation, LaneMask::first(4).count());
        on_chip.run_observed(&inputs, &mut around, &mut trace)
    } else {
        on_chip.run(&inputs, &mut around)
    };
    let ran = ran.map_err(|problem| failed(&input, problem))?;
    if options.on_chip.compare {
        return compare(options, (input, &code), (launch, bound), (&ran, &loaded));
    }
    let images = loaded.image_words();
    let answer = answer(&code, &ran, (&loaded, &images));
    let text = match before {
        Some(before) => {
            let after = MemoryWords::of_chip(&loaded);
            shown(answer.to_text(), &after.changes_since(&before))
        }
        None => format!("{}\n", answer.to_json()),
    };
    options.destination.write(text.as_bytes())?;
    Ok(Outcome::Good)
}

fn answer<'a>(
    code: &Code,
    ran: &'a Ran,
    (loaded, images): (&'a Loaded, &'a BTreeMap<u32, Vec<u32>>),
) -> Answer<'a> {
    let (buffers, memory) = (&loaded.buffers, &loaded.memory);
    Answer { chip: code.chip, ran, buffers, images, memory }
}

/// Runs the interpreter on the same inputs, and prints the differences.
fn compare(
    options: &super::Options,
    (input, code): (ShaderInput, &Code),
    (launch, bound): (Launch, Bound),
    (ran, loaded): (&Ran, &Loaded),
) -> Result<Outcome, Failure> {
    let kernel = match Kernel::with_limits(&input.shader, options.limits()) {
        Ok(kernel) => kernel,
        Err(error) => return Err(stopped(input, error).into()),
    };
    let errors = if options.on_chip.precise { Errors::Approximations } else { Errors::Everything };
    let mut inputs = launch::inputs((&launch, options.inputs.as_deref()), &input.shader)?;
    agree(&input.shader, &mut inputs);
    let slopes = Slopes::of(&input.shader, &inputs);
    slopes.settle(&mut inputs);
    let run = |perturbation: Option<Perturbation>| {
        let mut provided = Provided::new(launch.clone(), bound.clone()).compared();
        provided.slopes = slopes.clone();
        let fractions = Fractions::of(perturbation.as_ref());
        let mut outcome = match perturbation {
            Some(errors) => kernel.run_perturbed(&inputs, options.max_steps, errors, &mut provided),
            None => kernel.run(&inputs, options.max_steps, &mut provided),
        }?;
        kernel.settle_edge_flags(&mut outcome, fractions);
        let (buffers, memory) = (provided.buffer_words(), provided.memory_words());
        let (images, hardware_counters) = (provided.bound.image_words(), provided.counter_words());
        Ok((Interpreted { outcome, buffers, images, hardware_counters, memory }, provided))
    };
    let images = loaded.image_words();
    let (buffers, memory) = (&loaded.buffers, &loaded.memory);
    let got = OfChip { ran, buffers, images: &images, memory };
    let agreement =
        agreement::compare(code.chip, errors, &got, |errors| run(errors).map(|(ran, _)| ran));
    let compared = agreement.and_then(|agreement| Ok((agreement, run(None)?)));
    let (agreement, (plain, provided)) = match compared {
        Ok(compared) => compared,
        Err(error) => return Err(stopped(input, error).into()),
    };
    let report = Report { input: &input, chip: code.chip, compiled: &code.compiled };
    let text = if options.json {
        let interpreter =
            interpreted::Answer { shader: &input.shader, ran: &plain.outcome, provided: &provided };
        let Agreement { exact, near, open, .. } = agreement;
        let comparison = Comparison {
            chip: code.chip.name(),
            compiled: answer(code, ran, (loaded, &images)).to_json(),
            differences: report.to_json(&agreement),
            exact,
            interpreter: interpreter.to_json(),
            near,
            open,
        };
        line_of(&comparison)
    } else {
        report.to_text(&agreement)
    };
    options.destination.write(text.as_bytes())?;
    Ok(Outcome::when(agreement.differences.is_empty()))
}

/// What `--compare --json` answers.
#[derive(Serialize, JsonSchema)]
pub(crate) struct Comparison {
    /// The chip whose code ran.
    chip: &'static str,
    /// What the code leaves.
    compiled: RunJson,
    /// Values that differ by more than the hardware may.
    differences: Vec<DifferenceJson>,
    /// Values with the same bits.
    exact: usize,
    /// What the interpreter leaves.
    interpreter: RunJson,
    /// Values within the errors that their opcodes may have.
    near: usize,
    /// Values of which nothing can be said: infinities, NaN, or errors that lead anywhere.
    open: usize,
}
