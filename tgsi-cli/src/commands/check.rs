//! `tgsi check`: what is wrong with shaders.

use clap::Args;

use crate::batch::Inputs;
use crate::failure::{Failure, Outcome};
use crate::problem::Problems;
use crate::reading::Reading;
use crate::report::Reporter;
use crate::shader::ShaderInput;

/// Reads shaders and reports what is wrong with them
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi check shader.tgsi
  tgsi check shaders/*.tgsi --deny-warnings
  tgsi check - --message-format json < shader.tgsi")]
pub(crate) struct Options {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    reading: Reading,
    /// Counts a shader with warnings as bad.
    #[arg(long)]
    deny_warnings: bool,
}

pub(crate) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    let paths = options.inputs.paths()?;
    options.inputs.run(
        &paths,
        reporter,
        |path| ShaderInput::read_as(path, options.reading).map_or_else(Some, judge),
        |_, problems| {
            let Some(problems) = problems else { return Ok(Outcome::Good) };
            reporter.show(&problems);
            Ok(Outcome::when(!problems.has_errors() && !options.deny_warnings))
        },
    )
}

/// What is wrong with a shader that could be read.
fn judge(mut shader: ShaderInput) -> Option<Problems> {
    let findings = shader.judge();
    (!findings.is_empty()).then(|| shader.problems(findings))
}
