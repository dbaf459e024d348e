//! `tgsi sim`: runs machine code on the simulator.

mod trace;

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use r600_isa::{Chip, Generation, asm};
use r600_sim::{
    Buffer, BufferFormat, Declaration, Entry, Exported, Fault, Kernel, MAX_LANES,
    Options as SimOptions, Outcome as Ran, Parameter, Resources, Stage, TextureQuery,
    TextureRequest,
};
use serde_json::{Map, Value, json};

use crate::commands::asm::r600::problems as assembly_problems;
use crate::failure::{Failure, Outcome};
use crate::input::{TextInput, WordFormat, display_name, read_words};
use crate::isa::Target;
use crate::launch::{Launch, Quad, bits};
use crate::output::Destination;
use crate::problem::{self, Finding, Problems};
use crate::textures;
use trace::Trace;

/// Runs machine code of the R600 family on a quad of lanes and prints what it exports as JSON
///
/// `inputs` of the JSON file become attributes in R1 and up of a vertex shader, and registers from R0
/// up (R600, R700) or parameters (Evergreen, Cayman) of a pixel shader; `gprs` sets any register. `buffers` are what
/// vertex fetches read, by the number of their resource, words as bits or floats, instead of the constant buffer of that
/// number; `strides` has the bytes of an element where they are not 16.
/// Textures answer by a fixed rule: a sample has 100·(c+1)+l in channel c of lane l, a texel 1000·(c+1)+l.
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
    /// The program is a listing, as `tgsi asm` takes it.
    #[arg(long, conflicts_with = "hex")]
    asm: bool,
    #[command(flatten)]
    target: Target,
    /// What the hardware runs it as.
    #[arg(long, default_value = "pixel")]
    stage: StageName,
    /// Inputs, constants and buffers; `-` is standard input.
    #[arg(long, value_name = "IN.json")]
    inputs: Option<PathBuf>,
    /// Registers that the program declares.
    #[arg(long, value_name = "N", default_value_t = 124)]
    gprs: u32,
    /// Branch stack entries that the program declares.
    #[arg(long, value_name = "N", default_value_t = 64)]
    stack: u32,
    /// Instructions after which the run is given up.
    #[arg(
        long,
        value_name = "N",
        alias = "step-limit",
        default_value_t = 10_000_000,
        help_heading = "Limits"
    )]
    max_steps: u64,
    /// Prints each instruction when it runs, with the value it gives in each lane, on standard error.
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
    let launch_files = options.inputs.iter().map(PathBuf::as_path);
    options.destination.check_spares(launch_files.chain([options.words.as_path()]))?;
    let chip = options.target.r600_chip()?;
    let words = program(options, chip.generation())?;
    let launch = Launch::read(options.inputs.as_deref())?;
    let outcome = simulate(options, chip, &words, launch).map_err(|error| {
        let help = matches!(error.fault, Fault::StepLimit(_))
            .then(|| "`--max-steps` raises the limit".to_owned());
        let finding = Finding { help, ..Finding::error(error.to_string(), problem::Place::Whole) };
        Problems::one(&display_name(&options.words), None, finding)
    })?;
    let text = format!("{}\n", to_json(&outcome, chip));
    options.destination.write(text.as_bytes())?;
    Ok(Outcome::Good)
}

/// The words of the program, assembled where it is a listing.
fn program(options: &Options, generation: Generation) -> Result<Vec<u32>, Problems> {
    if !options.asm {
        return read_words(&options.words, options.format);
    }
    let input = TextInput::read(&options.words)?;
    let assembly = asm::parse(&input.text, generation);
    assembly.words().map_err(|mistakes| assembly_problems(input, &mistakes))
}

fn simulate(
    options: &Options,
    chip: Chip,
    words: &[u32],
    launch: Launch,
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
    let limits = SimOptions { step_limit: options.max_steps, ..SimOptions::default() };
    let entry = entry(options, chip.generation(), &launch);
    let buffers = fetched(&launch);
    let mut resources = Provided { buffers, launch };
    if options.trace {
        let mut trace = Trace::new(words, chip.generation(), entry.num_lanes());
        return kernel.run_observed(&entry, &limits, &mut resources, &mut trace);
    }
    kernel.run(&entry, &limits, &mut resources)
}

