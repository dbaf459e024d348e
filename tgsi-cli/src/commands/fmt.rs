//! `tgsi fmt`: shaders in canonical text.

use std::path::Path;

use clap::{Args, ValueEnum};
use tgsi_text::Style;

use crate::batch::Inputs;
use crate::failure::{Failure, Outcome};
use crate::input::is_dash;
use crate::output::{write_file, write_stdout};
use crate::problem::Problems;
use crate::report::{Reporter, line};
use crate::shader::ShaderInput;

/// Rewrites shaders in canonical text, in place; standard input goes to standard output
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi fmt shader.tgsi
  tgsi fmt --check shaders/*.tgsi
  tgsi fmt - --floats hex < shader.tgsi")]
pub(crate) struct Options {
    #[command(flatten)]
    inputs: Inputs,
    /// Writes nothing; names the files that are not canonical, and ends with exit code 1 for them.
    #[arg(long)]
    check: bool,
    /// How float immediates are written.
    #[arg(long, value_name = "FORM", default_value = "lossless")]
    floats: Floats,
}

/// Ways to write floats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Floats {
    /// Four decimals, or as many more as the value needs.
    Lossless,
    /// Four decimals as Mesa prints, even where that changes the value.
    Mesa,
    /// Bits in hexadecimal.
    Hex,
}

impl Floats {
    fn style(self) -> Style {
        match self {
            Self::Lossless => Style::Lossless,
            Self::Mesa => Style::Mesa,
            Self::Hex => Style::MesaHex,
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
        |path| format(path, options.floats.style()),
        |path, formatted| match formatted {
            Ok(formatted) => finish(options, path, &formatted),
            Err(problems) => {
                reporter.show(&problems);
                Ok(Outcome::Bad)
            }
        },
    )
}

fn format(path: &Path, style: Style) -> Result<Formatted, Problems> {
    let shader = ShaderInput::read(path)?;
    let after = tgsi_text::print(&shader.shader, style);
    Ok(Formatted { name: shader.input.name, before: shader.input.text, after })
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
