//! `tgsi run`: executes a shader on the reference interpreter.

mod chip;
pub(crate) mod gfd;
pub(crate) mod image;
pub(crate) mod picture;
mod trace;

use std::path::PathBuf;

use clap::Args;
use tgsi_api::changes::MemoryWords;
use tgsi_api::interpreted::Answer;
use tgsi_api::provided::Provided;
use tgsi_exec::{ExecError, Kernel, Limits, STEP_LIMIT};
use tgsi_ir::Processor;

use crate::failure::{Failure, Outcome};
use crate::input::has_extension;
use crate::launch;
use crate::output::Destination;
use crate::problem::{Finding, Place, Problems};
use crate::reading::Reading;
use crate::report::Reporter;
use crate::shader::ShaderInput;

use trace::Printer;

pub(crate) use chip::Comparison;

/// Runs a shader on a quad of lanes, or draws a picture, with the reference interpreter
///
/// The JSON file has `inputs` (a list of registers, each a list of four lanes, each four channels), and if needed
/// `consts`, `const_buffers`, `sysvals`, `buffers`, `memory` and `gs_inputs` (`IN[vertex][n]` by name, for geometry and
/// tessellation). A channel is "0x3f800000", an integer in quotes, or a number, which is a float. `textures`,
/// `samplers` and `images` contain texels or PNG files; docs/inputs.md describes every key. Other lookups follow a
/// fixed rule: a sample has the value 100·(c+1)+l in channel c of lane l, a texel 1000·(c+1)+l.
///
/// With `--chip`, the compiled code runs in the simulator on the same inputs, or draws the same picture; `--compare`
/// runs both, and reports the channel, lane, line and listing of each difference.
///
/// A shader file of the Wii U (`.gsh`) runs in the simulator; its JSON file has `attributes` (by name, a list of
/// vertices, each up to four numbers), `uniforms` (by name, a list of numbers) and `textures` (by name, a PNG file).
/// The pixel shader runs on a quad. Its first three pixels are at the first three vertices, and the fourth is between
/// the second and the third.
///
/// With `--image`, a fragment shader draws a picture: its input POSITION holds the position of the pixel, and every
/// other input holds (u, v, 0, 1), with u and v from 0 to 1, from left to right and top to bottom. Output COLOR is
/// drawn; killed pixels stay transparent. Textures come from files, or contain a pattern. The JSON file may have
/// constants, textures, samplers and images; counters start at 0 in each quad.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi run shader.tgsi --inputs in.json
  tgsi run shader.tgsi --inputs in.json --json -o out.json
  tgsi run shader.tgsi --inputs in.json --trace
  tgsi run shader.tgsi --inputs in.json --chip cayman --compare
  tgsi run color.gsh --inputs vertices.json
  tgsi run old.tgsi --dialect 2012 --inputs in.json
  echo '{\"inputs\": [[[1,2,3,4],[0,0,0,1],[0,0,0,1],[0,0,0,1]]]}' | tgsi run shader.tgsi --inputs -
  tgsi run --image out.png --size 512x512 --constant 0=0.5,0,0,1 --texture 0=wood.png shader.frag.tgsi")]
pub(crate) struct Options {
    /// The shader; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    reading: Reading,
    /// JSON file with inputs, constants, system values and memory; anything left out is zero.
    #[arg(long, value_name = "IN.json")]
    inputs: Option<PathBuf>,
    /// Prints JSON, with bits in hexadecimal, instead of one line per lane and the words of memory that changed.
    #[arg(long, conflicts_with = "image")]
    json: bool,
    /// Prints each executed instruction and the values that it writes, to standard error.
    #[arg(long, conflicts_with = "image")]
    trace: bool,
    /// Maximum number of instructions for a quad.
    #[arg(long, value_name = "N", alias = "step-limit", default_value_t = STEP_LIMIT, help_heading = "Limits")]
    max_steps: u64,
    /// Maximum number of bytes for the registers of a quad.
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().memory, help_heading = "Limits")]
    max_memory: usize,
    #[command(flatten)]
    destination: Destination,
    #[command(flatten)]
    picture: image::Options,
    #[command(flatten)]
    on_chip: chip::Options,
}

impl Options {
    fn limits(&self) -> Limits {
        Limits { memory: self.max_memory, ..Limits::default() }
    }
}

pub(crate) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    if has_extension(&options.file, "gsh") {
        return gfd::run(options);
    }
    let mut input = match options.on_chip.is_wanted() {
        true => ShaderInput::read_valid(&options.file, options.reading)?,
        // The interpreter may run a shader that `tgsi check` rejects. It does its own checks.
        false => ShaderInput::read_as(&options.file, options.reading)?
            .into_today(options.reading.meaning)?,
    };
    input.take_warnings().iter().for_each(|warnings| reporter.show(warnings));
    let launch = launch::read(options.inputs.as_deref())?;
    let bound = launch::bind(&launch, options.inputs.as_deref())?;
    if options.on_chip.is_wanted() && !options.picture.is_wanted() {
        return chip::run(options, input, (launch, bound));
    }
    let kernel = match Kernel::with_limits(&input.shader, options.limits()) {
        Ok(kernel) => kernel,
        Err(error) => return Err(stopped(input, error).into()),
    };
    if options.picture.is_wanted() {
        return image::draw(options, input, (&launch, bound), &kernel);
    }
    let inputs = launch::inputs((&launch, options.inputs.as_deref()), &input.shader)?;
    let mut provided = Provided::new(launch, bound);
    let before = (!options.json).then(|| MemoryWords::of_interpreter(&provided));
    let limit = options.max_steps;
    let ran = if options.trace {
        let shader = kernel.modern_shader().unwrap_or(&input.shader);
        kernel.run_traced(&inputs, limit, &mut provided, &mut Printer::new(shader))
    } else {
        kernel.run(&inputs, limit, &mut provided)
    };
    let ran = match ran {
        Ok(ran) => ran,
        Err(error) => return Err(stopped(input, error).into()),
    };
    let answer = Answer { shader: &input.shader, ran: &ran, provided: &provided };
    let text = match before {
        Some(before) => {
            let after = MemoryWords::of_interpreter(&provided);
            shown(answer.to_text(), &after.changes_since(&before))
        }
        None => format!("{}\n", answer.to_json()),
    };
    options.destination.write(text.as_bytes())?;
    Ok(Outcome::Good)
}

/// The output of a run without any visible results.
const NOTHING: &str =
    "there are no outputs, and no buffers, images or shared memory in the inputs\n";

/// The outputs and the changes to memory.
fn shown(outputs: String, changes: &str) -> String {
    let text = outputs + changes;
    if text.is_empty() { NOTHING.to_owned() } else { text }
}

/// The error, with the place in the text of the instruction that it names.
fn stopped(input: ShaderInput, error: ExecError) -> Problems {
    let place = error.at().map_or(Place::Whole, |at| input.instruction_place(at));
    let help = error.help().map(str::to_owned);
    let message = error.placed_by(|at| input.origins.instruction(at)).to_string();
    let finding = Finding { help, ..Finding::error(message, place) };
    input.problems(vec![finding])
}

/// Whether the shader is a fragment shader.
fn is_fragment(input: &ShaderInput) -> bool {
    input.shader.processor == Processor::Fragment
}