/// Puts the inputs where the hardware would.
fn entry(options: &Options, generation: Generation, launch: &Launch) -> Entry<'static> {
    let mut entry = Entry::new(1);
    let has_parameters = matches!(generation, Generation::Evergreen | Generation::Cayman);
    for (register, quad) in (0..).zip(&launch.inputs) {
        match options.stage {
            StageName::Vertex => set_gpr(&mut entry, register + 1, quad),
            StageName::Pixel if has_parameters => entry.push_parameter(parameter(quad)),
            StageName::Pixel | StageName::Other => set_gpr(&mut entry, register, quad),
        }
    }
    for (&register, quad) in &launch.gprs {
        set_gpr(&mut entry, register, quad);
    }
    entry
}

fn set_gpr(entry: &mut Entry<'_>, register: u32, quad: &Quad) {
    for (lane, vector) in quad.iter().enumerate() {
        for (channel, word) in (0..).zip(vector) {
            entry.set_gpr(register, channel, lane, word.0);
        }
    }
}

/// A parameter that has the given value in each lane, wherever that lies in the primitive.
fn parameter(quad: &Quad) -> Parameter {
    let mut values = [[0; MAX_LANES]; 4];
    for (lane, vector) in quad.iter().enumerate() {
        for (channel, word) in vector.iter().enumerate() {
            values[channel][lane] = word.0;
        }
    }
    Parameter::flat(values)
}

/// The words behind each fetch resource: the buffers of the file, and the constant buffers where there are none, since
/// subscripted constants are fetched.
fn fetched(launch: &Launch) -> BTreeMap<u32, Vec<u32>> {
    let mut all = BTreeMap::new();
    for (&number, vectors) in launch.const_buffers.iter().chain([(&0, &launch.consts)]) {
        if !vectors.is_empty() {
            all.insert(number, vectors.iter().flat_map(bits).collect());
        }
    }
    for (&number, words) in &launch.buffers {
        all.insert(number, words.iter().map(|word| word.0).collect());
    }
    all
}

/// Constants and buffers from the file, textures by rule.
struct Provided {
    launch: Launch,
    /// The words behind each fetch resource.
    buffers: BTreeMap<u32, Vec<u32>>,
}

/// Bytes of an element of a buffer whose stride is not given, and its format: four floats.
const DEFAULT_STRIDE: u32 = 16;
const FOUR_FLOATS: BufferFormat = BufferFormat { data: 0x23, number: 2, is_signed: true };

impl Resources for Provided {
    fn constant(&self, bank: u32, index: u32) -> Option<[u32; 4]> {
        self.launch.constant(bank, index)
    }

    fn buffer(&self, resource: u32) -> Option<Buffer<'_>> {
        let words = self.buffers.get(&resource)?;
        let stride = self.launch.strides.get(&resource).copied().unwrap_or(DEFAULT_STRIDE);
        Some(Buffer { words, stride, format: FOUR_FLOATS })
    }

    fn texture(&mut self, request: &TextureRequest) -> Option<[[u32; 4]; 4]> {
        Some(match request.query {
            TextureQuery::Sample { .. } | TextureQuery::Gather { .. } => textures::sample(),
            TextureQuery::Load => textures::texel(),
            TextureQuery::Size => [textures::SIZE; 4],
            TextureQuery::Samples => [[0, 0, 0, 1]; 4],
            TextureQuery::LevelOfDetail => textures::levels_of_detail(),
        })
    }
}

/// The answer: exports by target, killed lanes, counts.
fn to_json(outcome: &Ran, chip: Chip) -> Value {
    let mut outputs = Map::new();
    for (target, exported) in &outcome.exports {
        let name = format!("{}[{}]", target.kind.name(), target.base);
        outputs.insert(name, lanes(exported));
    }
    let counters = &outcome.counters;
    json!({
        "outputs": outputs,
        "kill_mask": format!("{:#x}", outcome.killed.bits()),
        "counters": {
            "cf": counters.control_flow,
            "groups": counters.groups,
            "slots": counters.slots,
            "tex": counters.texture_fetches,
            "vtx": counters.buffer_fetches,
            "stack": counters.stack_entries,
            "estimated_cycles": counters.estimate(chip).cycles,
        },
    })
}

/// Four channels of each lane, `null` where nothing was exported.
fn lanes(exported: &Exported) -> Value {
    let word = |word: &Option<u32>| word.map(|word| format!("{word:#010x}"));
    let lanes = exported.lanes.iter().take(4);
    lanes.map(|vector| vector.iter().map(word).collect::<Vec<_>>()).collect()
}
