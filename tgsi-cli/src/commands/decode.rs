//! `tgsi decode`: prints token streams as text.

use std::path::Path;

use clap::Args;
use tgsi_binary::dump_within;
use tgsi_ir::{Authority, Dialect};

use crate::batch::Inputs;
use crate::commands::fmt::Floats;
use crate::failure::{Failure, Outcome};
use crate::input::{Input, WordFormat};
use crate::limits;
use crate::problem::Problems;
use crate::reading::{Machine, Reading};
use crate::report::Reporter;
use crate::results::{Made, Results};
use crate::shader::{ShaderInput, token_words};

/// Prints streams of words as text
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi decode shader.bin
  tgsi decode words/*.bin --out-dir shaders
  tgsi decode shader.bin --dialect 2010 --to 21.2 -o shader.tgsi
  tgsi decode - --hex --words < words.txt")]
pub(crate) struct Options {
    #[command(flatten)]
    inputs: Inputs,
    /// Dialect of the words: 2010, 2012 or 21.2.
    #[arg(long, value_name = "DIALECT", default_value_t)]
    dialect: Dialect,
    /// Dialect to rewrite the shader in.
    #[arg(long, value_name = "DIALECT")]
    to: Option<Dialect>,
    /// Whose meaning applies where the document of an old dialect and the Mesa of its time differ: `document` or
    /// `mesa`.
    #[arg(long, value_name = "WHOSE", default_value_t)]
    meaning: Authority,
    #[command(flatten)]
    machine: Machine,
    #[command(flatten)]
    format: WordFormat,
    /// Format of float immediates; `mesa` prints all immediates as Mesa does.
    #[arg(long, value_name = "FORM", default_value = "lossless")]
    floats: Floats,
    /// Lists the words and their fields instead, as far as they can be decoded.
    #[arg(long, conflicts_with_all = ["to", "floats"])]
    words: bool,
    #[command(flatten)]
    results: Results,
}

pub(crate) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    let extension = if options.words { "txt" } else { "tgsi" };
    options.results.write_each((&options.inputs, extension), reporter, |path| make(options, path))
}

fn make(options: &Options, path: &Path) -> Result<Made, Problems> {
    let reading = Reading {
        dialect: Some(options.dialect),
        unstated: None,
        meaning: options.meaning,
        machine: options.machine,
        format: options.format,
        strict: false,
    };
    let input = Input::read(path)?;
    if options.words {
        let name = input.name.clone();
        let words = token_words(input, reading)?;
        let text = dump_within(&words, reading.tokens(), limits::of_shaders())
            .map_err(|error| Problems::whole(&name, error.to_string()))?;
        return Ok(Made { bytes: text.into_bytes(), warnings: None });
    }
    let to = options.to.unwrap_or(options.dialect);
    let shader = ShaderInput::from_tokens(input, reading)?;
    let mut shader = shader.translate((options.dialect, options.meaning), to)?;
    let text = options.floats.text(&shader.shader, to);
    Ok(Made { bytes: text.into_bytes(), warnings: shader.take_warnings() })
}
