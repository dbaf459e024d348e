//! `tgsi encode`: writes shaders as token streams.

use std::path::Path;

use clap::Args;
use tgsi_binary::encode;
use tgsi_ir::{Authority, Dialect};

use crate::batch::Inputs;
use crate::failure::{Failure, Outcome};
use crate::problem::{Finding, Problems};
use crate::reading::{Machine, Reading};
use crate::report::Reporter;
use crate::results::{Made, Results};
use crate::shader::ShaderInput;

/// Writes shaders as streams of words
///
/// A shader is text, or words to convert to another form. `--from` names its dialect. By default, it is the one that
/// its text states (`# dialect: 2012`), else the target dialect. Constructs that differ between the two dialects are
/// rewritten; a construct that the target dialect lacks is an error.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi encode shader.tgsi -o shader.bin
  tgsi encode shaders/*.tgsi --out-dir words
  tgsi encode shader.tgsi --from 21.2 --dialect 2012 --hex
  tgsi encode - --host big -o shader.bin < shader.tgsi")]
pub(crate) struct Options {
    #[command(flatten)]
    inputs: Inputs,
    /// Dialect to write: 2010, 2012 or 21.2.
    #[arg(long, value_name = "DIALECT", default_value_t)]
    dialect: Dialect,
    /// Dialect of the shader.
    #[arg(long, value_name = "DIALECT")]
    from: Option<Dialect>,
    /// Whose meaning applies where the document of an old dialect and the Mesa of its time differ: `document` or
    /// `mesa`.
    #[arg(long, value_name = "WHOSE", default_value_t)]
    meaning: Authority,
    #[command(flatten)]
    machine: Machine,
    /// Writes hexadecimal words instead of binary ones.
    #[arg(long)]
    hex: bool,
    /// Accepts only text that Mesa 21.2 accepts.
    #[arg(long)]
    strict: bool,
    #[command(flatten)]
    results: Results,
}

pub(crate) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    if !options.hex && options.results.out_dir.is_none() {
        options.results.destination.check_takes_binary()?;
    }
    let extension = if options.hex { "hex" } else { "bin" };
    options.results.write_each((&options.inputs, extension), reporter, |path| make(options, path))
}

fn make(options: &Options, path: &Path) -> Result<Made, Problems> {
    let reading = Reading {
        dialect: options.from,
        unstated: Some(options.dialect),
        meaning: options.meaning,
        strict: options.strict,
        ..Reading::default()
    };
    let input = ShaderInput::read_as(path, reading)?;
    let dialect = input.dialect;
    let mut input = input.translate((dialect, options.meaning), options.dialect)?;
    let format = options.machine.tokens(options.dialect);
    let words = match encode(&input.shader, format) {
        Ok(words) => words,
        Err(error) => {
            let finding = input.finding(error.place, error.reason.to_string());
            return Err(input.refused(vec![Finding { help: error.reason.help(), ..finding }]));
        }
    };
    let bytes = match options.hex {
        true => hex_lines(&words).into_bytes(),
        false => format.host.bytes(&words),
    };
    Ok(Made { bytes, warnings: input.take_warnings() })
}

/// Words in hexadecimal, eight per line.
fn hex_lines(words: &[u32]) -> String {
    let line = |words: &[u32]| {
        let words: Vec<String> = words.iter().map(|word| format!("0x{word:08x}")).collect();
        words.join(" ") + "\n"
    };
    words.chunks(8).map(line).collect()
}
