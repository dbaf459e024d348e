//! `tgsi modernise`: rewrites shaders of old dialects with current opcodes and registers.

use std::path::PathBuf;

use clap::Args;
use tgsi_ir::modernise::modernise;
use tgsi_text::{PrintOptions, print};

use crate::commands::fmt::Floats;
use crate::failure::{Failure, Outcome};
use crate::output::Destination;
use crate::problem::Finding;
use crate::reading::Reading;
use crate::report::Reporter;
use crate::shader::ShaderInput;

/// Rewrites a shader of an old dialect with today's opcodes and registers
///
/// Replaces removed opcodes and registers and, in an old dialect, those whose meaning has changed. A construct that
/// has no modern form is an error.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi modernise old.tgsi --dialect 2012 -o new.tgsi
  tgsi modernise old.tgsi --dialect 2010 --meaning mesa
  tgsi modernise gone.tgsi")]
pub(crate) struct Options {
    /// The shader, text or words; `-` is standard input.
    file: PathBuf,
    #[command(flatten)]
    reading: Reading,
    /// Format of float immediates; `mesa` and `hex` print all immediates as Mesa does.
    #[arg(long, value_name = "FORM", default_value = "lossless")]
    floats: Floats,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    let mut input = ShaderInput::read_as(&options.file, options.reading)?
        .into_today(options.reading.meaning)?;
    input.take_warnings().iter().for_each(|warnings| reporter.show(warnings));
    // A shader in today's dialect may still use removed constructs.
    let shader = match modernise(&input.shader) {
        Ok(shader) => shader,
        Err(problems) => {
            let findings: Vec<Finding> = problems
                .iter()
                .map(|one| input.finding(one.place, one.reason.to_string()))
                .collect();
            return Err(input.problems(findings).into());
        }
    };
    let printing = PrintOptions::default().style(options.floats.style());
    options.destination.write(print(&shader, printing).as_bytes())?;
    Ok(Outcome::Good)
}
