//! `tgsi check`: what is wrong with shaders.

mod explain;

use clap::Args;
use tgsi_ir::validate::Code;

use crate::batch::Inputs;
use crate::failure::{Failure, Outcome};
use crate::problem::{Finding, Place, Problems, Severity};
use crate::reading::Reading;
use crate::report::Reporter;
use crate::shader::ShaderInput;

/// Reads shaders and reports what is wrong with them
#[derive(Args)]
#[command(after_help = "\
Examples:
  tgsi check shader.tgsi
  tgsi check shaders/*.tgsi --deny-warnings
  tgsi check old.tgsi --dialect 2012
  tgsi check - --message-format json < shader.tgsi
  tgsi check --explain never-used")]
pub(crate) struct Options {
    #[command(flatten)]
    inputs: Inputs,
    #[command(flatten)]
    reading: Reading,
    /// Counts a shader with warnings as bad.
    #[arg(long)]
    deny_warnings: bool,
    /// Explains a rule, given by its number or name, with a shader that breaks it.
    #[arg(long, value_name = "RULE", exclusive = true, value_parser = explain::rule)]
    explain: Option<Code>,
}

pub(crate) fn run(options: &Options, reporter: Reporter) -> Result<Outcome, Failure> {
    if let Some(code) = options.explain {
        return explain::run(code);
    }
    let paths = options.inputs.paths()?;
    options.inputs.run(
        &paths,
        reporter,
        |path| {
            let problems = ShaderInput::read_as(path, options.reading).map_or_else(Some, judge);
            problems.map(|problems| with_other_dialects(problems, options.reading))
        },
        |_, problems| {
            let Some(problems) = problems else { return Ok(Outcome::Good) };
            reporter.show(&problems);
            Ok(Outcome::when(!problems.has_errors() && !options.deny_warnings))
        },
    )
}

/// The problems, and the other dialects that the text fits where it does not fit its own.
fn with_other_dialects(mut problems: Problems, reading: Reading) -> Problems {
    let Some(text) = problems.text.as_deref().filter(|_| problems.has_errors() && !reading.strict)
    else {
        return problems;
    };
    let tried = tgsi_text::parse_with(text, reading.text()).dialect;
    let names: Vec<String> =
        ShaderInput::other_dialects(text, tried).iter().map(|one| format!("`{one}`")).collect();
    if !names.is_empty() {
        let message = format!("it is a good shader of dialect {}", names.join(" and "));
        let help = "choose the dialect with `--dialect`, or state it: `# dialect: 2012` in front";
        problems.findings.push(Finding {
            severity: Severity::Warning,
            ..Finding::error(message, Place::Whole).with_help(help)
        });
    }
    problems
}

/// What is wrong with a shader that could be read.
fn judge(mut shader: ShaderInput) -> Option<Problems> {
    let findings = shader.judge();
    (!findings.is_empty()).then(|| shader.problems(findings))
}
