//! `tgsi convert`: shaders of any kind as TGSI text.

use std::path::PathBuf;

use clap::Args;

use crate::commands::fmt::Floats;
use crate::failure::{Failure, Outcome};
use crate::output::{Destination, write_file};
use crate::problem::Problems;
use crate::reading::Reading;
use crate::report::Reporter;
use crate::shader::ShaderInput;

/// Writes a shader as TGSI text: from SPIR-V, GLSL or HLSL (by an installed glslang), words, or text
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi convert shader.frag -o shader.tgsi
  tgsi convert shader.spv --interface shader.json
  tgsi convert blur.glsl --source-stage frag -D RADIUS=4 -I include
  tgsi convert - --entry main --specialize 0=8 < shader.spv")]
pub(crate) struct Options {
    /// The shader; `-` is standard input.
    file: PathBuf,
    #[command(flatten)]
    reading: Reading,
    /// Format of float immediates.
    #[arg(long, value_name = "FORM", default_value = "lossless")]
    floats: Floats,
    /// Writes the registers of all locations, bindings and members, as JSON.
    #[arg(long, value_name = "OUT")]
    interface: Option<PathBuf>,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    let mut input = ShaderInput::read_as(&options.file, options.reading)?;
    input.take_warnings().iter().for_each(|warnings| reporter.show(warnings));
    if let Some(path) = &options.interface {
        let name = &input.input.name;
        let Some(interface) = &input.interface else {
            let message = "is not SPIR-V: nothing else has an interface with names";
            return Err(Problems::whole(name, message).into());
        };
        let mut json = serde_json::to_string_pretty(interface)
            .map_err(|error| Problems::whole(name, error.to_string()))?;
        json.push('\n');
        write_file(path, json.as_bytes())?;
    }
    let text = options.floats.text(&input.shader, input.dialect);
    options.destination.write(text.as_bytes())?;
    Ok(Outcome::Good)
}
