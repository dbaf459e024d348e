//! `tgsi fmt`: shaders in canonical text.

use std::path::Path;

use clap::{Args, ValueEnum};
use tgsi_ir::{Dialect, Shader};
use tgsi_text::{ParseOptions, PrintOptions, Style};

use crate::batch::Inputs;
use crate::failure::{Failure, Outcome};
use crate::input::{TextInput, is_dash};
use crate::limits;
use crate::output::{write_file, write_stdout};
use crate::problem::Problems;
use crate::report::{Reporter, line};
use crate::shader::mistakes_of;

/// Rewrites shaders in canonical text, in place; standard input goes to standard output
///
/// Comments are kept; several empty lines become one.
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi fmt shader.tgsi
  tgsi fmt --check shaders/*.tgsi
  tgsi fmt - --floats hex < shader.tgsi")]
pub(crate) struct Options {
    #[command(flatten)]
    inputs: Inputs,
    /// Writes nothing; lists the files that are not canonical; exit code 1 if there are any.
    #[arg(long)]
    check: bool,
    /// Format of float immediates.
    #[arg(long, value_name = "FORM", default_value = "lossless")]
    floats: Floats,
    /// Dialect of the shaders: 2010, 2012 or 21.2; by default the one that a text states in a comment before its header
    /// (`# dialect: 2012`), or else 21.2.
    #[arg(long, value_name = "DIALECT")]
    dialect: Option<Dialect>,
}

/// Formats of floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Floats {
    /// Four decimals, or as many more as the value needs.
    Lossless,
    /// All as Mesa prints it: floats with four decimals, even where that changes the value.
    Mesa,
    /// The bits of 32-bit floats in hexadecimal.
    Hex,
}

impl Floats {
    /// The style of the printer.
    pub(crate) fn style(self) -> Style {
        match self {
            Self::Lossless => Style::Lossless,
            Self::Mesa => Style::Mesa,
            Self::Hex => Style::LosslessHex,
        }
    }

    /// Prints a shader in this format. The text states its dialect unless that is today's or Mesa's own.
    pub(crate) fn text(self, shader: &Shader, dialect: Dialect) -> String {
        let printing = PrintOptions::default().style(self.style()).dialect(dialect);
        let text = tgsi_text::print(shader, printing);
        match dialect == Dialect::default() || self == Self::Mesa {
            true => text,
            false => format!("# dialect: {dialect}\n{text}"),
        }
    }
}

/// A shader's text before and after.
struct Formatted {
    name: String,
    before: String,
    after: String,
}

pub(crate) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    let paths = options.inputs.paths()?;
    options.inputs.run(
        &paths,
        reporter,
        |path| format(path, options),
        |path, formatted| match formatted {
            Ok(formatted) => finish(options, path, &formatted),
            Err(problems) => {
                reporter.show(&problems);
                Ok(Outcome::Bad)
            }
        },
    )
}

fn format(path: &Path, options: &Options) -> Result<Formatted, Problems> {
    let input = TextInput::read(path)?;
    let dialect = options.dialect;
    // The text is written in the dialect that it was read in.
    let printing = PrintOptions::default().style(options.floats.style());
    let reading = ParseOptions::default().dialect(dialect).limits(limits::of_shaders());
    match tgsi_text::format(&input.text, reading, printing) {
        Ok(after) => Ok(Formatted { name: input.name, before: input.text, after }),
        Err(mistakes) => Err(mistakes_of(input, &mistakes)),
    }
}

fn finish(options: &Options, path: &Path, formatted: &Formatted) -> Result<Outcome, Failure> {
    let is_canonical = formatted.before == formatted.after;
    if options.check {
        if !is_canonical {
            line(&format!("{}: is not canonical", formatted.name));
        }
        return Ok(Outcome::when(is_canonical));
    }
    if is_dash(path) {
        write_stdout(formatted.after.as_bytes())?;
    } else if !is_canonical {
        write_file(path, formatted.after.as_bytes())?;
    }
    Ok(Outcome::Good)
}
