//! `tgsi encode`: shaders as words.

use std::path::PathBuf;

use clap::Args;
use tgsi_binary::encode;
use tgsi_ir::{Authority, Dialect};

use crate::failure::{Failure, Outcome};
use crate::output::Destination;
use crate::reading::{Machine, Reading};
use crate::report::Reporter;
use crate::shader::ShaderInput;

/// Writes a shader as a stream of words
///
/// The text is in the dialect to write, unless `--from` names another. Constructs that differ between the two are
/// rewritten; a construct that the dialect to write lacks is an error.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi encode shader.tgsi -o shader.bin
  tgsi encode shader.tgsi --from 21.2 --dialect 2012 --hex
  tgsi encode - --host big -o shader.bin < shader.tgsi")]
pub(crate) struct Options {
    /// The shader: text, or words to be written in another form; `-` is standard input.
    file: PathBuf,
    /// Dialect to write: 2010, 2012 or 21.2.
    #[arg(long, value_name = "DIALECT", default_value_t)]
    dialect: Dialect,
    /// Dialect of the shader.
    #[arg(long, value_name = "DIALECT")]
    from: Option<Dialect>,
    /// Which meaning wins where the document of an old dialect and the Mesa of its time differ: `document` or `mesa`.
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
    destination: Destination,
}

pub(crate) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    options.destination.check_spares([options.file.as_path()])?;
    if !options.hex {
        options.destination.check_takes_binary()?;
    }
    let dialect = options.from.unwrap_or(options.dialect);
    let reading = Reading {
        dialect: Some(dialect),
        meaning: options.meaning,
        strict: options.strict,
        ..Reading::default()
    };
    let mut input = ShaderInput::read_as(&options.file, reading)?;
    input.show_warnings(reporter);
    let input = input.translate((dialect, options.meaning), options.dialect, reporter)?;
    let format = options.machine.tokens(options.dialect);
    let words = match encode(&input.shader, format) {
        Ok(words) => words,
        Err(error) => {
            let mut finding = input.finding(error.place, error.reason.to_string());
            finding.help = error.reason.help();
            return Err(input.problems(vec![finding]).into());
        }
    };
    let bytes = match options.hex {
        true => hex_lines(&words).into_bytes(),
        false => format.host.bytes(&words),
    };
    options.destination.write(&bytes)?;
    Ok(Outcome::Good)
}

/// Words in hexadecimal, eight a line.
fn hex_lines(words: &[u32]) -> String {
    let line = |words: &[u32]| {
        let words: Vec<String> = words.iter().map(|word| format!("0x{word:08x}")).collect();
        words.join(" ") + "\n"
    };
    words.chunks(8).map(line).collect()
}
