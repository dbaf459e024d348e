//! `tgsi sim`: runs machine code in the simulator.

pub(crate) mod trace;

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use r600_isa::{Chip, Generation, asm};
use r600_sim::{Declaration, Fault, Kernel, Options as SimOptions, Outcome as Ran, Stage};
use tgsi_api::launch::{Bound, Launch};
use tgsi_api::simulated::{self, Memory};

use crate::commands::asm::r600::problems as assembly_problems;
use crate::failure::{Failure, Outcome};
use crate::input::{ByteOrder, TextInput, WordFormat, display_name, read_words};
use crate::isa::R600Target;
use crate::launch;
use crate::output::Destination;
use crate::problem::{self, Finding, Problems};
use trace::Trace;

/// Runs machine code of the R600 family on a quad of lanes and prints what it exports as JSON
///
/// The key `inputs` of the JSON file holds attributes, which a vertex shader reads from R1 on. For a pixel shader, it
/// holds registers from R0 on (R600, R700) or parameters (Evergreen, Cayman); `gprs` sets any register. `buffers` are
/// read by vertex fetches. They are keyed by resource number, contain words as bits or floats, and replace the constant
/// buffer of that number; `strides` gives the size of an element in bytes if it is not 16. `textures` are read by
/// texture fetches and keyed by resource number; `samplers` are keyed by sampler number. docs/inputs.md describes every
/// key. Other lookups follow a fixed rule: a sample has the value 100·(c+1)+l in channel c of lane l, a texel
/// 1000·(c+1)+l.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi sim shader.bin --chip rv770 --stage pixel --inputs in.json
  tgsi sim lesson.s --asm --chip rv770 --trace
  tgsi compile shader.tgsi --chip cayman --emit words | tgsi sim - --hex --chip cayman")]
pub(crate) struct Options {
    /// The program; `-` is standard input.
    #[arg(value_name = "WORDS")]
    words: PathBuf,
    #[command(flatten)]
    format: WordFormat,
    #[command(flatten)]
    order: ByteOrder,
    /// Reads the program as a listing, as for `tgsi asm`.
    #[arg(long, conflicts_with = "hex")]
    asm: bool,
    #[command(flatten)]
    target: R600Target,
    /// Hardware stage that runs the program.
    #[arg(long, default_value = "pixel")]
    stage: StageName,
    /// JSON file with inputs, constants and buffers; `-` is standard input.
    #[arg(long, value_name = "IN.json")]
    inputs: Option<PathBuf>,
    /// Number of registers that the program declares.
    #[arg(long, value_name = "N", default_value_t = 124, value_parser = clap::value_parser!(u32).range(0..=128))]
    gprs: u32,
    /// Number of branch stack entries that the program declares.
    #[arg(long, value_name = "N", default_value_t = 64)]
    stack: u32,
    /// Vectors of scratch memory that each lane has; by default, as many as compiled code may use.
    #[arg(long, value_name = "N", default_value_t = 8191, value_parser = clap::value_parser!(u32).range(0..=8191))]
    scratch: u32,
    /// Maximum number of instructions.
    #[arg(
        long,
        value_name = "N",
        alias = "step-limit",
        default_value_t = 10_000_000,
        help_heading = "Limits"
    )]
    max_steps: u64,
    /// Maximum number of memory writes and emitted vertices.
    #[arg(long, value_name = "N", default_value_t = 1_048_576, help_heading = "Limits")]
    max_events: usize,
    /// Prints each executed instruction and its result in each lane, to standard error.
    #[arg(long)]
    trace: bool,
    #[command(flatten)]
    destination: Destination,
}

/// Stages by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum StageName {
    Vertex,
    Pixel,
    Other,
}

pub(crate) fn run(options: &Options) -> Result<Outcome, Failure> {
    let chip = options.target.chip;
    let words = program(options, chip.generation())?;
    let launch = launch::read(options.inputs.as_deref())?;
    let bound = launch::bind(&launch, options.inputs.as_deref())?;
    let outcome = simulate(options, chip, &words, (launch, bound)).map_err(|error| {
        let help = match error.fault {
            Fault::StepLimit(_) => Some("`--max-steps` raises the limit"),
            Fault::EventLimit(_) => Some("`--max-events` raises the limit"),
            Fault::NoConstant { .. } => {
                Some("give it in the JSON of `--inputs`: `consts` are bank 0, `const_buffers` any")
            }
            _ => None,
        };
        let help = help.map(str::to_owned);
        let finding = Finding { help, ..Finding::error(error.to_string(), problem::Place::Whole) };
        Problems::one(&display_name(&options.words), None, finding)
    })?;
    let text = format!("{}\n", simulated::to_json(&outcome, chip));
    options.destination.write(text.as_bytes())?;
    Ok(Outcome::Good)
}

/// The words of the program. A listing is assembled.
fn program(options: &Options, generation: Generation) -> Result<Vec<u32>, Problems> {
    if !options.asm {
        return read_words(&options.words, (options.format, options.order));
    }
    let input = TextInput::read(&options.words)?;
    let assembly = asm::parse(&input.text, generation);
    assembly.words().map_err(|mistakes| assembly_problems(input, &mistakes))
}

fn simulate(
    options: &Options,
    chip: Chip,
    words: &[u32],
    (launch, bound): (Launch, Bound),
) -> Result<Ran, r600_sim::SimError> {
    let declaration = Declaration {
        chip,
        stage: match options.stage {
            StageName::Vertex => Stage::Vertex,
            StageName::Pixel => Stage::Pixel,
            StageName::Other => Stage::Other,
        },
        num_gprs: options.gprs,
        stack_entries: options.stack,
    };
    let kernel = Kernel::from_words(words, declaration)?;
    let limits = SimOptions::default()
        .step_limit(options.max_steps)
        .event_limit(options.max_events)
        .scratch_size(options.scratch as usize);
    let entry = simulated::entry(chip.generation(), declaration.stage, &launch);
    let mut resources = Memory::new(launch, bound, chip.generation());
    if options.trace {
        let mut trace = Trace::new(words, chip.generation(), entry.num_lanes());
        return kernel.run_observed(&entry, &limits, &mut resources, &mut trace);
    }
    kernel.run(&entry, &limits, &mut resources)
}
