//! `tgsi run`: executes a shader on the reference interpreter.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use serde_json::{Map, Value, json};
use tgsi_exec::{Inputs, Kernel, Quad, Resources, STEP_LIMIT, TextureAccess, TextureQuery};
use tgsi_ir::{File, Shader};

use crate::failure::{Failure, Outcome};
use crate::launch::{Launch, bits};
use crate::output::Destination;
use crate::problem::{Finding, Place};
use crate::shader::ShaderInput;
use crate::textures;

/// Runs a shader on a quad of lanes with the reference interpreter
///
/// The JSON file has `inputs` (a list of registers, each a list of four lanes, each four channels), and
/// where needed `consts`, `const_buffers` and `sysvals`; a channel is "0x3f800000" or a number. Textures
/// answer by a fixed rule: a sample has 100·(c+1)+l in channel c of lane l, a texel 1000·(c+1)+l.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi run shader.tgsi --inputs in.json
  tgsi run shader.tgsi --inputs in.json --json -o out.json
  echo '{\"inputs\": [[[1,2,3,4],[0,0,0,1],[0,0,0,1],[0,0,0,1]]]}' | tgsi run shader.tgsi --inputs -")]
pub(crate) struct Options {
    /// The shader; `-` is standard input.
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Inputs, constants and system values; what is left out is zero.
    #[arg(long, value_name = "IN.json")]
    inputs: Option<PathBuf>,
    /// Answers in JSON, with bits in hexadecimal, instead of a line a lane.
    #[arg(long)]
    json: bool,
    /// Instructions after which the run is given up.
    #[arg(long, value_name = "N", default_value_t = STEP_LIMIT)]
    step_limit: u64,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(options: &Options) -> Result<Outcome, Failure> {
    let input = ShaderInput::read_valid(&options.file)?;
    let launch = Launch::read(options.inputs.as_deref())?;
    let ran = match execute(&input.shader, launch, options.step_limit) {
        Ok(ran) => ran,
        Err(message) => {
            return Err(input.problems(vec![Finding::error(message, Place::Whole)]).into());
        }
    };
    let outputs = declared_outputs(&input.shader, &ran);
    let text = if options.json { to_json(&outputs, &ran) } else { to_text(&outputs, &ran) };
    options.destination.write(text.as_bytes())?;
    Ok(Outcome::Good)
}

fn execute(shader: &Shader, launch: Launch, limit: u64) -> Result<tgsi_exec::Outcome, String> {
    if !(launch.buffers.is_empty() && launch.memory.is_empty() && launch.gs_inputs.is_empty()) {
        return Err("the interpreter has no buffers, memory or geometry inputs".to_owned());
    }
    let quad = |quad: &crate::launch::Quad| quad.map(|vector| bits(&vector));
    let inputs = Inputs {
        registers: launch.inputs.iter().map(quad).collect(),
        system_values: launch.sysvals.iter().map(quad).collect(),
        ..Inputs::default()
    };
    let kernel = Kernel::new(shader).map_err(|error| error.to_string())?;
    kernel.run(&inputs, limit, &mut Provided { launch }).map_err(|error| error.to_string())
}

/// Constants from the file, textures by rule.
struct Provided {
    launch: Launch,
}

impl Resources for Provided {
    fn constant(&self, buffer: u32, index: u32) -> Option<[u32; 4]> {
        self.launch.constant(buffer, index)
    }

    fn texture(&mut self, access: &TextureAccess) -> Option<Quad> {
        Some(match access.query {
            TextureQuery::Fetch | TextureQuery::FetchSample => textures::texel(),
            TextureQuery::Size => [textures::SIZE; 4],
            TextureQuery::LevelOfDetail => textures::levels_of_detail(),
            _ => textures::sample(),
        })
    }
}

/// The outputs that the shader declares, by number.
fn declared_outputs(shader: &Shader, ran: &tgsi_exec::Outcome) -> Vec<(usize, Quad)> {
    let declared = shader.declarations.iter().filter(|declared| declared.file == File::Output);
    let mut numbers: Vec<usize> = declared
        .flat_map(|declared| usize::from(declared.range.first)..=usize::from(declared.range.last))
        .collect();
    numbers.sort_unstable();
    numbers.dedup();
    numbers.into_iter().filter_map(|n| ran.outputs.get(n).map(|quad| (n, *quad))).collect()
}

fn to_json(outputs: &[(usize, Quad)], ran: &tgsi_exec::Outcome) -> String {
    let mut object = Map::new();
    for (n, quad) in outputs {
        let lanes = quad.iter().map(|vector| vector.map(|word| format!("{word:#010x}")));
        object.insert(format!("OUT[{n}]"), lanes.map(Value::from_iter).collect());
    }
    let kill_mask = format!("{:#x}", ran.killed);
    format!("{}\n", json!({ "outputs": object, "kill_mask": kill_mask }))
}

/// A line for each output and lane: floats, and the bits behind them.
fn to_text(outputs: &[(usize, Quad)], ran: &tgsi_exec::Outcome) -> String {
    let mut text = String::new();
    for (n, quad) in outputs {
        for (lane, vector) in quad.iter().enumerate() {
            let killed = if ran.killed >> lane & 1 == 1 { "  killed" } else { "" };
            let floats = vector.map(|word| format!("{:?}", f32::from_bits(word))).join(" ");
            let bits = vector.map(|word| format!("{word:08x}")).join(" ");
            // Writing to a string cannot fail.
            let _ = writeln!(text, "OUT[{n}] lane {lane}: {floats}  ({bits}){killed}");
        }
    }
    text
}
