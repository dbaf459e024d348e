//! `tgsi decode`: streams of words as text.

use std::path::PathBuf;

use clap::Args;
use tgsi_binary::dump;
use tgsi_ir::{Authority, Dialect};
use tgsi_text::{PrintOptions, print};

use crate::commands::fmt::Floats;
use crate::failure::{Failure, Outcome};
use crate::input::{Input, WordFormat};
use crate::output::Destination;
use crate::reading::{Machine, Reading};
use crate::report::Reporter;
use crate::shader::{ShaderInput, token_words};

/// Prints a stream of words as text
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi decode shader.bin
  tgsi decode shader.bin --dialect 2010 --to 21.2 -o shader.tgsi
  tgsi decode - --hex --words < words.txt")]
pub(crate) struct Options {
    /// The words; `-` is standard input.
    file: PathBuf,
    /// Dialect of the words: 2010, 2012 or 21.2.
    #[arg(long, value_name = "DIALECT", default_value_t)]
    dialect: Dialect,
    /// Dialect to rewrite the shader in.
    #[arg(long, value_name = "DIALECT")]
    to: Option<Dialect>,
    /// Which meaning wins where the document of an old dialect and Mesa of its time differ: `document` or `mesa`.
    #[arg(long, value_name = "WHOSE", default_value_t)]
    meaning: Authority,
    #[command(flatten)]
    machine: Machine,
    #[command(flatten)]
    format: WordFormat,
    /// How float immediates are written; `mesa` and `hex` print all as Mesa does.
    #[arg(long, value_name = "FORM", default_value = "lossless")]
    floats: Floats,
    /// Lists the words and their fields instead, as far as they can be read.
    #[arg(long, conflicts_with_all = ["to", "floats"])]
    words: bool,
    #[command(flatten)]
    destination: Destination,
}

pub(crate) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    options.destination.check_spares([options.file.as_path()])?;
    let reading = Reading {
        dialect: Some(options.dialect),
        meaning: options.meaning,
        machine: options.machine,
        format: options.format,
        strict: false,
    };
    let input = Input::read(&options.file)?;
    let text = if options.words {
        dump(&token_words(input, reading)?, reading.tokens())
    } else {
        let to = options.to.unwrap_or(options.dialect);
        let shader = ShaderInput::from_tokens(input, reading)?;
        let shader = shader.translate((options.dialect, options.meaning), to, reporter)?.shader;
        print(&shader, PrintOptions::default().style(options.floats.style()).dialect(to))
    };
    options.destination.write(text.as_bytes())?;
    Ok(Outcome::Good)
}
